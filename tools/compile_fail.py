#!/usr/bin/env python3
"""Judges one program that must not compile.

Called by ctest (tests/compile_fail.cmake) for every file of tests/compile_fail. The file's first line says what the
compiler must print:

    // expect: a component must be nothrow-movable

A file that mentions STOA_TEST_CONTROL must compile once that macro is defined: so the mistake under test, and not some
other error, is what stops the compiler.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

MARK = "// expect:"


def compile_file(args, *extra):
    """Returns (whether it compiled, what the compiler said)."""
    command = [args.compiler, "-std=c++20", "-fsyntax-only", "-fdiagnostics-color=never", "-fmessage-length=0",
               *(f"-I{path}" for path in args.include), *extra, str(args.file)]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, LC_ALL="C"))
    return done.returncode == 0, done.stdout


def without_source_lines(output):
    """Drops the lines that quote source text, so that a message counts only when the compiler itself says it."""
    return "\n".join(line for line in output.splitlines() if not re.match(r"\s*\d*\s*\|", line))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("file", type=pathlib.Path)
    args = parser.parse_args()

    text = args.file.read_text(encoding="utf-8")
    first = text.splitlines()[0] if text else ""
    if not first.startswith(MARK) or not first[len(MARK):].strip():
        sys.exit(f"{args.file.name}: the first line must be '{MARK} some text'")
    expected = first[len(MARK):].strip()

    compiled, output = compile_file(args)
    if compiled:
        sys.exit(f"{args.file.name}: compiles, but must not")
    if expected not in without_source_lines(output):
        sys.exit(f"{output}\n{args.file.name}: the compiler stopped, but did not say: {expected}")
    if "STOA_TEST_CONTROL" in text:
        compiled, output = compile_file(args, "-DSTOA_TEST_CONTROL")
        if not compiled:
            sys.exit(f"{output}\n{args.file.name}: must compile when STOA_TEST_CONTROL is defined")
    print(f"{args.file.name}: refused, with the message expected")


if __name__ == "__main__":
    main()
