#!/usr/bin/env python3
"""Counts the instructions of Stoa's hot paths, and holds them to what tests/instructions/expected.txt says.

    tools/instructions.py --build build/release             compares; fails when a path has grown by more than 3 %
    tools/instructions.py --build build/release --update    writes the file anew

The paths are functions of the programs in tests/instructions, counted by valgrind's callgrind with all that they call; unlike
times the numbers are the same in each run. The programs are compiled here, with flags of their own, against the library of a
release build; and the one with the walks once more without optimisation, where a walk may cost so many times what a loop by
hand does. The numbers are those of one compiler: with another one nothing is compared. Called by tools/check.py, and by
people who change a path.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "instructions"
EXPECTED = FOLDER / "expected.txt"
PROGRAMS = ["paths.cpp", "values.cpp", "schedule.cpp"]
WALKS = "paths.cpp"
COMPILER = "g++ 12"
TOLERANCE = 0.03
RELEASE, DEBUG = ["-O2", "-DNDEBUG"], ["-O0"]
# In a debug build: how many times the instructions of `raw` each walk may take.
DEBUG_LIMITS = {"each": 2.0, "each_chunk": 1.2, "range_for": 9.0}


def run(command, **options):
    """Returns what it printed; ends the program when it failed."""
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          **options)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def compiler_of(build):
    """The compiler of a release build, and why nothing can be compared: None when it can."""
    cache = build / "CMakeCache.txt"
    settings = cache.read_text(encoding="utf-8") if cache.exists() else ""
    if "CMAKE_BUILD_TYPE:STRING=Release\n" not in settings or "CMAKE_CXX_FLAGS:STRING=\n" not in settings:
        return None, f"the numbers are those of the preset release, which {build} is not"
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", settings, re.MULTILINE)[1]
    version, machine = (run([compiler, option]).strip() for option in ("-dumpversion", "-dumpmachine"))
    if "Free Software Foundation" not in run([compiler, "--version"]) or version.split(".")[0] != COMPILER.split()[1]:
        return None, f"the numbers are those of {COMPILER}; this build was made by another compiler"
    if not machine.startswith("x86_64"):
        return None, f"the numbers are those of x86-64; this is {machine}"
    if not shutil.which("valgrind"):
        return None, "there is no valgrind to count with"
    return compiler, None


def count(compiler, build, flags, source, folder):
    """Builds a program with these flags and runs it: instructions per operation, by name of the path."""
    program, output = folder / "paths", folder / "counts"
    library = next(iter(sorted(build.rglob("libstoa.a"))), None)
    if library is None:
        sys.exit(f"{build} holds no libstoa.a")
    run([compiler, "-std=c++20", *flags, f"-I{ROOT / 'include'}", FOLDER / source, library, "-o", program])
    # The program has a file written for each path. An environment of its own, because its size moves the stack.
    printed = run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", program],
                  env={"PATH": "/usr/bin:/bin"}, cwd=folder)
    operations = {name: int(number) for name, number in (line.split() for line in printed.splitlines())}
    counted = {}
    for part in sorted(folder.glob("counts.*"), key=lambda path: int(path.suffix[1:])):
        text = part.read_text(encoding="utf-8")
        name = re.search(r"^desc: Trigger: Client Request: (\w+)", text, re.MULTILINE)
        total = re.search(r"^summary: (\d+)", text, re.MULTILINE)
        if name and total:
            counted[name[1]] = int(total[1]) / operations[name[1]]  # a later round replaces an earlier one
        part.unlink()
    if counted.keys() != operations.keys():
        sys.exit(f"not counted: {', '.join(sorted(operations.keys() - counted.keys()))}")
    return counted


def read_expected():
    rows = (line.split() for line in EXPECTED.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {name: float(number) for name, number in rows}


def write_expected(counted):
    lines = [f"# Instructions per operation of the paths in this folder: {COMPILER}, {' '.join(RELEASE)}, x86-64.",
             "# Written by tools/instructions.py --update, compared by tools/check.py instructions."]
    EXPECTED.write_text("\n".join(lines + [f"{name} {number:.2f}" for name, number in counted.items()]) + "\n",
                        encoding="utf-8")


def compare(counted, expected):
    """Returns what is wrong, as lines; prints what has become better."""
    wrong = [f"{name} stands on one side only: tests/instructions/expected.txt and the programs belong together"
             for name in sorted(counted.keys() ^ expected.keys())]
    for name in (name for name in counted if name in expected):
        change = counted[name] / expected[name] - 1
        text = f"{name}: {counted[name]:.2f} instructions, {expected[name]:.2f} expected ({change:+.1%})"
        if change > TOLERANCE:
            wrong.append(text)
        elif change < -TOLERANCE:
            print(f"  warn  {text}: lower the file with tools/instructions.py --update")
    return wrong


def compare_debug(counted):
    wrong = []
    for name, limit in DEBUG_LIMITS.items():
        ratio = counted[name] / counted["raw"]
        text = f"{name} takes {ratio:.1f} times the instructions of a loop by hand in a debug build (limit {limit:g})"
        if ratio > limit:
            wrong.append(text)
        else:
            print(f"  {text}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release", help="a release build")
    parser.add_argument("--update", action="store_true", help="write what was counted to tests/instructions/expected.txt")
    args = parser.parse_args()

    compiler, reason = compiler_of(args.build)
    if reason:
        print(f"  skipped: {reason}")
        return
    with tempfile.TemporaryDirectory() as folder:
        counted = {}
        for source in PROGRAMS:
            counted |= count(compiler, args.build, RELEASE, source, pathlib.Path(folder))
        debug = count(compiler, args.build, DEBUG, WALKS, pathlib.Path(folder))
    print("  " + ", ".join(f"{name} {number:.1f}" for name, number in counted.items()))
    if args.update:
        write_expected(counted)
    wrong = compare(counted, read_expected()) + compare_debug(debug)
    for line in wrong:
        print(f"  FAIL  {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
