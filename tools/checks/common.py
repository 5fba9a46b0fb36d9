"""What the checks share: where things are, how a check reports, how it runs a program."""

import os
import pathlib
import subprocess
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / "include"
PUBLIC = INCLUDE / "stoa"
DETAIL = PUBLIC / "detail"
SOURCE = ROOT / "src"


class Report:
    """Collects what is wrong in one check; warnings are printed and do no harm."""

    def __init__(self):
        self.failures = 0

    def fail(self, text):
        self.failures += 1
        print(f"  FAIL  {text}")

    def warn(self, text):
        print(f"  warn  {text}")

    def note(self, text):
        print(f"  {text}")


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def public_headers():
    return sorted(PUBLIC.rglob("*.hpp"))


def code_files():
    return public_headers() + sorted(path for path in SOURCE.rglob("*") if path.suffix in (".hpp", ".cpp"))


def run(command, **options):
    """Returns (exit code, output)."""
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    return done.returncode, done.stdout


def in_parallel(work, items):
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(work, items))


def tracked_files():
    code, output = run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    if code == 0:
        return sorted(ROOT / name for name in output.split("\0") if name and (ROOT / name).is_file())
    return sorted(path for path in ROOT.rglob("*") if path.is_file() and ROOT / "build" not in path.parents)
