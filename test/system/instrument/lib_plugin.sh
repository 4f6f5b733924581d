# SPDX-License-Identifier: BSD-3-Clause
#
# For tests of the plugins of gcc and clang; bash, sourced after lib.sh. A script begins with plugin_of gcc or plugin_of clang.
# shellcheck shell=bash disable=SC2154

# Sets what differs: the compilers, the plugin, what the flags are, and which levels of optimisation leave each function as it is written.
plugin_of() {
    plugin_cc=$1 plugin_cxx=${1/gcc/g++} plugin_cxx=${plugin_cxx/clang/clang++}
    if [ "$1" = gcc ]; then
        plugin=$builddir/vftrace.so
        plugin_hooks="-finstrument-functions -fplugin=$plugin"
        option_prefix=-fplugin-arg-vftrace-gcc-
        debug=
        unoptimised=(-O0 -Og) other_levels=('-O2 -g' '-O3 -march=native')
        # Without optimisation, variables that nobody uses have a place on the stack.
        levels_of_same_code=(-Og -O1 -O2 -O3 -Os) levels=(-O0 -Og -O1 -O2 -O3 -Os '-O2 -flto')
        profile_use=-fprofile-use
    else
        plugin=$builddir/vftrace_clang.so
        plugin_hooks="-finstrument-functions-after-inlining -fpass-plugin=$plugin"
        option_prefix="-mllvm -vftrace="
        debug=-g # which functions were inlined tell the lines of debug information
        unoptimised=(-O0) other_levels=(-Og -Oz '-O2 -gsplit-dwarf')
        levels_of_same_code=(-O0 -O1 -O3 -Os) levels=(-O0 -O1 -O2 -O3 -Os)
        profile_use=-fprofile-use=guided.profdata
    fi
}
plugin_of gcc

needs_plugin() {
    [ -e "$plugin" ] || skip "built without $plugin_cc's plugin"
    have "$plugin_cc" && have "$plugin_cxx" || skip "no $plugin_cc"
}

# What takes long is tested with the plugins as gcc builds them. That they work as another compiler builds them, the other tests see.
where_gcc_is_tested() { [[ " ${COMPILERS-gcc clang} " == *" gcc "* ]] || skip "the compilers of this build are $COMPILERS"; }

# flags_with [NAME=VALUE…]: of the compiler, with these options of the plugin.
flags_with() {
    local option flags=$plugin_hooks
    [ $# = 0 ] || [ "$plugin_cc" = gcc ] || flags+=" -fplugin=$plugin" # so that it is there when the options are read
    for option; do flags+=" $option_prefix$option"; done
    echo "$flags"
}

# with_plugin [NAME=VALUE…]: what build compiles with from now on.
with_plugin() {
    cc=$plugin_cc cxx=$plugin_cxx instrument=$(flags_with "$@")
}

# compile SOURCE [FLAG…] [NAME=VALUE…]: writes stdin to it and compiles it with the plugin and these options of it to file.o, with its report in `decisions`.
compile() {
    local source=$1 compiler=$plugin_cc flags=() options=() word
    shift
    case $source in *.cpp) compiler=$plugin_cxx ;; *.f90) compiler=${FC:-gfortran} ;; esac
    for word; do
        case $word in -*) flags+=("$word") ;; *) options+=("$word") ;; esac
    done
    rm -f decisions
    cat >"$source"
    # shellcheck disable=SC2046,SC2086
    $compiler $debug $(flags_with report=decisions "${options[@]}") "${flags[@]}" -c -o file.o "$source" 2>compile.err || fail "$compiler $*: $(cat compile.err)"
    [ ! -s compile.err ] || fail "$compiler $* says: $(cat compile.err)"
    hooks_in file.o >hooks
}

# make_profile: runs file.o, which was compiled with -fprofile-generate, for $profile_use.
make_profile() {
    local profdata=
    if [ "$plugin_cc" = clang ]; then
        profdata=$(clang -print-prog-name=llvm-profdata)
        have "$profdata" || skip "no llvm-profdata"
        echo 'int main(void) { return 0; }' | clang -fprofile-generate -x c - -o profiled 2>/dev/null || skip "clang has no library for profiles"
    fi
    $plugin_cc -fprofile-generate file.o -o guided && LLVM_PROFILE_FILE=guided.profraw ./guided >/dev/null || fail "no profile"
    [ -z "$profdata" ] || "$profdata" merge guided.profraw -o guided.profdata || fail "llvm-profdata"
}

# Sets what a program with OpenMP is linked with. clang's own version may have no runtime here, and a later one's does as well.
needs_openmp() {
    local folder
    for folder in '' /usr/lib/llvm-*/lib; do
        openmp=(-fopenmp ${folder:+-L"$folder"})
        ! echo 'int main(void) { return 0; }' | $plugin_cc "${openmp[@]}" -x c - -o probe 2>/dev/null || return 0
    done
    skip "$plugin_cc has no runtime of OpenMP"
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
