#!/usr/bin/env python3
"""Checks on the project beside its tests: what the compiler does not see. Python's standard library only.

    layers        includes go to the same room or an earlier one (layers.txt), and every public header has a room
    sizes         no header or source grows past its limit
    words         no leftover marks in the code, no paths of one particular machine
    mutations     every bug of tools/mutations can be put into the sources: its text is there exactly once
    headers       every public header compiles on its own, and the longest test of every room compiles with the headers as
                  its user sees them, with warnings as errors, with each compiler found; and with C++17 a header says
                  what it needs, and nothing else
    diet          public headers avoid costly standard headers, and a small user file compiles quickly
    instructions  the hot paths take no more instructions than before: tools/instructions.py (needs --build)
    docs          the C++ in README.md, ARCHITECTURE.md and docs/ compiles, and programs in it run (needs --build)

`quick` runs the first four, `all` runs everything. Called by ./test; every check can be called by hand.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import mutate

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
PUBLIC = INCLUDE / "stoa"
SOURCE = ROOT / "src"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


class Report:
    """Collects what is wrong in one check; warnings are printed and do no harm."""

    def __init__(self):
        self.failures = 0

    def fail(self, text):
        self.failures += 1
        print(f"  FAIL  {text}")

    def warn(self, text):
        print(f"  warn  {text}")

    def note(self, text):
        print(f"  {text}")


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def public_headers():
    return sorted(PUBLIC.rglob("*.hpp"))


def code_files():
    return public_headers() + sorted(path for path in SOURCE.rglob("*") if path.suffix in (".hpp", ".cpp"))


def compilers():
    """g++, and the newest clang++ from 16 on; older clangs do not understand the concepts Stoa uses."""
    clang = next((name for version in (19, 18, 17, 16) if shutil.which(name := f"clang++-{version}")), None)
    return [name for name in ("g++", clang) if name and shutil.which(name)]


def run(command, **options):
    """Returns (exit code, output)."""
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    return done.returncode, done.stdout


def in_parallel(work, items):
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(work, items))


# --- layers ---------------------------------------------------------------------------------------------------------


def read_layers(report):
    """Returns the rooms in order, the set of sibling rooms, and the room of each public header."""
    rooms, siblings, header_room = [], set(), {}
    for number, line in enumerate((ROOT / "layers.txt").read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line[0].isspace():
            for header in line.split():
                if header in header_room or not rooms:
                    report.fail(f"layers.txt:{number}: {header} is listed twice or before any room")
                else:
                    header_room[header] = rooms[-1]
            continue
        match = re.fullmatch(r"(\w+)( \(sibling\))?: \S.*", line)
        if not match or match[1] in rooms:
            report.fail(f"layers.txt:{number}: expected 'room: what it holds', each room once")
            continue
        rooms.append(match[1])
        if match[2]:
            siblings.add(match[1])
    return rooms, siblings, header_room


def resolve(target, quoted, path):
    """The project's file that an #include means, or None when it is not one of ours."""
    places = ([path.parent, SOURCE] if quoted else []) + [INCLUDE]
    return next((found for place in places if (found := (place / target).resolve()).is_file()
                 and ROOT in found.parents), None)


def may_use(user, used, rooms, siblings):
    if user == used:
        return True
    between = rooms[min(rooms.index(user), rooms.index(used)):max(rooms.index(user), rooms.index(used)) + 1]
    return rooms.index(used) < rooms.index(user) and not all(room in siblings for room in between)


def check_layers(report, _):
    rooms, siblings, header_room = read_layers(report)
    present = {path.relative_to(PUBLIC).as_posix() for path in public_headers()}
    for header in sorted(present - header_room.keys()):
        report.fail(f"include/stoa/{header} has no room in layers.txt")
    for header in sorted(header_room.keys() - present):
        report.fail(f"layers.txt lists {header}, which does not exist")

    def room_of(path):
        if PUBLIC in path.parents:
            return header_room.get(path.relative_to(PUBLIC).as_posix())
        return path.relative_to(SOURCE).parts[0] if SOURCE in path.parents else None

    edges = 0
    for path in code_files():
        room = room_of(path)
        if room not in rooms:
            if SOURCE in path.parents:
                report.fail(f"{name_of(path)} is in no room of layers.txt")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if not match:
                continue
            where = f"{name_of(path)}:{number}"
            used = resolve(match[2], match[1] == '"', path)
            if used is None:
                if match[1] == '"' or match[2].startswith("stoa/"):
                    report.fail(f"{where}: no such file: {match[2]}")
                continue
            edges += 1
            if PUBLIC in path.parents and SOURCE in used.parents:
                report.fail(f"{where}: a public header includes the private {name_of(used)}")
            other = room_of(used)
            if other in rooms and not may_use(room, other, rooms, siblings):
                report.fail(f"{where}: {room} may not use {other} ({match[2]})")
    report.note(f"{edges} includes between {len(code_files())} files")


# --- sizes ----------------------------------------------------------------------------------------------------------


def check_sizes(report, _):
    longest = (0, "nothing")
    for path in code_files():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        longest = max(longest, (lines, name_of(path)))
        if lines > 500:
            report.fail(f"{name_of(path)} has {lines} lines; 500 is the end")
        elif path.suffix == ".hpp" and lines > 300:
            report.warn(f"{name_of(path)} has {lines} lines; a header should stay under 300")
    report.note(f"the longest file is {longest[1]} with {longest[0]} lines")


# --- words ----------------------------------------------------------------------------------------------------------


def tracked_files():
    code, output = run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    if code == 0:
        return sorted(ROOT / name for name in output.split("\0") if name and (ROOT / name).is_file())
    return sorted(path for path in ROOT.rglob("*") if path.is_file() and ROOT / "build" not in path.parents)


def check_words(report, _):
    marks = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
    paths = re.compile(r"(?<![\w.}])/(?:work|tmp|home)/")
    files = tracked_files()
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        in_code = PUBLIC in path.parents or SOURCE in path.parents
        for number, line in enumerate(text.splitlines(), 1):
            if in_code and (match := marks.search(line)):
                report.fail(f"{name_of(path)}:{number}: {match[0]} left in the code")
            if match := paths.search(line):
                report.fail(f"{name_of(path)}:{number}: the path {match[0]}... belongs to one machine")
    report.note(f"{len(files)} files read")


# --- mutations ------------------------------------------------------------------------------------------------------


def check_mutations(report, _):
    count, problems = mutate.problems()
    for problem in problems:
        report.fail(problem)
    report.note(f"{count} mutations; tools/mutate.py tries whether the tests notice them")


# --- headers --------------------------------------------------------------------------------------------------------


def longest_tests():
    """The longest test of each room: what it uses is instantiated, and most warnings come from there. The build of the
    tests does not show them, because headers that are precompiled count as headers of the system."""
    rooms = {}
    for path in (ROOT / "tests").glob("*/*_test.cpp"):
        rooms.setdefault(path.parent, []).append(path)
    return sorted(max(tests, key=lambda path: (path.stat().st_size, path)) for tests in rooms.values())


def check_headers(report, _):
    def compile_alone(job):
        compiler, path = job
        command = [compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, f"-I{INCLUDE}", f"-I{ROOT / 'tests'}", "-x", "c++"]
        if PUBLIC not in path.parents:
            return compiler, path, *run([*command, path])
        unit = f"#include <stoa/{path.relative_to(PUBLIC).as_posix()}>\n"
        return compiler, path, *run([*command, "-"], input=unit)

    def refuse_old_standard(job):
        compiler, header = job
        unit = f"#include <stoa/{header.relative_to(PUBLIC).as_posix()}>\n"
        _, output = run([compiler, "-std=c++17", "-fsyntax-only", f"-I{INCLUDE}", "-x", "c++", "-"], input=unit)
        errors = re.findall(r"error: .*", output)
        return compiler, header, bool(errors) and "Stoa needs C++20" in errors[0] and len(errors) <= 2

    names = compilers()
    tests = longest_tests()
    headers = [(compiler, header) for compiler in names for header in public_headers()]
    for compiler, header, refused in in_parallel(refuse_old_standard, headers):
        if not refused:
            report.fail(f"{name_of(header)} does not say first, and alone, that it needs C++20, with {compiler}")
    jobs = [(compiler, path) for compiler in names for path in [*tests, *public_headers()]]
    for compiler, path, code, output in in_parallel(compile_alone, jobs):
        if code != 0:
            print(output)
            report.fail(f"{name_of(path)} does not compile on its own with {compiler}")
    if not names:
        report.fail("no compiler found (g++, or clang++-16 and newer)")
    report.note(f"{len(public_headers())} headers and {len(tests)} tests with {' and '.join(names)}")


# --- diet -----------------------------------------------------------------------------------------------------------

COSTLY = {"memory", "functional", "string", "unordered_map", "iostream", "ranges", "algorithm", "thread", "mutex",
          "map", "atomic"}
RATIO = 1.5


def compile_seconds(source, output):
    """CPU seconds of the compiler for one file, at -O2."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code, text = run(["g++", "-std=c++20", "-O2", f"-I{INCLUDE}", "-c", source, "-o", output])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code != 0:
        print(text)
        return None
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def check_diet(report, _):
    for header in public_headers():
        for number, line in enumerate(header.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r"\s*#\s*include\s*<(\w+)>", line)
            if match and match[1] in COSTLY:
                report.fail(f"{name_of(header)}:{number}: <{match[1]}> is too costly for a public header")

    files = [ROOT / "tests" / "compile_time" / name for name in ("small_user.cpp", "five_standard_headers.cpp")]
    best = [float("inf"), float("inf")]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(5):
            for side, source in enumerate(files):
                seconds = compile_seconds(source, pathlib.Path(folder) / "out.o")
                if seconds is None:
                    report.fail(f"{name_of(source)} does not compile")
                    return
                best[side] = min(best[side], seconds)
    ratio = best[0] / best[1]
    report.note(f"a small user file takes {best[0]:.2f} s of CPU, five standard headers {best[1]:.2f} s: "
                f"{ratio:.2f} (limit {RATIO})")
    if ratio > RATIO:
        report.fail("a user's file has become too slow to compile")


# --- instructions ---------------------------------------------------------------------------------------------------


def check_instructions(report, args):
    if not args.build:
        report.fail("it needs the library of a release build: pass --build")
        return
    code, output = run([sys.executable, ROOT / "tools" / "instructions.py", "--build", args.build])
    print(output, end="")
    if code != 0:
        report.fail("hot paths have become longer")


# --- docs -----------------------------------------------------------------------------------------------------------

SNIPPET = """#include <stoa/stoa.hpp>
{includes}
using namespace stoa;
[[maybe_unused]] static void snippet() {{
#line {line} "{name}"
{text}}}
"""


def code_blocks(path):
    """Yields (first line, words after ```cpp, text, the nearest line above) for each C++ block of a page."""
    lines = path.read_text(encoding="utf-8").splitlines()
    start, above = None, ""
    for number, line in enumerate(lines, 1):
        if start is None and (match := re.fullmatch(r"```cpp\b(.*)", line.strip())):
            start, words = number, match[1].split()
        elif start is not None and line.strip() == "```":
            yield start + 1, words, "\n".join(lines[start:number - 1]) + "\n", above
            start = None
        if start is None and line.strip():
            above = line.strip()


def translation_unit(path, line, words, text):
    """The source to compile for a block, and whether to run it; None for a block that is only shown."""
    if re.search(r"\bint main\b", text):
        return f'#line {line} "{name_of(path)}"\n{text}', True
    if "file" in words:
        return f'#line {line} "{name_of(path)}"\n{text}', False
    if "snippet" in words:
        includes = "\n".join(row for row in text.splitlines() if row.startswith("#include"))
        body = "".join("\n" if row.startswith("#include") else row + "\n" for row in text.splitlines())
        return SNIPPET.format(includes=includes, line=line, name=name_of(path), text=body), False
    return None


def check_docs(report, args):
    library = next(iter(sorted(args.build.rglob("libstoa.a"))), None) if args.build else None
    parallel = next(iter(sorted(args.build.rglob("libstoa_parallel.a"))), None) if args.build else None
    jobs = []
    for path in [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for line, words, text, above in code_blocks(path) if path.exists() else ():
            where = f"{name_of(path)}:{line}"
            if "ignore" in words:
                if not re.search(r"\w.*-->$", above):
                    report.fail(f"{where}: a block marked 'ignore' needs a comment above it, <!-- why -->")
            elif unit := translation_unit(path, line, words, text):
                jobs.append((where, *unit))
            else:
                report.fail(f"{where}: give it a main, or mark it ```cpp snippet, ```cpp file or ```cpp ignore")
    if library is None and any(runs for _, _, runs in jobs):
        report.fail("the programs need the built library: pass --build with a directory that holds libstoa.a")
        return

    def try_out(job):
        where, unit, runs = job
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            common = ["g++", "-std=c++20", "-Wall", "-Wextra", f"-I{INCLUDE}", "-pthread", "-x", "c++", "-"]
            threads = [parallel, library, "-ltbb"] if parallel and "stoa/parallel.hpp" in unit else [library]
            how = ["-o", program, "-x", "none", *threads] if runs else ["-fsyntax-only"]
            code, output = run([*common, *how], input=unit)
            if code != 0:
                return where, f"does not compile\n{output}"
            code, output = run([program], timeout=60, cwd=folder) if runs else (0, "")
            return where, f"ended with exit code {code}\n{output}" if code != 0 else None

    for where, problem in in_parallel(try_out, jobs):
        if problem:
            report.fail(f"{where}: {problem}")
    report.note(f"{sum(runs for _, _, runs in jobs)} programs and {sum(not runs for _, _, runs in jobs)} snippets")


CHECKS = {"layers": check_layers, "sizes": check_sizes, "words": check_words, "mutations": check_mutations,
          "headers": check_headers, "diet": check_diet, "instructions": check_instructions, "docs": check_docs}
QUICK = ["layers", "sizes", "words", "mutations"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checks", nargs="+", choices=[*CHECKS, "quick", "all"], metavar="check")
    parser.add_argument("--build", type=pathlib.Path, help="a build directory that holds libstoa.a, for instructions and docs")
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
