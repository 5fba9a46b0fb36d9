#!/usr/bin/env python3
"""Checks that the compiler turns the loops of tests/vectorise/moves.cpp into packed instructions.

Called by ctest (tests/vectorise.cmake). Compiles the file with each compiler found, disassembles it, and looks into each
function and into those of the same file that it calls for a packed multiplication and a packed addition of the full width.
Leaves with 77, which ctest counts as skipped, where there is no x86-64 or no objdump.
"""

import argparse
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# (compiler flags, the register that a full-width instruction names, functions to look at). Without AVX a row of two
# numbers can be packed by itself into the same registers, which proves nothing; so there only rows of one number count.
LEVELS = [
    (["-O3", "-mavx2"], "ymm", ["move_by_each", "move_by_chunk", "heat_by_each", "heat_by_chunk"]),
    (["-O3", "-mavx2", "-mfma"], "ymm", ["move_by_each", "move_by_chunk", "heat_by_each", "heat_by_chunk"]),
    (["-O3"], "xmm", ["heat_by_each", "heat_by_chunk"]),
]
MULTIPLIES = re.compile(r"v?mulps|vfn?m(add|sub)\d+ps")
ADDS = re.compile(r"v?addps|vfn?madd\d+ps")


def compilers():
    """g++, and the newest clang++ from 16 on, as tools/check.py has them."""
    clang = next((name for version in (19, 18, 17, 16) if shutil.which(name := f"clang++-{version}")), None)
    return [name for name in ("g++", clang) if name and shutil.which(name)]


def functions_of(objdump, path):
    """The functions of an object file: name -> (instructions with operands, names of functions it calls or jumps to)."""
    text = subprocess.run([objdump, "-dr", "--no-show-raw-insn", path], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    found, name, lines = {}, None, text.splitlines()
    for line, next_line in zip(lines, lines[1:] + [""]):
        if match := re.fullmatch(r"[0-9a-f]+ <(.+)>:", line):
            name = match[1]
            found[name] = ([], set())
        elif name is None:
            continue
        elif match := re.search(r"\bR_X86_64_\w+\s+([^\s+-]+)", line):
            found[name][1].add(match[1])
        elif match := re.fullmatch(r"\s*[0-9a-f]+:\s+(\S.*)", line):
            found[name][0].append(match[1])
            target = re.search(r"\b(?:call|j\w+)\s+\S+ <([^+>]+)", match[1])
            if target and "R_X86_64_" not in next_line:  # with a relocation, the target shown is not the real one
                found[name][1].add(target[1])
    return found


def reachable(functions, name):
    """The instructions of a function and of all functions of the file that it leads to."""
    known, waiting = set(), [name]
    while waiting:
        current = waiting.pop()
        if current in functions and current not in known:
            known.add(current)
            waiting.extend(functions[current][1])
    return [line for each in known for line in functions[each][0]]


def is_packed(instructions, register, pattern):
    return any(pattern.match(line) and register in line for line in instructions)


def judge(compiler, flags, register, names, args, folder):
    """Returns what is wrong, as lines."""
    output = pathlib.Path(folder) / "moves.o"
    command = [compiler, "-std=c++20", *flags, f"-I{args.include}", "-c", args.source, "-o", output]
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    how = f"{compiler} {' '.join(flags)}"
    if done.returncode != 0:
        return [f"{how}: does not compile\n{done.stdout}"]
    functions = functions_of(args.objdump, output)
    wrong = []
    for name in names:
        if name not in functions:
            wrong.append(f"{how}: {name} is not in the object file")
            continue
        instructions = reachable(functions, name)
        if not is_packed(instructions, register, MULTIPLIES) or not is_packed(instructions, register, ADDS):
            wrong.append(f"{how}: {name} multiplies and adds row by row, without packed {register} instructions")
    return wrong


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, default=here / "moves.cpp")
    parser.add_argument("--include", type=pathlib.Path, default=here.parent.parent / "include")
    parser.add_argument("--objdump", default=shutil.which("objdump"))
    args = parser.parse_args()

    if platform.machine() not in ("x86_64", "AMD64"):
        print(f"skipped: {platform.machine()} is not x86-64")
        sys.exit(SKIPPED)
    if not args.objdump:
        print("skipped: there is no objdump to look with")
        sys.exit(SKIPPED)
    if not compilers():
        print("skipped: no compiler found (g++, or clang++-16 and newer)")
        sys.exit(SKIPPED)
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers():
            for flags, register, names in LEVELS:
                wrong += judge(compiler, flags, register, names, args, folder)
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"packed in every loop, with {' and '.join(compilers())}")


if __name__ == "__main__":
    main()
