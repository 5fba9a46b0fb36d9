"""Untyped memory gets its types at few places, and each of them says why that is right. Called by tools/check.py.

A place is a placement new, a reinterpret_cast, a static_cast to a pointer, or a const_cast. Casts to void*, to bytes, to
numbers and of nullptr give nothing a type and are free. `doors.txt` lists the files that may hold the others: the two doors,
through which all values of user types pass, and the files that lay out structures of the library in blocks of memory. A
const_cast may be anywhere. Every place, and every use of object_at, the door to one value, needs `// Safe:` with the reason: on
its line or up to five lines above, or in the comment above its function or class.
"""

import pathlib
import re

from .common import code_files, name_of
from .cpp_scan import Scanner

REACH = 5
LIST = pathlib.Path(__file__).with_name("doors.txt")
NAMED = re.compile(r"\b(static_cast|reinterpret_cast|const_cast|object_at)\s*<")
PLACEMENT = re.compile(r"::\s*new\s*\((?!\s*std::(?:nothrow|align_val_t))")
UNTYPED = re.compile(r"(?:const )?(?:void|std::byte|char|unsigned char|std::uintptr_t)(?: ?const)? ?\**&?")


def argument(text, position, opening, closing):
    """The text in the brackets that open at `position`, and the position after them."""
    depth = 0
    for at in range(position, len(text)):
        depth += (text[at] == opening) - (text[at] == closing)
        if depth == 0:
            return re.sub(r"\s+", " ", text[position + 1:at]).strip(), at + 1
    return "", len(text)


def places(text):
    """Yields (position, what) for each place in blanked text."""
    for match in PLACEMENT.finditer(text):
        yield match.start(), "placement new"
    for match in NAMED.finditer(text):
        target, end = argument(text, match.end() - 1, "<", ">")
        operand, _ = argument(text, end, "(", ")")
        if operand == "nullptr" or UNTYPED.fullmatch(target) and match[1] != "const_cast":
            continue
        if match[1] == "static_cast" and not target.endswith("*"):
            continue
        yield match.start(), match[1]


def comment_above(lines, first):
    """The lines of the comment that ends right above line `first`, which counts from 1."""
    begin = first - 1
    while begin > 0 and re.match(r"\s*//", lines[begin - 1]):
        begin -= 1
    return lines[begin:first - 1]


def reasons(scanner, lines, line):
    """The lines in which the reason for a place may be."""
    yield from lines[max(0, line - 1 - REACH):line]
    for owner in [*scanner.functions, *scanner.classes]:
        if owner.first <= line <= owner.last:
            yield from comment_above(lines, owner.first)


def read_list(report):
    allowed = set()
    for number, line in enumerate(LIST.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            match = re.fullmatch(r"(\S+): (\S.*)", line)
            if match:
                allowed.add(match[1])
            else:
                report.fail(f"{name_of(LIST)}:{number}: expected 'path: what it gives a type'")
    return allowed


def check_doors(report, _):
    allowed = read_list(report)
    used, count = set(), 0
    for path in code_files():
        text = path.read_text(encoding="utf-8")
        scanner, lines = Scanner(text), text.splitlines()
        for position, what in sorted(places(scanner.text)):
            line = scanner.line(position)
            count += 1
            if what not in ("const_cast", "object_at"):
                used.add(name_of(path))
                if name_of(path) not in allowed:
                    report.fail(f"{name_of(path)}:{line}: {what} outside the doors (tools/checks/doors.txt)")
            if not any("Safe:" in reason for reason in reasons(scanner, lines, line)):
                report.fail(f"{name_of(path)}:{line}: {what} without a line '// Safe:' that says why")
    for name in sorted(allowed - used):
        report.fail(f"{name_of(LIST)}: {name} casts nothing: remove the entry")
    report.note(f"{count} places in {len(used)} files")
