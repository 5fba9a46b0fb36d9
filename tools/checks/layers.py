"""Includes follow layers.txt. Called by tools/check.py."""

import re

from .common import DETAIL, INCLUDE, PUBLIC, ROOT, SOURCE, code_files, name_of, public_headers


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


def include_cycles(edges):
    """The groups of files that reach each other (Tarjan's strongly connected components of more than one file)."""
    order, low, stack, cycles = {}, {}, [], []

    def visit(path):
        order[path] = low[path] = len(order)
        stack.append(path)
        for used in edges.get(path, ()):
            if used not in order:
                visit(used)
            if used in stack:
                low[path] = min(low[path], low[used])
        if low[path] == order[path]:
            group = stack[stack.index(path):]
            del stack[stack.index(path):]
            if len(group) > 1:
                cycles.append(group)

    for path in edges:
        if path not in order:
            visit(path)
    return cycles


def check_layers(report, _):
    rooms, siblings, header_room = read_layers(report)
    present = {path.name for path in public_headers() if path.parent == PUBLIC}
    for header in sorted(present - header_room.keys()):
        report.fail(f"include/stoa/{header} has no room in layers.txt")
    for header in sorted(header_room.keys() - present):
        report.fail(f"layers.txt lists {header}, which does not exist")

    def room_of(path):
        if path.parent == PUBLIC:
            return header_room.get(path.name)
        return path.relative_to(DETAIL if DETAIL in path.parents else SOURCE).parts[0]

    edges = {}
    names = {}
    for path in code_files():
        names.setdefault(path.name, []).append(name_of(path))
        edges[path] = []
        room = room_of(path)
        if room not in rooms:
            if path.parent != PUBLIC:
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
            edges[path].append(used)
            if PUBLIC in path.parents and SOURCE in used.parents:
                report.fail(f"{where}: a public header includes the private {name_of(used)}")
            other = room_of(used)
            if other in rooms and not may_use(room, other, rooms, siblings):
                report.fail(f"{where}: {room} may not use {other} ({match[2]})")
    for cycle in include_cycles(edges):
        report.fail("files include each other: " + ", ".join(name_of(path) for path in cycle))
    for same in names.values():
        if len(same) > 1:
            report.fail("two files of one name: " + ", ".join(same))
    report.note(f"{sum(map(len, edges.values()))} includes between {len(edges)} files")
