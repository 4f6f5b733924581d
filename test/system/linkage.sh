# SPDX-License-Identifier: BSD-3-Clause
# However a program is linked: static, static-PIE, PIE, non-PIE, stripped, plugins, C++ that instruments its library.
. "${srcdir:-.}/test/system/lib.sh"

program() {
    build linked.c "$@" <<'END'
static int leaf(int n) { return n + 1; }
int exported(int n) { return leaf(n); }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += exported(i);
    return sum != 5050;
}
END
}
expect_linked_log() {
    expect_calls linked_all.log leaf 100
    expect_calls linked_all.log exported 100
    expect_stack linked_all.log 'leaf<exported<main<init'
    rm -f -- *.log *.vfd
}

test_pie_and_non_pie_executables_record() {
    config
    check() {
        for flags in '-fPIE -pie' '-fno-pie -no-pie'; do
            for linkage in shared archive; do
                # shellcheck disable=SC2086
                program $flags
                run_well ./linked
                expect_linked_log
            done
        done
    }
    with_each_compiler check
}

test_static_executables_record() {
    config
    check() {
        linkage=static
        program
        ! ldd linked >/dev/null 2>&1 || fail "not static"
        run_well ./linked
        expect_linked_log
    }
    with_each_compiler check
}

test_static_pie_executables_record() {
    config
    check() {
        linkage=static-pie
        program -fPIE
        run_well ./linked
        expect_linked_log
    }
    with_each_compiler check
}

test_stripped_executables_record_and_name_module_and_offset() {
    config
    for linkage in shared static; do
        program
        cp linked unstripped
        strip linked
        run_well ./linked
        expect_same "$(grouped_counts linked_all.log | grep -cP '^100\tlinked\+0x[0-9a-f]+$')" 2 \
            "functions called 100 times, $linkage"
        ! grep -qi unknown linked_all.log || fail "something is unknown"
        local offset
        offset=$("${NM:-nm}" unstripped | awk '$3 == "leaf" { sub(/^0+/, "", $1); print $1 }')
        grep -q "linked+0x$offset " linked_all.log || fail "leaf is not linked+0x$offset"
        rm -f -- *.log *.vfd
    done
}

test_a_stripped_executable_has_the_names_of_its_dynamic_symbols() {
    config
    program -rdynamic
    strip linked
    run_well ./linked
    expect_calls linked_all.log exported 100
}

test_separate_debug_files_name_the_functions() {
    config
    program
    objcopy --only-keep-debug linked linked.debug
    strip linked
    objcopy --add-gnu-debuglink=linked.debug linked
    run_well ./linked
    expect_linked_log
}

test_a_serial_program_does_not_load_mpi() {
    program
    ! ldd linked | grep -qi 'libmpi' || fail "it does: $(ldd linked)"
}

test_functions_of_a_shared_library_and_of_a_plugin_are_named() {
    config
    build plugin.c -shared -fPIC <<'END'
static int hidden(int n) { return n; }
int plugged(int n) { return hidden(n) + 1; }
END
    build host.c -ldl <<'END'
#include <dlfcn.h>
int main(void)
{
    for (int i = 0; i < 3; i++) {
        void *plugin = dlopen("./plugin", RTLD_NOW);
        int (*plugged)(int) = (int (*)(int))dlsym(plugin, "plugged");
        if (!plugged || plugged(1) != 2)
            return 1;
        dlclose(plugin);
    }
    return 0;
}
END
    run_well ./host
    expect_calls host_all.log plugged 3
    expect_calls host_all.log hidden 3
    expect_stack host_all.log 'hidden<plugged<main<init'
}

# The compiler's hooks of such a plugin are the C library's, which stands before and does nothing in them; what is called by a name of ours comes here.
test_the_library_can_be_dlopened_by_a_plugin() {
    config
    build plugin.c -shared -fPIC <<'END'
#include <vftrace.h>
int plugged(int n)
{
    vftrace_region_begin("plugged in");
    vftrace_region_end("plugged in");
    return n + 1;
}
END
    instrument= linkage=none build late.c -ldl <<'END'
#include <dlfcn.h>
int main(void)
{
    void *plugin = dlopen("./plugin", RTLD_NOW);
    int (*plugged)(int) = plugin ? (int (*)(int))dlsym(plugin, "plugged") : 0;
    return !plugged || plugged(1) != 2;
}
END
    run_well ./late
    expect_calls late_all.log 'plugged in' 1
}

test_two_static_functions_of_one_name_are_two_rows() {
    config
    printf 'static void same(void) {}\nvoid call_one(void) { same(); }\n' >one.c
    $cc -c -g -finstrument-functions one.c
    build two.c one.o <<'END'
void call_one(void);
static void same(void) {}
static void apply(void (*f)(void)) { f(); }
int main(void)
{
    call_one();
    for (int i = 0; i < 4; i++)
        same();
    apply(same);
    return 0;
}
END
    run_well ./two
    expect_calls two_all.log "same (one.c)" 1
    expect_calls two_all.log "same (two.c)" 5
}

# The program's own instrumented templates are weak symbols of the same names as those that a C++ runtime uses.
# clang leaves the address of functions that are always inlined undefined unless it instruments after inlining.
cxx_program() {
    local flags=
    [ "$cxx" != clang++ ] || flags=-finstrument-functions-after-inlining
    build templates.cpp -std=c++17 $flags <<'END'
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
template <typename T> struct Box {
    T value;
    T get() const { return value; }
};
static long fill(std::vector<int> &v, std::unordered_map<std::string, int> &m)
{
    long sum = 0;
    for (int i = 0; i < 300; i++) {
        v.push_back(i);
        m[std::to_string(i % 37)] += i;
        sum += Box<int>{i}.get();
    }
    return sum;
}
int main()
{
    std::vector<int> v;
    std::unordered_map<std::string, int> m;
    std::map<std::string, std::vector<std::string>> t;
    long sum = fill(v, m);
    for (auto &[key, value] : m)
        t[key.substr(0, 1)].push_back(key + "=" + std::to_string(value));
    std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
    auto p = std::make_shared<std::string>("text");
    std::printf("%ld %zu %zu %d %s\n", sum, m.size(), t.size(), v[0], p->c_str());
}
END
}

test_instrumented_standard_library_templates_have_exact_counts() {
    config '"demangle_cxx": false'
    local build_kind
    check() {
        for build_kind in shared:-O0 static:-O0 archive:-O0 shared:-O2; do
            linkage=${build_kind%:*} optimise=${build_kind#*:}
            cxx_program
            run_well ./templates
            expect_same "$(cat out)" "44850 37 10 299 text" "output, $cxx $build_kind"
            cp templates_all.log ours.log
            # Hooks that stand in the executable itself cannot be replaced: count in the same program without them.
            # The names of a static program were written by a run with the default configuration.
            [ "$linkage" != static ] || nm_flags=-C
            [ "$linkage" = shared ] || linkage=none cxx_program
            run_counted ./templates
            expect_same_counts ours.log counts templates
            nm_flags=
        done
    }
    with_each_compiler check
}

test_cxx_functions_are_demangled_in_full() {
    config
    cxx_program
    run_well ./templates
    grep -q 'Box<int>::get() const' templates_all.log || fail "Box<int>::get() const is not named"
    ! grounds=$(grep -o '_ZN[0-9A-Za-z_]*' templates_all.log | head -3) || [ -z "$grounds" ] || fail "mangled names: $grounds"
}

run_tests
