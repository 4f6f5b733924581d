# SPDX-License-Identifier: BSD-3-Clause
# Functions of one name in different objects, the program and its libraries, are different functions.
. "${srcdir:-.}/test/system/lib.sh"

# library FILE N [FLAGS…]: a plugin with a static init, which it calls N times, and a plugin_run that others see.
library() {
    local file=$1 n=$2
    shift 2
    mkdir -p "$(dirname "$file")"
    cat >plugin.c <<END
static int init(int n) { return n + $n; }
int plugin_run(int n)
{
    for (int i = 0; i < $n; i++)
        n = init(n);
    return n;
}
END
    $cc -g -O0 -finstrument-functions -shared -fPIC -Wl,--build-id "$@" plugin.c -o "$file" || fail "cannot build $file"
}

# Calls plugin_run of each object that is named, in turn; behind a minus it is closed before the next one is loaded.
host() {
    build host.c -ldl "$@" <<'END'
#include <dlfcn.h>
static int init(int n) { return n + 1; }
int main(int argc, char **argv)
{
    int n = init(argc);
    for (int i = 1; i < argc; i++) {
        int closed = argv[i][0] == '-';
        void *plugin = dlopen(argv[i] + closed, RTLD_NOW | RTLD_LOCAL);
        int (*run)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugin_run") : 0;
        if (!run)
            return 1;
        n = run(n);
        if (closed && dlclose(plugin) != 0)
            return 1;
    }
    return n == 0;
}
END
}

expect_plugins() { # LOG
    expect_calls "$1" "init (liba.so)" 3
    expect_calls "$1" "init (libb.so)" 7
    expect_calls "$1" init 2 # the program's, and the root
    expect_calls "$1" "plugin_run (liba.so)" 1
    expect_calls "$1" "plugin_run (libb.so)" 1
    expect_stack "$1" "init (liba.so)<plugin_run (liba.so)<main<init"
    expect_stack "$1" "init (libb.so)<plugin_run (libb.so)<main<init"
    expect_stack "$1" "init<main<init"
}

# Issue: functions of two plugins, and of the program, that have one name are one row, and one call path where they have one caller.
test_functions_of_two_plugins_are_told_apart_by_their_objects() {
    check() {
        library ./liba.so 3
        library ./libb.so 7
        for linkage in shared archive; do
            host -rdynamic
            for options in '' '"sampling": {"active": true}'; do
                for plugins in './liba.so ./libb.so' '-./liba.so ./libb.so' '-./liba.so -./libb.so'; do
                    rm -rf -- *.vfd *.log vftrace_symbols
                    config "$options"
                    # shellcheck disable=SC2086
                    run_well ./host $plugins
                    expect_plugins host_all.log
                    report host_all.vfd
                    expect_plugins report
                    [ -n "$options" ] || continue
                    "$vftr" dump host_0.vfd >dump || fail "vftr dump"
                    grep -q ': init (libb.so)<plugin_run (libb.so)<main<init' dump || fail "the dump has $(grep init dump)"
                    # By the store, without the objects.
                    mkdir away && mv liba.so libb.so host away
                    report host_0.vfd
                    mv away/* . && rmdir away
                    expect_plugins report
                done
            done
        done
    }
    with_each_compiler check
}

# Where names do not need them there are no objects.
test_a_name_that_one_object_has_stays_bare() {
    config
    library ./liba.so 3
    host
    run_well ./host ./liba.so
    expect_calls host_all.log plugin_run 1
    expect_calls host_all.log "init (liba.so)" 3
    expect_stack host_all.log "init (liba.so)<plugin_run<main<init"
}

# What each process called does not decide what a function is, so any processes can be merged in any order.
test_processes_with_different_plugins_are_merged() {
    config '"sampling": {"active": true}'
    library ./liba.so 3
    library ./libb.so 7
    host
    run_well ./host ./liba.so
    mv host_0.vfd a.vfd
    run_well ./host ./libb.so
    mv host_0.vfd b.vfd
    run_well ./host ./libb.so ./liba.so
    mv host_0.vfd both.vfd
    for files in 'a.vfd b.vfd both.vfd' 'both.vfd b.vfd a.vfd'; do
        # shellcheck disable=SC2086
        report $files
        expect_calls report "init (liba.so)" 6
        expect_calls report "init (libb.so)" 14
        expect_calls report "plugin_run (libb.so)" 2
    done
}

# Files of one name have the first digits of their build-ids.
test_libraries_of_one_file_name_are_told_apart() {
    config
    library a/plugin.so 3
    library b/plugin.so 7
    library c/plugin.so 7
    cmp -s b/plugin.so c/plugin.so || fail "the same source made another library"
    host
    run_well ./host a/plugin.so b/plugin.so
    expect_same "$(grouped_counts host_all.log | sed -n 's/\tinit (plugin.so{[0-9a-f]\{8\}})$//p' | sort | paste -sd' ')" "3 7" "calls of init"
    # One library in two folders is one.
    run_well ./host b/plugin.so c/plugin.so
    expect_calls host_all.log "init (plugin.so)" 14
    expect_calls host_all.log plugin_run 2
}

# An inline function of C++ is in each object that calls it, and yet it is one.
test_inline_functions_and_templates_are_one() {
    config
    check() {
        for visibility in default -fvisibility-inlines-hidden; do
            cat >inline.hpp <<'END'
inline int twice(int n) { return 2 * n; }
template <class T> T half(T n) { return n / 2; }
struct Counter { int next(int n) { return n + 1; } };
END
            for name in one two; do
                printf '#include "inline.hpp"\nstatic int own(int n) { return n; }\nint %s(int n) { return own(twice(half(Counter().next(n)))); }\n' $name >$name.cpp
                $cxx -g -O0 -finstrument-functions -shared -fPIC ${visibility/default/} $name.cpp -o lib$name.so || fail "cannot build"
            done
            printf '#include "inline.hpp"\nint one(int), two(int);\nint main() { return one(two(0)) * twice(Counter().next(0)) * 0; }\n' >inlines.cpp
            # shellcheck disable=SC2046
            $cxx -g -O0 -finstrument-functions inlines.cpp -o inlines -L. -lone -ltwo -Wl,-rpath,"$PWD" $(link_flags) || fail "cannot build"
            run_well ./inlines
            expect_calls inlines_all.log 'twice(int)' 3
            expect_calls inlines_all.log 'int half<int>(int)' 2
            expect_calls inlines_all.log 'Counter::next(int)' 3
            expect_calls inlines_all.log 'own(int) (libone.so)' 1
            expect_calls inlines_all.log 'own(int) (libtwo.so)' 1
        done
    }
    with_each_compiler check
}

# A library's own function that the program has, too, is one where the dynamic linker makes one of both.
test_a_function_that_is_bound_to_one_definition_is_one() {
    config
    linkage=none build libown.c -shared -fPIC <<<'int shared(int n) { return n; } int own(int n) { return shared(n); }'
    mv libown libown.so
    build bound.c -rdynamic -L. -lown -Wl,-rpath,"$PWD" <<<'int own(int); int shared(int n) { return n + 1; } int main(void) { return own(shared(-2)); }'
    run_well ./bound
    expect_calls bound_all.log shared 2
}

# Static functions of one file that is in several objects, and of others in these.
test_files_and_objects_tell_functions_apart() {
    config
    check() {
        for file in a b; do
            printf 'static int init(int n) { return n; }\nint MAKE(%s)(int n) { return init(n); }\n' $file >$file.c
        done
        for object in x y; do
            $cc -O0 -finstrument-functions -shared -fPIC "-DMAKE(n)=${object}_##n" a.c b.c -o lib$object.so || fail "cannot build"
        done
        build four.c -L. -lx -ly -Wl,-rpath,"$PWD" <<<'int x_a(int), x_b(int), y_a(int), y_b(int); int main(void) { return x_a(x_b(y_a(y_b(y_b(0))))); }'
        run_well ./four
        expect_calls four_all.log 'init (a.c, libx.so)' 1
        expect_calls four_all.log 'init (b.c, liby.so)' 2
        config '"filter": {"exclude": {"functions": "^init \\(a\\.c, libx\\.so\\)$"}}'
        run_well ./four
        expect_calls four_all.log 'init (a.c)' 1
        expect_calls four_all.log 'init (a.c, libx.so)' 0
        config
    }
    with_each_compiler check
}

# A filter knows them by their name, which means all of them, and by what tables show, which means one.
test_filters_match_what_tables_show() {
    library ./liba.so 3
    library ./libb.so 7
    host
    config '"filter": {"exclude": {"functions": "^plugin_run$"}}'
    run_well ./host ./liba.so ./libb.so
    expect_calls host_all.log plugin_run 0
    expect_calls host_all.log "plugin_run (liba.so)" 0
    expect_calls host_all.log "init (libb.so)" 7
    config '"filter": {"exclude": {"functions": "^init \\(liba\\.so\\)$"}}'
    run_well ./host ./liba.so ./libb.so
    expect_calls host_all.log "init (liba.so)" 0
    expect_calls host_all.log "init (libb.so)" 7
    expect_stack host_all.log "init<main<init"
    library a/plugin.so 3
    library b/plugin.so 7
    config
    run_well ./host a/plugin.so b/plugin.so
    local shown
    shown=$(grouped_counts host_all.log | sed -n 's/^3\t\(init (.*)\)$/\1/p')
    config '"filter": {"exclude": {"functions": "^'"$(sed 's/[(){}.]/\\\\&/g' <<<"$shown")"'$"}}'
    run_well ./host a/plugin.so b/plugin.so
    expect_same "$(grouped_counts host_all.log | sed -n 's/\tinit (.*)$//p')" 7 "calls of init"
}

# Issue: regions of OpenMP in functions of one name that begin at lines of one number are one region.
test_constructs_of_one_function_and_line_are_told_apart_by_their_files() {
    . "$srcdir/test/system/openmp/openmp.sh"
    needs LIBDW
    case $("$cc" --version) in *clang*) skip "the compiler's OpenMP is another one" ;; esac
    config '"sampling": {"active": true}'
    local name log flags
    mkdir -p x y
    for name in one two x/same y/same; do
        printf 'static int init(int n)\n{\n    int sum = 0;\n#pragma omp parallel num_threads(2) reduction(+ : sum)\n    sum += n;\n    return sum;\n}\nint %s(int n) { return init(n); }\n' \
            ${name/\//_} >$name.c
    done
    echo 'int one(int), two(int), x_same(int), y_same(int); int main(void) { return one(two(two(x_same(y_same(0))))); }' >regions.c
    for flags in -O0 -O2; do
        # shellcheck disable=SC2046,SC2086
        $cc -g $flags -fopenmp -finstrument-functions one.c two.c x/same.c y/same.c regions.c -o regions $(link_flags) || fail "cannot build"
        run_well ./regions
        report regions_0.vfd
        for log in regions_all.log report; do
            expect_calls $log 'omp parallel init:4 (one.c)' 1
            expect_calls $log 'omp parallel init:4 (two.c)' 2
            expect_calls $log 'omp parallel init:4 (x/same.c)' 1
            expect_calls $log 'omp parallel init:4 (y/same.c)' 1
        done
    done
}

run_tests
