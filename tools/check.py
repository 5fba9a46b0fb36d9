#!/usr/bin/env python3
"""Checks on the project beside its tests: what the compiler does not see. Python's standard library only.

    selftest      the checks find what they should find in samples of C++
    layers        includes go to the same room or an earlier one (layers.txt), every public header has a room, no files
                  include each other, and no two files have one name
    sizes         no file, function or class grows past its limit
    doors         untyped memory gets its types in the files of tools/checks/doors.txt only, and each cast says why it is safe
    asserts       every message of a static_assert is expected by a test of tests/compile_fail
    format        all C++ is laid out as .clang-format says
    words         no leftover marks in the code, no paths of one particular machine; text as .editorconfig wants it
    commits       new commits have a short subject
    phrases       plain technical English: no phrase that a reader must decode
    links         links in the documents lead somewhere, and files that they name exist
    mutations     every bug of tools/mutations can be put into the sources: its text is there exactly once
    headers       every public header compiles on its own, and the longest test of every room compiles with the headers as
                  its user sees them, with warnings as errors, with each compiler found; and with C++17 a header says
                  what it needs, and nothing else
    diet          public headers avoid costly standard headers, and a small user file compiles quickly
    instructions  the hot paths take no more instructions than before: tools/instructions.py (needs --build)
    tidy          clang-tidy finds nothing in the library and the examples (needs --build)
    docs          the C++ in README.md, ARCHITECTURE.md and docs/ compiles, and programs in it run (needs --build)

`quick` runs those that need no compiler, `all` runs everything. Called by ./test; every check can be called by hand.
"""

import argparse
import pathlib
import sys

import mutate
from checks.asserts import check_asserts
from checks.common import ROOT, Report, run
from checks.compiling import check_diet, check_headers
from checks.documents import check_docs, check_links
from checks.doors import check_doors
from checks.layers import check_layers
from checks.self_test import check_selftest
from checks.sizes import check_sizes
from checks.text import check_commits, check_format, check_phrases, check_words
from checks.tidy import check_tidy


def check_mutations(report, _):
    count, problems = mutate.problems()
    for problem in problems:
        report.fail(problem)
    report.note(f"{count} mutations; tools/mutate.py tries whether the tests notice them")


def check_instructions(report, args):
    if not args.build:
        report.fail("it needs the library of a release build: pass --build")
        return
    code, output = run([sys.executable, ROOT / "tools" / "instructions.py", "--build", args.build])
    print(output, end="")
    if code != 0:
        report.fail("hot paths have become longer")


CHECKS = {"selftest": check_selftest, "layers": check_layers, "sizes": check_sizes, "doors": check_doors,
          "asserts": check_asserts, "format": check_format, "words": check_words, "commits": check_commits,
          "phrases": check_phrases, "links": check_links, "mutations": check_mutations, "headers": check_headers,
          "diet": check_diet, "instructions": check_instructions, "tidy": check_tidy, "docs": check_docs}
QUICK = ["selftest", "layers", "sizes", "doors", "asserts", "format", "words", "commits", "phrases", "links", "mutations"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checks", nargs="+", choices=[*CHECKS, "quick", "all"], metavar="check")
    parser.add_argument("--build", type=pathlib.Path, help="a build directory, for instructions, tidy and docs: the library and the examples")
    args = parser.parse_args()

    wanted = [name for name in CHECKS if name in args.checks or "all" in args.checks
              or ("quick" in args.checks and name in QUICK)]
    failed = []
    for name in wanted:
        print(f"{name}:", flush=True)
        report = Report()
        CHECKS[name](report, args)
        if report.failures:
            failed.append(name)
    names = f" ({', '.join(failed)})" if failed else ""
    print(f"check: {len(wanted) - len(failed)} passed, {len(failed)} failed{names}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
