"""What a static_assert says to users has been seen: a test of tests/compile_fail expects it. Called by tools/check.py.

The tools of detail/base are the library's own; users cannot make them speak.
"""

import re

from .common import DETAIL, ROOT, name_of, public_headers
from .cpp_scan import blanked

MARK = "// expect:"


def messages(path):
    """Yields (line, message) for each static_assert that has a message."""
    text = path.read_text(encoding="utf-8")
    blank = blanked(text)
    for match in re.finditer(r"\bstatic_assert\s*\(", blank):
        end, depth = match.end(), 1
        while end < len(blank) and depth > 0:
            depth += (blank[end] == "(") - (blank[end] == ")")
            end += 1
        parts = re.findall(r'"((?:[^"\\]|\\.)*)"', text[match.end():end])
        if parts:
            yield text.count("\n", 0, match.start()) + 1, "".join(parts)


def check_asserts(report, _):
    expected = [line[len(MARK):].strip() for path in (ROOT / "tests" / "compile_fail").glob("*.cpp")
                for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(MARK)]
    count = 0
    for path in public_headers():
        if DETAIL / "base" in path.parents:
            continue
        for line, message in messages(path):
            count += 1
            if not any(text in message or message in text for text in expected):
                report.fail(f"{name_of(path)}:{line}: no test of tests/compile_fail expects '{message}'")
    report.note(f"{count} messages, {len(expected)} expectations")
