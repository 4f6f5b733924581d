# SPDX-License-Identifier: BSD-3-Clause
# The library and the program do not meet: no symbol but the public ones is shown, and none of the program's is used.
. "${srcdir:-.}/test/system/lib.sh"

test_the_shared_library_shows_the_public_symbols_and_no_other() {
    "$NM" -D --defined-only "$builddir/libvftrace.so" | awk '{ print $3 }' | LC_ALL=C sort >shown
    diff "$builddir/public_symbols.list" shown || fail "the symbols (>) are not those of the list (<)"
}

test_the_static_library_shows_the_public_symbols_and_no_other() {
    "$NM" -g --defined-only "$builddir/libvftrace.a" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >shown
    # The names below a comment that says so are in the shared library alone; so are all of an OpenMP runtime.
    awk '/^#/ { shared = /shared library only/; next } shared && NF' "$srcdir/src/public_symbols.txt" >shared_only
    grep -vxE 'GOMP_.*|omp_.*' "$builddir/public_symbols.list" | grep -vxFf shared_only | diff - shown ||
        fail "the symbols (>) are not those of the list (<)"
}

test_the_public_functions_of_the_header_are_on_the_list() {
    sed -n 's/^[a-z].*\b\(vftrace_[a-z_]*\)(.*;$/\1/p' "$srcdir"/include/vftrace{,_callbacks}.h | LC_ALL=C sort >declared
    [ -s declared ] || fail "no function found in the headers"
    grep '^vftrace_' "$builddir/public_symbols.list" | diff declared - || fail "header (<) and list (>) differ"
}

test_the_libraries_need_nothing_of_another_cxx_run_time() {
    # Weak ones are asked for, not needed: those of transactional memory.
    for library in "$builddir/libvftrace.so" "$builddir/libvftrace.a"; do
        flags=-u
        [ "${library%.so}" = "$library" ] || flags=-Du
        foreign=$("$NM" $flags "$library" | awk '$1 == "U" { print $2 }' |
            grep -E '^(_Z|_Unwind_|__gxx_|__cxa_|_gfortran_)' | grep -vE '^__cxa_(atexit|at_quick_exit|finalize|thread_atexit_impl)')
        [ -z "$foreign" ] || fail "${library##*/} needs $foreign"
    done
    needed=$(readelf -d "$builddir/libvftrace.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
        grep -vE '^(libcjson|libelf|libpcre2-8|libc|libm|ld-linux[-a-z0-9]*)\.so')
    [ -z "$needed" ] || fail "libvftrace.so needs $needed"
}

# A program whose functions have the names of ours and of our libraries', and end it when they are called.
hostile() {
    build hostile.cpp "$@" <<'END'
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
#define TRAP(name) extern "C" void name() { std::fputs("called: " #name "\n", stderr); _Exit(3); }
#define TRAP_AS(name, symbol) \
    void name() asm(symbol); \
    void name() { std::fputs("called: " symbol "\n", stderr); _Exit(3); }
TRAP(vftr_trap)
TRAP_AS(warn, "_ZN4vftr4base4warnESt17basic_string_viewIcSt11char_traitsIcEES4_S4_S4_S4_")
TRAP_AS(grow, "_ZNSt6vectorIhSaIhEE17_M_default_appendEm")
static bool allowed = true;
static std::size_t own;
void *operator new(std::size_t size)
{
    if (!allowed) {
        std::fputs("called: operator new\n", stderr);
        _Exit(3);
    }
    own++;
    if (void *place = std::malloc(size))
        return place;
    throw std::bad_alloc();
}
void operator delete(void *place) noexcept
{
    if (!allowed) {
        std::fputs("called: operator delete\n", stderr);
        _Exit(3);
    }
    std::free(place);
}
void operator delete(void *place, std::size_t) noexcept { operator delete(place); }
static int fill()
{
    std::vector<int> numbers;
    std::unordered_map<std::string, int> names;
    for (int i = 0; i < 50; i++) {
        numbers.push_back(i);
        names["a rather long name, number " + std::to_string(i)] = i;
    }
    try {
        throw std::runtime_error("thrown through the library's own run time");
    } catch (const std::exception &) {
        return static_cast<int>(numbers.size() + names.size());
    }
}
int main()
{
    int sum = fill();
    std::printf("%d %d\n", sum, own > 100);
    std::fflush(stdout);
    allowed = false;
    return 0;
}
END
}
expect_undisturbed() {
    for linkage in shared archive static; do
        optimise=-O0 hostile
        unset VFTR_CONFIG
        run ./hostile
        expect_status 0
        ! grep -q '^called:' err || fail "$linkage: $(grep '^called:' err)"
        expect_same "$(cat out)" '100 1' "$linkage: output"
        stacks_of hostile_all.log | grep -q '^fill()<main<init' || fail "$linkage: no call stack fill()<main<init"
        stacks_of hostile_all.log | grep -q 'std::vector<int.*push_back.*<fill()<main<init' ||
            fail "$linkage: the instrumented push_back is not in the profile"
        rm -f hostile_all.*
    done
}
test_a_cxx_program_keeps_its_own_allocator_containers_and_exceptions() { with_each_compiler expect_undisturbed; }

test_a_serial_program_loads_neither_mpi_nor_a_cxx_run_time() {
    build plain.c <<'END'
int main(void) { return 0; }
END
    ! ldd plain | grep -E 'libmpi|libopen-|libstdc|libgcc_s|libgfortran' >loaded || fail "it loads $(cat loaded)"
}

# Issue: MemorySanitizer programs die at start.
test_programs_with_the_memory_sanitizer_are_recorded() {
    have clang || skip "no clang"
    config '"sampling": {"active": true}, "filter": {"exclude": {"functions": "never_called"}}'
    cc=clang
    echo 'int main(void) { return 0; }' >empty.c
    clang -fsanitize=memory empty.c -o empty 2>/dev/null || skip "this clang has no MemorySanitizer"
    build prog -fsanitize=memory
    run ./prog 100
    ! grep -q MemorySanitizer err || fail "$(head -5 err)"
    expect_ending 3 50
    expect_silence
    expect_calls prog_all.log leaf 100
}

test_no_static_object_is_destroyed_before_the_last_hook() {
    "$NM" -A "$builddir"/lib{foundation,recorder,analysis,hooks}.a 2>/dev/null | grep __cxa_atexit >destroyed
    [ ! -s destroyed ] || fail "these have static objects with destructors: $(cat destroyed)"
}

# Issue: a larger table of OpenMP tasks in each thread made a thread with a stack of 16 KiB overflow
test_each_thread_gives_little_of_its_stack() {
    local bytes
    bytes=$(readelf -lW "$builddir/libvftrace.so" | awk '$1 == "TLS" { print $6 }')
    [ -n "$bytes" ] || fail "no thread-local storage"
    [ $((bytes)) -le 320 ] || fail "thread-local storage of $((bytes)) bytes"
}

# Issue: analysis for vftr alone and a table of 1.2 MB of zeros were in each program
test_the_library_has_no_code_that_vftr_alone_needs() {
    local object archive
    ! built_in_units || skip "the linker takes a dozen sources together"
    "$NM" --defined-only "$builddir/libvftrace.so" 2>/dev/null | awk '{ print $3 }' | sort -u >in_the_library
    grep -q vftr in_the_library || skip "the library shows no local symbols"
    for object in foundation/schema foundation/manual foundation/explain foundation/event_reader analysis/process_tree \
        analysis/process_tree_text analysis/timeline analysis/wait_states analysis/waits_of analysis/table_waits; do
        archive=lib${object%/*}.a
        "$NM" --defined-only "$builddir/$archive" 2>/dev/null |
            awk -v member="${object#*/}.o:" 'NF == 1 || /:$/ { here = $1 ~ "(^|-)" member "$" } here && $2 == "T" { print $3 }' | sort -u >of_vftr
        [ -s of_vftr ] || fail "$archive has no functions of $object"
        comm -12 in_the_library of_vftr >both
        [ ! -s both ] || fail "the library has $(head -1 both) of $object"
    done
}

test_the_library_has_little_initialised_data() {
    local bytes
    bytes=$(readelf -SW "$builddir/libvftrace.so" | sed -n 's/.* \.data  *PROGBITS  *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p')
    [ -n "$bytes" ] || fail "no .data"
    [ $((0x$bytes)) -le 100000 ] || fail ".data of $((0x$bytes)) bytes"
}

run_tests
