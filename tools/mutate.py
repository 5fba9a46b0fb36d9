#!/usr/bin/env python3
"""Puts plausible bugs into the sources, one at a time, and reports which of them the tests notice. Python's standard library only.

The bugs are data: tools/mutations/<room>.txt, described in README.txt there. Work is done in a copy of the project below
build/mutate, never in the project itself: the copy is made current at the start and restored after each bug. For each bug only
the library and the test programs that it names are built and run, up to the first one that fails:

    killed            a test failed, crashed or did not end: good
    survived          all named programs passed: a hole in the tests, or a change that nobody can see
    does not apply    the text is not in its file exactly once; `tools/check.py mutations` says so too
    does not compile  the mutation needs another wording

Run on demand, not by ./test. The first run builds the test programs; from then on a bug in a source takes about ten seconds, one in a
header of include/ as long as its test programs take to compile. Exit code 0 when every bug was killed.
"""

import argparse
import fnmatch
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "tools" / "mutations"
COPY = ROOT / "build" / "mutate"
FOLDERS = ("cmake", "include", "src", "tests", "tools", "examples")
FILES = ("CMakeLists.txt", "CMakePresets.json")
MEMORY = 6 << 30  # a bug may ask for all of it


class Mutation:
    """One bug: in `file` the text `old` becomes `new`; `tests` are the programs that should notice."""

    def __init__(self, room, name, meaning):
        self.room, self.name, self.meaning = room, name, meaning
        self.file, self.tests, self.preset = "", [], None
        self.old, self.new = [], []

    def problem(self, root=ROOT):
        """Why it cannot be applied, or None."""
        path = root / self.file
        if not self.file or not path.is_file():
            return f"there is no file {self.file!r}"
        if not self.old or not self.tests or self.old == self.new:
            return "it needs lines `-`, another text in lines `+`, and `tests:`"
        found = len(self.pattern().findall(path.read_text(encoding="utf-8")))
        return None if found == 1 else f"its text is {found} times in {self.file}"

    def pattern(self):
        """Matches `old` however its lines are broken and indented."""
        tokens = re.findall(r"\w+|[^\w\s]", "\n".join(self.old))
        return re.compile(r"\s*".join(re.escape(token) for token in tokens))


def read_mutations():
    """Returns the mutations of all rooms, and what is wrong with the files."""
    mutations, problems, names = [], [], set()
    for path in sorted(DATA.glob("*.txt")):
        if path.name == "README.txt":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{path.relative_to(ROOT).as_posix()}:{number}"
            if not line.strip() or line.startswith("#"):
                continue
            if match := re.fullmatch(r"@ ([a-z0-9-]+): (\S.*)", line):
                if match[1] in names:
                    problems.append(f"{where}: there are two mutations {match[1]}")
                names.add(match[1])
                mutations.append(Mutation(path.stem, match[1], match[2]))
            elif not mutations:
                problems.append(f"{where}: before the first mutation")
            elif match := re.fullmatch(r"(file|tests|preset): (\S.*)", line):
                setattr(mutations[-1], match[1], match[2].split() if match[1] == "tests" else match[2])
            elif match := re.fullmatch(r"([-+])(?: (.*))?", line):
                (mutations[-1].old if match[1] == "-" else mutations[-1].new).append(match[2] or "")
            else:
                problems.append(f"{where}: not a line of a mutation")
    return mutations, problems


def problems():
    """For tools/check.py: how many mutations there are, and what keeps them from being applied."""
    mutations, found = read_mutations()
    for mutation in mutations:
        if problem := mutation.problem():
            found.append(f"tools/mutations/{mutation.room}.txt: {mutation.name}: {problem}")
    return len(mutations), found


def make_copy():
    """Makes the copy equal to the project. Files that are equal stay untouched, so that nothing is built again."""
    wanted = {pathlib.Path(name) for name in FILES}
    for folder in FOLDERS:
        wanted |= {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    for name in wanted:
        source, target = ROOT / name, COPY / name
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)  # not its time: the copy is newer than what was built from the last one
    for folder in FOLDERS:
        for path in list((COPY / folder).rglob("*")):
            if path.is_file() and path.relative_to(COPY) not in wanted:
                path.unlink()


class Builder:
    """One build directory of the copy: of one preset."""

    def __init__(self, preset, jobs):
        self.preset, self.jobs = preset, jobs
        options = ["-DSTOA_WERROR=OFF", "-DSTOA_BUILD_EXAMPLES=OFF", "-DSTOA_TEST_COMPILE_FAIL=OFF", "-DSTOA_TEST_CONSUMER=OFF",
                   "-DSTOA_TEST_VECTORISE=OFF"]
        if launcher := shutil.which("ccache"):
            options.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}")
        self.run(["cmake", "--preset", preset, *options], check=True)
        self.seconds = {}  # of each program, without a bug

    def run(self, command, check=False):
        done = subprocess.run(command, cwd=COPY, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if check and done.returncode != 0:
            sys.exit(f"{done.stdout}\nmutate: {' '.join(command)} failed")
        return done.returncode == 0, done.stdout

    def build(self, programs):
        return self.run(["cmake", "--build", "--preset", self.preset, "-j", str(self.jobs), "--target",
                         *(f"stoa_test_{name}" for name in programs)])

    def test(self, name):
        """Runs a program up to its first failure. Returns what failed, or None."""
        limit = 60 + 10 * self.seconds[name] if name in self.seconds else 1800
        program = COPY / "build" / self.preset / "tests" / f"stoa_test_{name}"
        sanitized = self.preset in ("asan", "tsan")  # their shadow memory is larger than any limit
        began = time.monotonic()
        try:
            done = subprocess.run([program, "--abort-after=1", "--no-colors"], cwd=COPY / "build", text=True, errors="replace",
                                  timeout=limit, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  preexec_fn=None if sanitized else lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))
        except subprocess.TimeoutExpired:
            return f"{name}: did not end"
        if done.returncode == 0:
            self.seconds.setdefault(name, time.monotonic() - began)
            return None
        case = re.search(r"TEST CASE:\s+(.*)", done.stdout)
        return f"{name}: {case[1] if case else f'exit code {done.returncode}'}"


def try_one(mutation, builder):
    """Returns (verdict, what was seen)."""
    path = COPY / mutation.file
    if problem := mutation.problem(COPY):
        return "does not apply", problem
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutation.pattern().sub(lambda _: "\n".join(mutation.new), text), encoding="utf-8")
        built, output = builder.build(mutation.tests)
        if not built:
            errors = re.search(r"error: (.*)", output)
            return "does not compile", errors[1] if errors else output[-200:]
        for name in mutation.tests:
            if failed := builder.test(name):
                return "killed", failed
        return "survived", mutation.meaning
    finally:
        path.write_text(text, encoding="utf-8")


def chosen(mutations, patterns):
    if not patterns:
        return mutations
    for pattern in patterns:
        if not any(fnmatch.fnmatch(each.name, pattern) or each.room == pattern for each in mutations):
            sys.exit(f"mutate: no mutation or room is called {pattern}; --list names them")
    return [each for each in mutations if any(fnmatch.fnmatch(each.name, pattern) or each.room == pattern for pattern in patterns)]


def prepare(mutations, args):
    """Builds what is needed without a bug, and makes sure that it passes. Returns the builders by preset."""
    builders = {}
    for preset in sorted({each.preset or args.preset for each in mutations}):
        builder = builders[preset] = Builder(preset, args.jobs)
        programs = sorted({name for each in mutations if (each.preset or args.preset) == preset for name in each.tests})
        print(f"mutate: building {len(programs)} test programs without a bug (preset {preset})", flush=True)
        built, output = builder.build(programs)
        if not built:
            sys.exit(f"{output}\nmutate: the project does not build")
        for name in programs:
            if failed := builder.test(name):
                sys.exit(f"mutate: a test fails without a bug: {failed}")
    return builders


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the mutations, and do nothing else")
    parser.add_argument("--only", metavar="NAME", action="append", help="a mutation, a pattern of names or a room; may be repeated")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count() or 1, help="for the compiler (default: the cores)")
    parser.add_argument("--preset", default="dev", help="of mutations that do not name one (default: dev)")
    args = parser.parse_args()

    mutations, wrong = read_mutations()
    if wrong:
        sys.exit("\n".join(wrong))
    mutations = chosen(mutations, args.only)
    if args.list:
        for each in mutations:
            print(f"{each.name:40} {each.file}: {each.meaning}")
        return 0
    make_copy()
    builders = prepare(mutations, args)
    verdicts = {}
    for number, each in enumerate(mutations, 1):
        began = time.monotonic()
        verdict, seen = try_one(each, builders[each.preset or args.preset])
        verdicts.setdefault(verdict, []).append(each)
        print(f"{number:3}/{len(mutations)}  {verdict:16} {each.name} ({time.monotonic() - began:.0f} s)  {seen}", flush=True)
    print("\nmutate: " + ", ".join(f"{len(some)} {verdict}" for verdict, some in sorted(verdicts.items())))
    for verdict, some in sorted(verdicts.items()):
        for each in some if verdict != "killed" else ():
            print(f"  {verdict}: {each.name}: {each.meaning}")
    return 0 if set(verdicts) <= {"killed"} else 1


if __name__ == "__main__":
    sys.exit(main())
