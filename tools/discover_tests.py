#!/usr/bin/env python3
"""Lists the test cases of a doctest program as ctest entries, whatever characters their names hold.

Called after each link of a test program (tests/CMakeLists.txt); ctest includes the file it writes. Two cases of one
program with the same name are an error, since nobody could tell them apart in a report.
"""

import argparse
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as xml


def quoted(text):
    """A bracket argument of CMake: nothing in it is special."""
    return f"[==[{text}]==]"


def entry(label, program, case):
    """The ctest commands for one case. A filter that finds nothing would pass, so it is made to fail."""
    name = case.replace("\\", "\\\\").replace(",", "\\,")
    test = quoted(f"{label}/{case}")
    return (f"add_test({test} {quoted(program)} {quoted('--test-case=' + name)} --case-sensitive=true)\n"
            f"set_tests_properties({test} PROPERTIES LABELS {label} TIMEOUT 900 "
            f"FAIL_REGULAR_EXPRESSION [==[test cases: +0 ]==])\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("label", help="the first part of every entry's name")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    args = parser.parse_args()

    listing = subprocess.run([args.program, "--list-test-cases", "--reporters=xml"], check=True,
                             stdout=subprocess.PIPE).stdout
    seen = {}
    for case in xml.fromstring(listing).iter("TestCase"):
        name, place = case.get("name"), f"{case.get('filename')}:{case.get('line')}"
        if name in seen:
            sys.exit(f"{place}: error: a test case of {args.program.name} is already called '{name}', at {seen[name]}")
        seen[name] = place
    args.output.write_text("".join(entry(args.label, args.program, name) for name in seen), encoding="utf-8")


if __name__ == "__main__":
    main()
