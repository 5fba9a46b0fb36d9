"""What documents name exists; the C++ in them compiles, and its programs run. Called by tools/check.py."""

import pathlib
import re
import tempfile

from .common import INCLUDE, PUBLIC, ROOT, in_parallel, name_of, run


LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([\w-]+))?\)")
NAMED_FILE = re.compile(r"`((?:include|src|tests|tools|docs|cmake|examples|benchmarks|detail|stoa)/[\w/.-]*\w)`")


def anchors(path):
    """The anchors that a viewer gives to the headings of a page."""
    headings = re.findall(r"^#+ +(.*)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def check_links(report, _):
    pages = sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))
    count = 0
    for page in pages:
        in_code = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            where = f"{name_of(page)}:{number}"
            in_code ^= line.lstrip().startswith("```")
            if in_code:
                continue
            for target, anchor in LINK.findall(line):
                count += 1
                if target.startswith(("http:", "https:", "mailto:")):
                    continue
                path = (page.parent / target).resolve() if target else page
                if not path.exists():
                    report.fail(f"{where}: the link to {target} leads nowhere")
                elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                    report.fail(f"{where}: there is no heading #{anchor} in {name_of(path)}")
            for name in NAMED_FILE.findall(line):
                count += 1
                if not any((place / name).exists() for place in (ROOT, INCLUDE, PUBLIC)):
                    report.fail(f"{where}: there is no {name}")
    report.note(f"{count} links and files in {len(pages)} pages")


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
