"""Files, functions and classes stay within their limits. Called by tools/check.py.

A file is measured in lines; a function from its first line to its closing brace, with the functions inside it; a class in member
functions. Overloads count once; constructors, the destructor and assignment do not count. What may be larger is listed, with the
reason, in sizes_allowed.txt; an entry that is no longer needed fails, so that no entry outlives its reason.
"""

import pathlib
import re

from .common import ROOT, code_files, name_of
from .cpp_scan import Scanner

HEADER_LINES = 300
SOURCE_LINES = 500
FUNCTION_LINES = 40
CLASS_FUNCTIONS = 40
ALLOWED = pathlib.Path(__file__).with_name("sizes_allowed.txt")


def read_allowed(report):
    """The entries of the list, each as (file, name): the name of a function or class, or `file`."""
    allowed = set()
    for number, line in enumerate(ALLOWED.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"(\S+) (\S+): (\S.*)", line)
        if match:
            allowed.add((match[1], match[2]))
        else:
            report.fail(f"{name_of(ALLOWED)}:{number}: expected 'path name: reason'")
    return allowed


def too_large(path):
    """Yields (name, line, what is wrong) for each file, function and class of one file that passes its limit."""
    text = path.read_text(encoding="utf-8")
    lines, limit = len(text.splitlines()), HEADER_LINES if path.suffix == ".hpp" else SOURCE_LINES
    if lines > limit:
        yield "file", 1, f"it has {lines} lines; the limit is {limit}"
    scanner = Scanner(text)
    for function in scanner.functions:
        if function.lines() > FUNCTION_LINES:
            yield function.name, function.first, f"{function.name} has {function.lines()} lines; the limit is {FUNCTION_LINES}"
    for found in scanner.classes:
        count = len(found.verbs())
        if count > CLASS_FUNCTIONS:
            yield found.name, found.first, f"{found.name} has {count} functions; the limit is {CLASS_FUNCTIONS}"


def check_sizes(report, _):
    allowed = read_allowed(report)
    used = set()
    files = code_files() + sorted(path for path in (ROOT / "examples").rglob("*") if path.suffix in (".hpp", ".cpp"))
    for path in files:
        for name, line, problem in too_large(path):
            key = (name_of(path), name)
            if key in allowed:
                used.add(key)
            else:
                report.fail(f"{name_of(path)}:{line}: {problem}")
    for path, name in sorted(allowed - used):
        report.fail(f"{name_of(ALLOWED)}: {path} {name} is within its limits: remove the entry")
    report.note(f"{len(files)} files measured, {len(used)} exceptions")
