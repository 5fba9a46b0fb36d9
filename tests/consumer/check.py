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


def refused(version, *command):
    """Runs a configuration that must be refused because of the version it asks for."""
    print("+", *command, "(must be refused)", flush=True)
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 0 or "StoaConfig.cmake, version:" not in done.stdout:
        sys.exit(f"{done.stdout}\nasking for Stoa {version} must fail because of the version")


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

    prefix = args.work / "prefix"
    for stale in ("prefix", "moved", "found", "refused", "nested"):
        shutil.rmtree(args.work / stale, ignore_errors=True)
    args.work.mkdir(parents=True, exist_ok=True)
    common = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER={args.compiler}"]

    built = args.build
    if not is_flavour(built, args.flavour):
        built = args.work / "stoa"
        run(args.cmake, "-S", SOURCE, "-B", built, *common, "-DSTOA_BUILD_TESTS=OFF", "-DSTOA_BUILD_BENCHMARKS=OFF",
            "-DSTOA_BUILD_EXAMPLES=OFF", f"-DBUILD_SHARED_LIBS={'ON' if args.flavour == 'shared' else 'OFF'}")
        run(args.cmake, "--build", built)
    run(args.cmake, "--install", built, "--prefix", prefix)

    # An installed tree can be moved.
    prefix = prefix.rename(args.work / "moved")
    found = args.work / "found"
    run(args.cmake, "-S", HERE, "-B", found, *common, f"-DCMAKE_PREFIX_PATH={prefix}")
    run(args.cmake, "--build", found)
    run(found / "consumer")

    for version in ("0.2", "0.0", "1.0"):
        refused(version, args.cmake, "-S", HERE, "-B", args.work / "refused" / version, *common,
                f"-DCMAKE_PREFIX_PATH={prefix}", f"-DSTOA_WANTED={version}")

    pc_file = next(prefix.rglob("stoa.pc"))
    env = dict(os.environ, PKG_CONFIG_PATH=str(pc_file.parent), LD_LIBRARY_PATH=str(pc_file.parent.parent))
    flags = run(args.pkg_config, "--cflags", "--libs", "stoa >= 0.1", env=env).split()
    by_hand = args.work / "by_pkg_config"
    run(args.compiler, "-std=c++20", HERE / "main.cpp", *flags, "-o", by_hand, env=env)
    run(by_hand, env=env)

    # As a subdirectory Stoa brings its library and nothing else.
    nested = args.work / "nested"
    run(args.cmake, "-S", HERE, "-B", nested, *common, f"-DSTOA_SOURCE={SOURCE}")
    for part in ("tests", "benchmarks", "examples"):
        if (nested / "stoa" / part).exists():
            sys.exit(f"as a subdirectory Stoa must not configure {part}")
    print(f"the {args.flavour} package is sound")


if __name__ == "__main__":
    main()
