#!/usr/bin/env bash
# gcov with mangled names, for gcovr: version 5.2 gives up when two functions of a file have the same name, and in the readable
# form overloads that take lambdas do. Called by ./test --coverage.
arguments=()
for argument in "$@"; do
    [[ $argument == --demangled-names ]] || arguments+=("$argument")
done
exec gcov "${arguments[@]}"
