#!/usr/bin/env python3
"""Compares two builds of the benchmarks, A and B, by running them in turns on the same machine.

    tools/ab.py build/a/stoa_bench build/b/stoa_bench [filter]     two programs
    tools/ab.py main HEAD [filter] --rounds 9                      two revisions, built under build/ab

Prints, for every workload, the median of A, the median of B and B / A: below 1 means that B is faster. A difference
smaller than the spread (the middle half of the ratios of single rounds) is noise. Called by people who want to know
whether a change pays.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def say(text):
    print(text, file=sys.stderr, flush=True)


def git(*command):
    return subprocess.run(["git", "-C", str(ROOT), *command], check=True, text=True, stdout=subprocess.PIPE).stdout


def program(name):
    """The benchmark program for a path or for a git revision, which is built first if need be."""
    if pathlib.Path(name).is_file():
        return pathlib.Path(name).resolve()
    commit = git("rev-parse", "--verify", "--short=12", f"{name}^{{commit}}").strip()
    tree = ROOT / "build" / "ab" / commit
    binary = tree / "build" / "bench" / "benchmarks" / "stoa_bench"
    if not tree.exists():
        git("worktree", "prune")
        git("worktree", "add", "--detach", str(tree), commit)
    say(f"building {name} ({commit})")
    for step in (["--preset", "bench"], ["--build", "--preset", "bench", "--target", "stoa_bench"]):
        subprocess.run(["cmake", *step], cwd=tree, check=True, stdout=sys.stderr)
    return binary


def measure(binary, workloads):
    """One run: a dictionary from (name, n) to nanoseconds, Stoa's own figures only."""
    command = [str(binary), "--json"] + ([workloads] if workloads else [])
    lines = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
    rows = [json.loads(line) for line in lines if line.startswith("{")]
    return {(row["name"], row["n"]): float(row["ns"]) for row in rows if row["impl"] == "stoa"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a", help="a benchmark program or a git revision")
    parser.add_argument("b", help="the one to compare with it")
    parser.add_argument("filter", nargs="?", help="which workloads, as stoa_bench takes it")
    parser.add_argument("--rounds", type=int, default=5, help="how often each side runs (default 5)")
    args = parser.parse_args()

    sides = [program(args.a), program(args.b)]
    runs = ([], [])
    for turn in range(max(args.rounds, 1)):
        say(f"round {turn + 1} of {max(args.rounds, 1)}")
        for side in ((0, 1) if turn % 2 == 0 else (1, 0)):
            runs[side].append(measure(sides[side], args.filter))

    shared = [key for key in runs[0][0] if key in runs[1][0]]
    if not shared:
        sys.exit("no workload is measured by both sides")
    print(f"{'workload':<36}{'n':>10}{'A ns':>12}{'B ns':>12}{'B / A':>9}   spread")
    for key in shared:
        a, b = ([run[key] for run in side] for side in runs)
        ratios = sorted(y / x for x, y in zip(a, b))
        low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
        ratio = statistics.median(b) / statistics.median(a)
        print(f"{key[0]:<36}{key[1]:>10}{statistics.median(a):>12.3f}{statistics.median(b):>12.3f}{ratio:>9.3f}"
              f"   {low:.3f} to {high:.3f}")


if __name__ == "__main__":
    main()
