# SPDX-License-Identifier: BSD-3-Clause
# Regions that end with their scope: vftrace.hpp, the macros of vftrace_macros.h, and type(vftrace_region) in Fortran.
. "${srcdir:-.}/test/system/lib.sh"

strict="-Wall -Wextra -Wshadow -Wconversion -pedantic -Werror"

# Nothing of the headers is an entry of the profile but the regions themselves and the pause.
expect_only_what_was_named() {
    ! grouped_counts "$1" | cut -f2 | grep -i vftrace | grep -vx vftrace_pause >ours || fail "in the profile: $(head -3 ours)"
}

# Issue: header-only RAII region, documented with tested examples.
test_the_cxx_example_shows_its_regions_and_is_the_same_without_them() {
    config
    check() {
        build regions $strict -std=c++11
        run_well ./regions
        cp out with
        expect_calls regions_all.log sweep 932
        expect_calls regions_all.log report 3
        expect_calls regions_all.log vftrace_pause 3
        for size in 8 16 32; do expect_calls regions_all.log "level $size" 1; done
        expect_stack regions_all.log 'sweep<level 16<(anonymous namespace)::level(unsigned long)<main<init'
        stacks_of regions_all.log | grep -q '^(anonymous namespace)::relax(.*)<sweep<level 8<' || fail "relax is not below sweep"
        expect_stack regions_all.log 'the end<main<init'
        expect_only_what_was_named regions_all.log
        linkage=none instrument='' build regions $strict -std=c++11 -DVFTRACE_DISABLE
        run ./regions
        expect_status 0
        diff <(sed 's/^\(call path: \).*/\1/' with) out || fail "the output is another one without vftrace"
        expect_same "$(sed -n 's/^call path: //p' with)" 'the end<main<init' "the call path"
    }
    cp "$srcdir/examples/regions.cpp" .
    optimise=-O0 with_each_compiler check
    optimise=-O2 with_each_compiler check
    linkage=static check
}

# Issue: Fortran module with generic interfaces, documented with tested examples.
test_the_fortran_example_shows_its_regions() {
    [ -n "${FC:-}" ] && [ -e "$builddir/vftrace.mod" ] || skip "built without Fortran"
    config
    cp "$srcdir/examples/regions.f90" regions.F90
    for optimise in -O0 -O2; do
        build regions -Wall -Wextra -Werror
        run_well ./regions
        expect_same "$(cat out)" "the tenth prime is 29
the second prime beyond 1000 is 1013
found in second<MAIN<main<init" output
        expect_calls regions_all.log 'next prime' 12
        expect_calls regions_all.log first 1
        expect_calls regions_all.log second 1
        expect_stack regions_all.log 'next prime<search::next_prime<ten primes<MAIN<main<init'
        expect_stack regions_all.log 'next prime<search::next_prime<first<MAIN<main<init'
        expect_only_what_was_named regions_all.log
    done
}

test_regions_end_with_their_objects() {
    config
    check() {
        build objects.cpp $strict -std="$1" <<'END'
#include <vftrace.hpp>
#include <stdexcept>
#include <thread>
#include <type_traits>
static void leaf() {}
static vftrace::region handed_out()
{
    vftrace::region made{"handed out"};
    return made;
}
static void work()
{
    {
        vftrace::region once{"ended"};
        once.end();
        leaf();
        once.end();
    }
    {
        vftrace::region there = handed_out();
        leaf();
        vftrace::region moved{static_cast<vftrace::region &&>(there)};
        there.end();
        leaf();
    }
    {
        vftrace::region copied{std::string("a name that is gone before the region ends")};
        std::string name("changed");
        vftrace::region second{name};
        name = "something else that takes the place of the name";
        leaf();
    }
    {
        vftrace::region nothing{static_cast<const char *>(nullptr)};
    }
#if __cplusplus >= 201703L
    {
        vftrace::region view{std::string_view("a part of it").substr(2, 4)};
        leaf();
    }
#endif
    try {
        vftrace::region outer{"outer"};
        VFTRACE_REGION("thrown through");
        throw std::runtime_error("");
    } catch (const std::exception &) {
        leaf();
    }
    {
        vftrace::pause_guard quiet;
        leaf();
    }
}
static_assert(!std::is_copy_constructible<vftrace::region>::value && !std::is_copy_assignable<vftrace::region>::value, "");
static_assert(!std::is_move_assignable<vftrace::region>::value && !std::is_copy_constructible<vftrace::pause_guard>::value, "");
int main()
{
    for (int i = 0; i < 5; i++)
        work();
    std::thread other([] {
        vftrace::region own{"of a thread"};
        leaf();
    });
    other.join();
    return vftrace::call_path() == "main<init" ? 0 : 1;
}
END
        run_well ./objects
        expect_calls objects_all.log ended 5
        expect_stack objects_all.log 'leaf()<work()<main<init'
        expect_calls objects_all.log 'handed out' 5
        expect_stack objects_all.log 'leaf()<handed out<work()<main<init'
        expect_no_stack objects_all.log '^leaf.*handed out.*handed out'
        expect_calls objects_all.log 'a name that is gone before the region ends' 5
        stacks_of objects_all.log | grep -q '^leaf()<changed<a name that is gone' || fail "no leaf in the region of a changed name"
        [ "$1" = c++11 ] || expect_calls objects_all.log part 5
        expect_calls objects_all.log outer 5
        expect_calls objects_all.log 'thrown through' 5
        expect_no_stack objects_all.log 'leaf.*<outer'
        expect_calls objects_all.log vftrace_pause 5
        expect_calls objects_all.log 'of a thread' 1
        expect_only_what_was_named objects_all.log
    }
    with_each_compiler check c++11
    cc=gcc cxx=g++ optimise=-O2 check c++17 # not with clang 14, which leaves functions of this std::string undefined when it instruments
}

test_macro_regions_in_c_end_however_the_block_is_left() {
    config
    check() {
        build blocks.c $strict -std=c99 <<'END'
#include <vftrace_macros.h>
static void leaf(void) {}
static int early(int n)
{
    VFTRACE_FUNCTION();
    VFTRACE_REGION("early return");
    if (n % 2)
        return 1;
    leaf();
    return 0;
}
int main(void)
{
    int odd = 0;
    for (int i = 0; i < 10; i++) {
        VFTRACE_REGION("turn");
        odd += early(i);
        if (i == 3)
            continue;
        if (i == 8)
            goto out;
        {
            VFTRACE_REGION("inner");
            leaf();
        }
    }
out:
    leaf();
    const char *name = odd ? "from" : "never";
    VFTRACE_REGION_BEGIN(name);
    leaf();
    VFTRACE_REGION_END(name);
    VFTRACE_PAUSE();
    leaf();
    VFTRACE_RESUME();
    return 0;
}
END
        run_well ./blocks
        expect_calls blocks_all.log turn 9
        expect_calls blocks_all.log inner 7
        expect_calls blocks_all.log 'early return' 9
        expect_calls blocks_all.log early 18 # the function, and the region of its name
        expect_calls blocks_all.log from 1
        expect_calls blocks_all.log leaf 14
        expect_stack blocks_all.log 'leaf<early return<early<early<turn<main<init'
        expect_stack blocks_all.log 'leaf<main<init'
        expect_only_what_was_named blocks_all.log
    }
    with_each_compiler check
    optimise=-O2 with_each_compiler check
}

# Issue: macro form that compiles to nothing without us.
# folders_without_vftrace COMPILER LANGUAGE: flags that leave the compiler those of its folders for headers in which no vftrace is installed.
folders_without_vftrace() {
    printf -- '-nostdinc '
    [ "$2" = c ] || printf -- '-nostdinc++ '
    LC_ALL=C $1 -E -v -x "$2" /dev/null 2>&1 >preprocessed | sed -n '/^#include <.*starts here/,/^End of search list/s/^ //p' | while read -r folder; do
        [ -e "$folder/vftrace.h" ] || printf -- '-isystem %s ' "$folder"
    done
}

# Issue: a vftrace that is installed is found, and counts as available
test_the_macros_leave_nothing_behind_without_vftrace() {
    cp "$srcdir"/include/vftrace_macros.h "$srcdir"/include/vftrace.hpp .
    cat >macros.c <<'END'
#ifdef USED
#include "vftrace_macros.h"
#if VFTRACE_AVAILABLE
#error "it is there"
#endif
#else
#define VFTRACE_REGION(name)
#define VFTRACE_FUNCTION()
#define VFTRACE_REGION_BEGIN(name) (void)0
#define VFTRACE_REGION_END(name) (void)0
#define VFTRACE_PAUSE() (void)0
#define VFTRACE_RESUME() (void)0
#endif
int work(int n, const char *names[])
{
    const char *only_for_the_name = names[0];
    VFTRACE_FUNCTION();
    VFTRACE_REGION("whole"); VFTRACE_PAUSE();
    for (int i = 0; i < 10; i++) {
        VFTRACE_REGION(names[i]);
        n += i;
        VFTRACE_REGION_BEGIN(only_for_the_name);
        if (n == 7)
            return 1;
        VFTRACE_REGION_END(only_for_the_name);
    }
    VFTRACE_RESUME();
    return n + names[n][0];
}
END
    cp macros.c macros.cpp
    cat >scope.cpp <<'END'
#ifdef USED
#include "vftrace.hpp"
#endif
void work(void (*call)(), const char *name);
void work(void (*call)(), const char *name)
{
#ifdef USED
    vftrace::region whole{name};
    vftrace::region part{"part"};
    vftrace::pause_guard quiet;
    call();
    part.end();
#else
    (void)name;
    call();
#endif
}
END
    # compared SOURCE COMPILER FLAGS…: sizes and symbols of the object with our header and with none are the same.
    compared() {
        local source=$1
        shift
        # shellcheck disable=SC2086
        "$@" $strict -c -DUSED "$source" -o used.o && "$@" -w -c "$source" -o plain.o || fail "does not compile: $*"
        for object in used plain; do { size $object.o | sed 's/[a-z]*\.o$//' && "${NM:-nm}" $object.o; } >$object.what; done
        diff used.what plain.what || fail "$*: with the header (<) there is more than without (>)"
        ! "${NM:-nm}" used.o | grep -i vftrace || fail "$*: symbols"
    }
    check() {
        local c cpp
        c=$(folders_without_vftrace "$cc" c) cpp=$(folders_without_vftrace "$cxx" c++)
        for level in -O0 -O2; do
            compared macros.c $cc $c -std=c99 $level
            compared macros.cpp $cxx $cpp -std=c++11 $level
            compared macros.c $cc -std=c99 $level -DVFTRACE_DISABLE -I"$srcdir/include" -finstrument-functions
        done
        compared scope.cpp $cxx $cpp -std=c++11 -O2 -fno-rtti -fno-exceptions
        compared scope.cpp $cxx $cpp -std=c++17 -O2
        compared scope.cpp $cxx -std=c++17 -O2 -DVFTRACE_DISABLE -I"$srcdir/include" -finstrument-functions
    }
    with_each_compiler check
}

test_the_headers_compile_without_warnings_with_every_standard() {
    cat >all.cpp <<'END'
#include <vftrace.hpp>
void work(const char *name);
void work(const char *name)
{
    vftrace::region own{name};
    vftrace::region copied{std::string(name)};
    VFTRACE_REGION("a");
    VFTRACE_REGION(name);
    VFTRACE_FUNCTION();
    {
        VFTRACE_REGION("a");
        VFTRACE_FUNCTION();
        vftrace::pause_guard quiet;
    }
    if (vftrace::call_path().empty())
        VFTRACE_REGION_BEGIN("b");
    else
        VFTRACE_REGION_END("b");
}
END
    printf '%s\n' '#include <vftrace_macros.h>' '#include <vftrace.h>' 'void work(const char *);' \
        'void work(const char *name) { VFTRACE_FUNCTION(); VFTRACE_REGION(name); if (name) VFTRACE_PAUSE(); else VFTRACE_RESUME(); }' >all.c
    compiled() { "$@" $strict -Wold-style-cast -fsyntax-only -I"$srcdir/include" || fail "does not compile: $*"; }
    check() {
        for flag in '' -DVFTRACE_DISABLE; do
            # shellcheck disable=SC2086
            {
                for standard in c++11 c++14 c++20; do compiled $cxx -std=$standard $flag all.cpp; done
                compiled $cxx -std=c++17 -fno-exceptions -fno-rtti -Wextra-semi $flag all.cpp
                $cc $strict -std=c99 -fsyntax-only -I"$srcdir/include" $flag all.c || fail "does not compile as C99"
                $cc $strict -std=gnu17 -Wmissing-prototypes -fsyntax-only -I"$srcdir/include" $flag all.c || fail "does not compile as C17"
            }
        done
    }
    with_each_compiler check
}

test_regions_in_fortran_end_with_their_variables() {
    [ -n "${FC:-}" ] && [ -e "$builddir/vftrace.mod" ] || skip "built without Fortran"
    config
    build variables.F90 <<'END'
module parts
  use, intrinsic :: iso_c_binding, only: c_char, c_null_char
  use vftrace
  implicit none
contains
  subroutine leaf()
  end subroutine
  recursive subroutine early(depth)
    integer, intent(in) :: depth
    type(vftrace_region) :: region
    call region%begin("early  ")
    call leaf()
    if (depth == 0) return
    call early(depth - 1)
  end subroutine
  subroutine again()
    type(vftrace_region) :: region, copy
    call region%end()
    call region%begin("one")
    call region%begin("two")
    copy = region
    call leaf()
    call region%end()
    call region%end()
    call leaf()
  end subroutine
  subroutine arrays()
    type(vftrace_region) :: regions(2)
    character(kind=c_char) :: name(4) = ["c", "u", "t", c_null_char]
    character(kind=c_char) :: whole(3) = ["a", " ", "b"]
    call regions(1)%begin("array one")
    call regions(2)%begin(whole)
    call leaf()
    call vftrace_region_begin(name)
    call vftrace_region_end("cut")
    call vftrace_region_begin("a b")
    call vftrace_region_end(whole)
    call regions(2)%end()
  end subroutine
end module
program variables
  use parts
  implicit none
  character(len=:), pointer :: stack
  integer :: i
  do i = 1, 5
    call early(0)
    call again()
    call arrays()
  end do
  call vftrace_region_begin("outermost")
  stack => vftrace_get_stack()
  print '(3a, l1)', stack, " ", vftrace_call_path(), stack == vftrace_call_path()
  call vftrace_region_end("outermost")
  call leaf()
end program
END
    run_well ./variables
    expect_same "$(cat out)" 'outermost<MAIN<main<init outermost<MAIN<main<initT' 'the call path'
    for region in early one two 'array one' cut; do expect_calls variables_all.log "$region" 5; done
    expect_calls variables_all.log 'a b' 10
    expect_calls variables_all.log parts::leaf 21
    expect_stack variables_all.log 'parts::leaf<two<parts::again<MAIN<main<init'
    expect_stack variables_all.log 'parts::leaf<parts::again<MAIN<main<init'
    expect_stack variables_all.log 'parts::leaf<MAIN<main<init'
    expect_only_what_was_named variables_all.log
}

run_tests
