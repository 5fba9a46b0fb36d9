#!/usr/bin/env python3
"""Checks the installed package from outside: installs Stoa, then builds and runs the project beside this file.

Called by ctest (tests/consumer.cmake), once for the static and once for the shared library. The build under test is
installed as it is when it has the flavour asked for; the other flavour is built first.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent


def run(*command, env=None):
    """Runs a command that must succeed and returns what it printed."""
    print("+", *command, flush=True)
    done = subprocess.run([str(part) for part in command], env=env, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nfailed with exit code {done.returncode}")
    return done.stdout


def refused(reason, *command):
    """Runs a configuration that must be refused with these words."""
    print("+", *command, "(must be refused)", flush=True)
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    words = " ".join(done.stdout.split())  # CMake breaks long lines
    if done.returncode == 0 or reason not in words:
        sys.exit(f"{done.stdout}\nthis must fail and say: {reason}")


def is_flavour(build, flavour):
    """Whether the build tree holds the library in this flavour."""
    return any(build.glob("libstoa.a" if flavour == "static" else "libstoa.so"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flavour", choices=["static", "shared"], required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build tree under test")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a directory of our own")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--pkg-config", default="pkg-config")
    args = parser.parse_args()

    ctest = pathlib.Path(args.cmake).with_name("ctest")
    prefix = args.work / "prefix"
    for stale in ("prefix", "moved", "found", "refused", "nested"):
        shutil.rmtree(args.work / stale, ignore_errors=True)
    args.work.mkdir(parents=True, exist_ok=True)
    common = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={args.compiler}"]

    built = args.build
    if not is_flavour(built, args.flavour):
        built = args.work / "stoa"
        run(args.cmake, "-S", SOURCE, "-B", built, *common, "-DBUILD_TESTING=OFF", "-DSTOA_BUILD_BENCHMARKS=OFF",
            "-DSTOA_BUILD_EXAMPLES=OFF", f"-DBUILD_SHARED_LIBS={'ON' if args.flavour == 'shared' else 'OFF'}")
        if (built / "tests").exists():
            sys.exit("BUILD_TESTING=OFF must leave the tests out")
        run(args.cmake, "--build", built)
    run(args.cmake, "--install", built, "--prefix", prefix)

    # An installed tree can be moved.
    prefix = prefix.rename(args.work / "moved")
    if not any(prefix.rglob("LICENSE")):
        sys.exit("the license is not installed")
    threads = any(prefix.rglob("stoa_parallel.pc"))
    find = [args.cmake, "-S", HERE, *common, f"-DCMAKE_PREFIX_PATH={prefix}"]
    found = args.work / "found"
    run(*find, "-B", found, f"-DSTOA_COMPONENTS={'parallel' if threads else ''}")
    run(args.cmake, "--build", found)
    run(ctest, "--test-dir", found, "--output-on-failure", "--no-tests=error")

    for version in ("0.2", "0.0", "1.0"):
        refused("StoaConfig.cmake, version:", *find, "-B", args.work / "refused" / version, f"-DSTOA_WANTED={version}")
    refused("oneTBB was not found" if threads else "built without oneTBB", *find, "-B", args.work / "refused" / "threads",
            "-DSTOA_COMPONENTS=parallel", "-DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON")
    refused("there is no component 'paralel'; the components are: parallel", *find, "-B", args.work / "refused" / "typo",
            "-DSTOA_COMPONENTS=paralel")

    pc_file = next(prefix.rglob("stoa.pc"))
    env = dict(os.environ, PKG_CONFIG_PATH=str(pc_file.parent), LD_LIBRARY_PATH=str(pc_file.parent.parent))
    programs = {"stoa": "main.cpp", "stoa_parallel": "parallel.cpp"} if threads else {"stoa": "main.cpp"}
    for package, source in programs.items():
        flags = run(args.pkg_config, "--cflags", "--libs", f"{package} >= 0.1", env=env).split()
        by_hand = args.work / f"{package}_by_pkg_config"
        run(args.compiler, "-std=c++20", HERE / source, *flags, "-pthread", "-o", by_hand, env=env)
        run(by_hand, env=env)

    # As a subdirectory Stoa brings its library and nothing else.
    nested = args.work / "nested"
    run(args.cmake, "-S", HERE, "-B", nested, *common, f"-DSTOA_SOURCE={SOURCE}")
    for part in ("tests", "benchmarks", "examples"):
        if (nested / "stoa" / part).exists():
            sys.exit(f"as a subdirectory Stoa must not configure {part}")
    listed = run(ctest, "--test-dir", nested, "--show-only")
    if "Total Tests: 1\n" not in listed:
        sys.exit(f"{listed}\nas a subdirectory Stoa must leave the tests of its user alone")
    print(f"the {args.flavour} package is sound")


if __name__ == "__main__":
    main()
