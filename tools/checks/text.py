"""What can be read off the text: the layout of C++, leftover marks, machine paths, phrases. Called by tools/check.py."""

import pathlib
import re
import shutil

from .common import PUBLIC, ROOT, SOURCE, in_parallel, name_of, run, tracked_files


def check_format(report, _):
    tool = next((name for version in (16, 17, 18, 19) if shutil.which(name := f"clang-format-{version}")), None)
    if tool is None:
        report.fail("there is no clang-format, version 16 or newer")
        return
    files = sorted(path for folder in ("include", "src", "tests", "benchmarks", "examples")
                   for path in (ROOT / folder).rglob("*") if path.suffix in (".hpp", ".cpp"))
    pieces = [files[start:start + 40] for start in range(0, len(files), 40)]
    different = set()
    for code, output in in_parallel(lambda piece: run([tool, "--dry-run", "-Werror", *piece]), pieces):
        found = re.findall(r"^(.*?):\d+:\d+: error: code should be clang-formatted", output, re.MULTILINE)
        different.update(found)
        if code != 0 and not found:
            report.fail(output)
    for name in sorted(different):
        report.fail(f"{name_of(pathlib.Path(name))} is not formatted: {tool} -i {name_of(pathlib.Path(name))}")
    report.note(f"{len(files)} files read by {tool}")


COLUMNS = 120


def check_words(report, _):
    marks = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b")
    paths = re.compile(r"(?<![\w.}])/(?:work|tmp|home)/")
    untidy = {"\r": "a carriage return", "\t": "a tab"}
    files = tracked_files()
    for path in files:
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        in_code = PUBLIC in path.parents or SOURCE in path.parents
        if path.suffix in (".cpp", ".hpp") and not text.startswith("//"):
            report.fail(f"{name_of(path)} does not begin with a comment that says what it holds")
        if text and not text.endswith("\n"):
            report.fail(f"{name_of(path)} does not end with a line feed")
        for number, line in enumerate(text.split("\n"), 1):
            for character, name in untidy.items():
                if character in line:
                    report.fail(f"{name_of(path)}:{number}: {name}")
            # The formatter leaves lines alone that begin a part of a contract.
            if in_code and len(line) > COLUMNS:
                report.fail(f"{name_of(path)}:{number}: {len(line)} columns, more than {COLUMNS}")
            if line.endswith(" "):
                report.fail(f"{name_of(path)}:{number}: a space at the end")
            if in_code and (match := marks.search(line)):
                report.fail(f"{name_of(path)}:{number}: {match[0]} left in the code")
            if match := paths.search(line):
                report.fail(f"{name_of(path)}:{number}: the path {match[0]}... belongs to one machine")
    report.note(f"{len(files)} files read")


# Phrases that do not say what they mean, and the plain ones (docs/glossary.md has the vocabulary).
PHRASES = {
    "code of the user": "user code",
    "default-made": "default-constructed",
    "for ever": "forever, or say until when",
    "for want of": "for lack of, without",
    "if it likes": "optionally",
    "is told": "is notified",
    "are told": "are notified",
    "without further ado": "directly",
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}": "a straight quote",
    "\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}": "a straight quote",
}
PROSE = ("include/", "src/", "docs/", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")


def check_phrases(report, _):
    files = [path for path in tracked_files() if name_of(path).startswith(PROSE)]
    for path in files:
        text = path.read_text(encoding="utf-8")
        for phrase, better in PHRASES.items():
            words = r"(?:\s|\n\s*//+)+".join(map(re.escape, phrase.split()))  # a line of a comment may end inside
            pattern = rf"\b{words}\b" if phrase[0].isalpha() else words
            for match in re.finditer(pattern, text, re.IGNORECASE):
                line = text.count("\n", 0, match.start()) + 1
                report.fail(f"{name_of(path)}:{line}: '{phrase}': write {better}")
    report.note(f"{len(files)} files read")


SUBJECT = 72


def check_commits(report, _):
    code, fork = run(["git", "-C", ROOT, "merge-base", "HEAD", "origin/main"])
    if code != 0:
        report.note("there is no origin/main to compare with")
        return
    _, output = run(["git", "-C", ROOT, "log", "--no-merges", "--format=%h %s", f"{fork.strip()}..HEAD"])
    lines = output.splitlines()
    for commit, _, subject in (line.partition(" ") for line in lines):
        if len(subject) > SUBJECT or subject.endswith("."):
            report.fail(f"{commit}: the subject is a line of at most {SUBJECT} characters without a full stop: {subject}")
    report.note(f"{len(lines)} commits that origin/main does not have")
