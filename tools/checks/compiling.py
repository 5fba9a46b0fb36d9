"""What a user of the headers sees: that they compile alone and without a warning, and how long it takes. Called by
tools/check.py.
"""

import pathlib
import re
import resource
import shutil
import tempfile

from .common import INCLUDE, PUBLIC, ROOT, SOURCE, in_parallel, name_of, public_headers, run

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]


def compilers():
    """g++, and the newest clang++ from 16 on; older clangs do not understand the concepts Stoa uses."""
    clang = next((name for version in (19, 18, 17, 16) if shutil.which(name := f"clang++-{version}")), None)
    return [name for name in ("g++", clang) if name and shutil.which(name)]


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
            return compiler, path, *run([*command, f"-I{SOURCE}", path])  # tests of private classes
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


COSTLY = {"memory", "functional", "string", "unordered_map", "iostream", "ranges", "algorithm", "thread", "mutex",
          "map", "atomic", "iterator"}
RATIO = 1.5
ROUNDS = 5
MOST_ROUNDS = 20


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
        for done in range(MOST_ROUNDS):
            # Other work on the machine only adds time, so a ratio above the limit is measured longer before it counts.
            if done >= ROUNDS and best[0] / best[1] <= RATIO:
                break
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
