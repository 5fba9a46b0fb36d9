# What the root commands share: a word to the user, and the Debian packages a command needs. Sourced by ./run, ./test
# and ./bench, after they have changed to the project's root.

say() { printf '\n== %s\n' "$*"; }

# answer_help <source> <argument>...: when one of the arguments asks for help, prints what the program would say and ends. The
# text is taken out of the source that defines it, so that nobody waits for a build.
answer_help() {
    local argument
    for argument in "${@:2}"; do
        [[ $argument == --help || $argument == -h ]] || continue
        sed -n '/R"(/,/^)"/{s/.*R"(//;/^)"/!p}' "$1"
        exit 0
    done
}

# need <package>...: installs those that are missing. Elsewhere than on Debian it trusts the user.
need() {
    command -v dpkg-query > /dev/null || return 0
    local package missing=()
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    say "installing ${missing[*]}"
    local root=()
    ((EUID == 0)) || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# build <preset> [target] [-DOPTION=VALUE]...: configures and builds a preset, on all cores. The configuration is shown
# only when it fails.
build() {
    local preset=$1 target=${2:-all} log=build/$1.configure.log
    mkdir -p build
    if ! cmake --preset "$preset" "${@:3}" > "$log" 2>&1; then
        cat "$log"
        return 1
    fi
    cmake --build --preset "$preset" --parallel "$(nproc)" --target "$target"
}
