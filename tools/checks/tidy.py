"""clang-tidy finds nothing in the library and the examples. Called by tools/check.py; .clang-tidy has the settings."""

import json
import pathlib
import re
import shutil
import tempfile

from .common import ROOT, in_parallel, name_of, run

FOLDERS = (ROOT / "src", ROOT / "examples")


def commands(database):
    """How the library and the examples compile them, file by file: tests compile some again, without exceptions or with
    a precompiled header that clang cannot read."""
    chosen = {}
    for entry in json.loads(database.read_text(encoding="utf-8")):
        path = ROOT / entry["directory"] / entry["file"]
        if any(folder in path.parents for folder in FOLDERS) and " -o tests/" not in entry["command"]:
            chosen[path] = entry
    return chosen


def check_tidy(report, args):
    tool = next((name for version in (16, 17, 18, 19) if shutil.which(name := f"clang-tidy-{version}")), None)
    database = args.build / "compile_commands.json" if args.build else None
    if tool is None or database is None or not database.is_file():
        report.fail("it needs clang-tidy, version 16 or newer, and the compile commands of a build: pass --build")
        return
    chosen = commands(database)
    files = sorted(chosen, key=lambda path: path.stat().st_size, reverse=True)  # the last ones to end are short
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(list(chosen.values())), encoding="utf-8")
        # The build may be one of g++, with options that clang does not know.
        command = [tool, "--quiet", "-p", folder, "--extra-arg=-Wno-unknown-warning-option"]
        outcomes = in_parallel(lambda path: run([*command, path]), files)
    for path, (code, output) in zip(files, outcomes):
        complaints = re.findall(r"^(/.*?:\d+:\d+): (?:error|warning): (.*)", output, re.MULTILINE)
        if code != 0 and not complaints:
            report.fail(f"{name_of(path)}: {output}")
        found.update(complaints)  # one in a header is found many times
    for where, what in sorted(found):
        report.fail(f"{where.removeprefix(f'{ROOT}/')}: {what}")
    report.note(f"{len(files)} sources read by {tool}")
