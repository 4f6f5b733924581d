# SPDX-License-Identifier: BSD-3-Clause
#
# What ./quickstart and ./check share; bash, to be sourced in the project's folder.

export LC_ALL=C # in Turkish, the capital of i is another letter
jobs=$(nproc 2>/dev/null || echo 2)
started=$SECONDS

step() { printf '== %s (%d:%02d)\n' "$*" $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60)); }

give_up() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# install_packages KIND…: what of .ci/packages is missing here. Nothing is asked for where nothing is missing.
install_packages() {
    local kind package missing=()
    while read -r kind package; do
        case " $* " in *" $kind "*) ;; *) continue ;; esac
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done <.ci/packages
    [ ${#missing[@]} != 0 ] || return 0
    command -v apt-get >/dev/null || give_up "please install the equivalents of these Debian packages: ${missing[*]}"
    [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || give_up "please install (as root): apt-get install ${missing[*]}"
    step "installing ${missing[*]}"
    mkdir -p build
    { as_root apt-get -qq update && as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install -y --no-install-recommends "${missing[@]}"; } >build/install.log 2>&1 </dev/null ||
        { tail -5 build/install.log; give_up "cannot install ${missing[*]} (build/install.log)"; }
}

# make_configure: where there is none, or one of older sources, which would not know a new option.
make_configure() {
    [ ! -e configure ] || [ -n "$(find configure.ac m4 -newer configure -print -quit)" ] || return 0
    step "making configure"
    mkdir -p build
    autoreconf -fi >build/autoreconf.log 2>&1 || { tail -5 build/autoreconf.log; give_up "autoreconf failed"; }
}

# quietly LOG COMMAND…: the command's output goes to LOG; its end is shown where the command fails.
quietly() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 </dev/null || { tail -15 "$log"; return 1; }
}

# configure_tree DIR [CONFIGURE ARGUMENTS]: configures DIR if it is not configured so yet.
configure_tree() {
    local dir=$1 source=$PWD
    shift
    mkdir -p "$dir"
    if [ ! -e "$dir/Makefile" ] || [ "$*" != "$(cat "$dir/configured.with" 2>/dev/null)" ]; then
        (cd "$dir" && quietly configure.log "$source/configure" "$@") || return 1
        printf '%s' "$*" >"$dir/configured.with"
    fi
}

# build_tree DIR [CONFIGURE ARGUMENTS]: and makes it, with the further arguments of make in `make_arguments`.
build_tree() {
    # shellcheck disable=SC2086
    configure_tree "$@" && (cd "$1" && quietly make.log make -j"$jobs" ${make_arguments-})
}

# Where mpirun may run more ranks than there are cores, and as root where we are.
mpirun_two() {
    local flags=(--oversubscribe -n 2)
    [ "$(id -u)" != 0 ] || flags+=(--allow-run-as-root)
    mpirun "${flags[@]}" "$@"
}
