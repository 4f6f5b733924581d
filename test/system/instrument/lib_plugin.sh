# SPDX-License-Identifier: BSD-3-Clause
#
# For tests of gcc's plugin; bash, sourced after lib.sh.
# shellcheck shell=bash disable=SC2154

plugin=$builddir/vftrace.so
needs_plugin() {
    [ -e "$plugin" ] || skip "built without gcc's plugin"
    have gcc && have g++ || skip "no gcc"
}

# with_plugin [NAME=VALUE…]: what build compiles with from now on: gcc and the plugin with these options.
with_plugin() {
    local option
    cc=gcc cxx=g++ instrument="-finstrument-functions -fplugin=$plugin"
    for option; do instrument+=" -fplugin-arg-vftrace-gcc-$option"; done
}

# compile SOURCE FLAGS…: writes stdin to it and compiles it with the plugin to file.o, with its report in `decisions`.
compile() {
    local source=$1 compiler=gcc
    shift
    case $source in *.cpp) compiler=g++ ;; *.f90) compiler=${FC:-gfortran} ;; esac
    rm -f decisions
    cat >"$source"
    $compiler -finstrument-functions -fplugin="$plugin" -fplugin-arg-vftrace-gcc-report=decisions "$@" -c -o file.o "$source" 2>compile.err ||
        fail "$compiler $*: $(cat compile.err)"
    [ ! -s compile.err ] || fail "$compiler $* says: $(cat compile.err)"
    hooks_in file.o >hooks
}

# hooks_in OBJECT: lines "FUNCTION ENTER EXIT": how many calls of each hook the function has; none for those without.
hooks_in() {
    objdump -dr --no-show-raw-insn "$1" | awk '
        /^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3) }
        /__cyg_profile_func_enter/ { enter[name]++; seen[name] }
        /__cyg_profile_func_exit/ { leave[name]++; seen[name] }
        END { for (name in seen) print name, enter[name] + 0, leave[name] + 0 }' | sort
}

# expect_decision HOOKS FUNCTION WHY: in the report.
expect_decision() {
    awk -F'\t' -v hooks="$1" -v name="$2" -v why="$3" '$1 == hooks && $2 == name && $7 ~ why { found = 1 } END { exit !found }' decisions ||
        fail "no decision '$1' about $2 ($3) in: $(cat decisions)"
}
expect_hooks() { grep -q "^$1 [1-9]" hooks || fail "$1 has no hooks; with hooks: $(cat hooks)"; }
expect_no_hooks() { ! grep -q "^$1 " hooks || fail "$1 has hooks: $(cat hooks)"; }
