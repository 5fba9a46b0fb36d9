#!/usr/bin/env python3
"""Judges one program that must not compile.

Called by ctest (tests/compile_fail.cmake) for every file of tests/compile_fail. The file's first line, or lines, say what
the compiler must print:

    // expect: a component must be nothrow-movable
    // expect: Position&, const Velocity&

A line `// options: -std=c++17` behind them adds options of the compiler. Compilers that write `Position &` are
understood. A file that mentions STOA_TEST_CONTROL must compile once that macro is defined: so the mistake under test,
and not some other error, is what stops the compiler.
"""

import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys

MARK = "// expect:"
OPTIONS = "// options:"


def compile_file(args, *extra):
    """Returns (whether it compiled, what the compiler said)."""
    command = [args.compiler, "-std=c++20", "-fsyntax-only", "-fdiagnostics-color=never", "-fmessage-length=0",
               *(f"-I{path}" for path in args.include), *extra, str(args.file)]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, LC_ALL="C"))
    return done.returncode == 0, done.stdout


def without_source_lines(output):
    """Drops the lines that quote source text, so that a message counts only when the compiler itself says it."""
    kept = "\n".join(line for line in output.splitlines() if not re.match(r"\s*\d*\s*\|", line))
    return re.sub(r"(?<=\w) (?=[&*])", "", kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("file", type=pathlib.Path)
    args = parser.parse_args()

    text = args.file.read_text(encoding="utf-8")
    marked = itertools.takewhile(lambda line: line.startswith(MARK), text.splitlines())
    expected = [line[len(MARK):].strip() for line in marked]
    if not expected or not all(expected):
        sys.exit(f"{args.file.name}: the first line must be '{MARK} some text'")

    options = next((line[len(OPTIONS):].split() for line in text.splitlines() if line.startswith(OPTIONS)), [])

    compiled, output = compile_file(args, *options)
    if compiled:
        sys.exit(f"{args.file.name}: compiles, but must not")
    for sentence in expected:
        if sentence not in without_source_lines(output):
            sys.exit(f"{output}\n{args.file.name}: the compiler stopped, but did not say: {sentence}")
    if "STOA_TEST_CONTROL" in text:
        compiled, output = compile_file(args, *options, "-DSTOA_TEST_CONTROL")
        if not compiled:
            sys.exit(f"{output}\n{args.file.name}: must compile when STOA_TEST_CONTROL is defined")
    print(f"{args.file.name}: refused, with the message expected")


if __name__ == "__main__":
    main()
