"""Reads C++ well enough to measure it: finds classes, the functions that they declare, and every function with its lines.

It is no compiler. It follows braces and parentheses in text without comments, strings and directives, and decides by what is in
front of a brace whether a namespace, a class, a function or an initializer begins. Functions inside functions (lambdas, local
classes) belong to the outer one. Used by tools/check.py for `sizes` and `doors`. Python's standard library only.
"""

import re
from dataclasses import dataclass, field

TOKENS = re.compile(r"""
      (?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)
    | (?P<raw>(?:u8|[uUL])?R"(?P<delimiter>[^()\s\\]*)\(.*?\)(?P=delimiter)")
    | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
    | (?P<number>\.?\d(?:'?[\w.])*)
    | (?P<character>(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
    | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)


def blanked(text):
    """The text with comments, directives and the contents of literals as spaces; every other character stays in its place."""

    def blank(match):
        if match.lastgroup == "number":
            return match[0]
        spaces = re.sub(r"[^\n]", " ", match[0])
        literal = match.lastgroup in ("raw", "string", "character", "delimiter")
        return '"' + spaces[1:-1] + '"' if literal else spaces

    return TOKENS.sub(blank, text)


@dataclass
class Function:
    name: str
    first: int  # line
    last: int

    def lines(self):
        return self.last - self.first + 1


@dataclass
class Class:
    name: str
    first: int
    last: int = 0
    functions: list = field(default_factory=list)  # names, one for each declaration

    def verbs(self):
        """The names of its functions without constructors, the destructor and assignment."""
        own = self.name.split("::")[-1].strip()
        return set(self.functions) - {own, "~" + own, "assignment_"}


PARENTHESES = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
REQUIRES = re.compile(rf"^requires\b ?(?:{PARENTHESES}|!?[\w:]+)(?: ?(?:&&|\|\|) ?(?:{PARENTHESES}|!?[\w: ]+))* ")
OPERATOR = re.compile(r"\boperator\s*(?:\(\s*\)|\[\s*\]|\"\"\s*\w+|co_await\b|(?:new|delete)\b(?:\s*\[\s*\])?|[^\s\w(]+)")


def without_templates(head):
    """The head behind `template <...>`, which may hold comparisons in parentheses."""
    while match := re.match(r"\s*template\s*<", head):
        angles, parentheses, end = 1, 0, match.end()
        while end < len(head) and angles > 0:
            parentheses += {"(": 1, ")": -1}.get(head[end], 0)
            angles += {"<": 1, ">": -1}.get(head[end], 0) if parentheses == 0 else 0
            end += 1
        head = head[end:]
    return head


def simplified(head):
    """A declaration without what may hold misleading brackets: attributes, specifiers with arguments, template arguments."""
    head = re.sub(r"\boperator\s*=(?!=)", "assignment_ ", head)
    head = OPERATOR.sub("operator_ ", head)
    head = re.sub(r"\[\[.*?\]\]", " ", head, flags=re.DOTALL)
    head = without_templates(head)
    for word in ("alignas", "decltype", "explicit", "noexcept"):
        while match := re.search(rf"\b{word}\s*\(", head):
            end, depth = match.end(), 1
            while end < len(head) and depth > 0:
                depth += {"(": 1, ")": -1}.get(head[end], 0)
                end += 1
            head = head[:match.start()] + (" X " if word == "decltype" else " ") + head[end:]
    head = head.replace("->", " ").replace("<=>", " ").replace("<=", " ").replace(">=", " ").replace("<<", " ")
    previous = None
    while previous != head:  # innermost first
        previous, head = head, re.sub(r"<[^<>;]*>", " ", head)
    return REQUIRES.sub("", re.sub(r"\s+", " ", head).strip())


def function_name(head):
    """The name of the function that a simplified head declares, or None."""
    if re.match(r"(?:using|typedef|static_assert|friend|enum|concept)\b", head):
        return None
    before, parenthesis, after = head.partition("(")
    if not parenthesis or "=" in before or re.match(r"\s*[*&]", after):
        return None
    match = re.search(r"(~?\s*\w+)\s*$", before)
    if not match or match[1] == "requires":
        return None
    conversion = re.search(r"\boperator\s+([\w: *&]+)$", before)
    return f"operator {conversion[1].strip()}" if conversion else match[1].replace(" ", "")


class Scanner:
    """One pass over a file: fills `classes` and `functions`."""

    def __init__(self, text):
        self.text = blanked(text)
        self.classes, self.functions = [], []
        self.newlines = [match.start() for match in re.finditer("\n", self.text)]
        self.scope(0, None)

    def line(self, position):
        low, high = 0, len(self.newlines)
        while low < high:
            middle = (low + high) // 2
            if self.newlines[middle] < position:
                low = middle + 1
            else:
                high = middle
        return low + 1

    def matching(self, position):
        """The position after the bracket that closes the one at `position`."""
        depth = 0
        while position < len(self.text):
            character = self.text[position]
            depth += (character in "({[") - (character in ")}]")
            position += 1
            if depth == 0:
                break
        return position

    def scope(self, position, owner):
        """Reads declarations up to the closing brace of a namespace or class; returns the position after it."""
        start = position
        while position < len(self.text):
            character = self.text[position]
            if character in "([":
                position = self.matching(position)
            elif character == ";":
                self.declared(self.text[start:position], owner)
                position = start = position + 1
            elif character == ":" and self.text[start:position].strip() in ("public", "private", "protected"):
                position = start = position + 1
            elif character == "}":
                return position + 1
            elif character == "{":
                position, ended = self.braces(start, position, owner)
                start = position if ended else start
            else:
                position += 1
        return position

    def declared(self, head, owner):
        name = function_name(simplified(head)) if owner else None
        if name:
            owner.functions.append(name)

    def braces(self, start, position, owner):
        """What the brace at `position` opens. Returns the position after it and whether the declaration ended there."""
        raw = self.text[start:position]
        head = simplified(raw)
        first = self.line(start + len(raw) - len(raw.lstrip()))
        if re.match(r"(?:inline )?namespace\b|extern \"|TEST_SUITE", head):
            return self.scope(position + 1, None), True
        match = re.match(r"(?:class|struct|union)\b(?: [A-Z]+_[A-Z_]+\b)?(?: ((?:\w+(?: ?:: ?)?)*))?", head)
        if match and "(" not in head and "=" not in head:
            found = Class(match[1] or "(unnamed)", first)
            self.classes.append(found)
            end = self.scope(position + 1, found)
            found.last = self.line(end - 1)
            return end, True
        name = function_name(head.removeprefix("friend "))
        if name is None:
            return self.matching(position), True
        parameters = re.match(rf"[^(]*{PARENTHESES}", head)
        initializes = parameters and re.search(r"(?<!:):(?!:)", head[parameters.end():])
        if initializes and re.search(r"[\w>]$", raw.rstrip()):
            return self.matching(position), False  # a member or base in the list of a constructor
        end = self.matching(position)
        self.functions.append(Function(name, first, self.line(end - 1)))
        if owner and not head.startswith("friend "):
            owner.functions.append(name)
        return end, True
