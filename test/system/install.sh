# SPDX-License-Identifier: BSD-3-Clause
# What `make install` leaves is enough to work with: programs are built from the installed files alone, with pkg-config.
. "${srcdir:-.}/test/system/lib.sh"

# Installs into ./root, as a package would, once for all tests here; then the paths of the tree are found in there.
installed() {
    root=$(dirname "$PWD")/root
    if [ ! -e "$root" ]; then
        unset MAKEFLAGS MFLAGS MAKELEVEL
        (cd "$builddir" && ${MAKE:-make} -s install DESTDIR="$root") >install.log 2>&1 || fail "$(tail -5 install.log)"
    fi
    pc=$(find "$root" -name vftrace.pc)
    [ -n "$pc" ] || fail "no vftrace.pc is installed"
    export PKG_CONFIG_PATH=${pc%/vftrace.pc} PKG_CONFIG_SYSROOT_DIR=$root
    libdir=$root$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --variable=libdir vftrace)
    export LD_LIBRARY_PATH=$libdir
    vftr=$(find "$root" -name vftr -type f)
}

program() {
    cat >"$1" <<'END'
#include <vftrace.h>
#include <stdio.h>
#include <stdlib.h>
static int work(int n) { return n + 1; }
int main(void)
{
    vftrace_region_begin("loop");
    for (int i = 0; i < 7; i++)
        if (work(i) != i + 1)
            return 1;
    char *stack = vftrace_get_stack();
    vftrace_region_end("loop");
    puts(stack);
    free(stack);
    return 0;
}
END
}
expect_profile() {
    expect_same "$(cat out)" 'loop<main<init' 'the stack'
    expect_calls "${1}_all.log" work 7
    expect_stack "${1}_all.log" 'work<loop<main<init'
    "$vftr" report "${1}_all.vfd" >report || fail "the installed vftr cannot report"
    expect_calls report work 7
}

test_a_c_program_is_built_from_the_installed_files() {
    installed
    config
    program shared.c
    # shellcheck disable=SC2046
    $cc -Wall -Wextra -std=c99 -pedantic -Werror -finstrument-functions shared.c -o shared \
        $(pkg-config --cflags --libs vftrace) || fail "does not build"
    run_well ./shared
    expect_profile shared
}

test_the_python_package_reads_by_the_installed_vftr() {
    installed
    local package
    package=$(find "$root" -path '*-packages/vftrace/__init__.py')
    [ -n "$package" ] || skip "no Python 3.9"
    python_with pandas
    needs RAPIDJSON
    config
    program shared.c
    # shellcheck disable=SC2046
    $cc -finstrument-functions shared.c -o shared $(pkg-config --cflags --libs vftrace) || fail "does not build"
    run_well ./shared
    (unset VFTR && PATH=/usr/bin:/bin PYTHONPATH=${package%/vftrace/*} "$python" -c \
        'import vftrace; print(vftrace.read("shared_all.vfd").functions.calls["work"])') >said 2>&1 || fail "$(tail -2 said)"
    expect_same "$(cat said)" 7 "calls of work"
}

test_a_cxx_program_is_built_from_the_installed_files() {
    installed
    config
    program plus.cpp
    # shellcheck disable=SC2046
    $cxx -Wall -Wextra -std=c++11 -pedantic -Werror -finstrument-functions plus.cpp -o plus \
        $(pkg-config --cflags --libs vftrace) || fail "does not build"
    LD_LIBRARY_PATH=$libdir run_well ./plus
    expect_same "$(cat out)" 'loop<main<init' 'the stack'
    expect_calls plus_all.log 'work(int)' 7
    # shellcheck disable=SC2046
    $cxx -Wall -Wextra -Werror -finstrument-functions "$srcdir/examples/regions.cpp" -o scopes $(pkg-config --cflags --libs vftrace) ||
        fail "the example of vftrace.hpp does not build"
    LD_LIBRARY_PATH=$libdir run_well ./scopes
    expect_calls scopes_all.log sweep 932
}

test_a_static_program_is_built_from_the_installed_files() {
    installed
    config
    program fixed.c
    for kind in -static -static-pie; do
        # shellcheck disable=SC2046
        $cc $kind -finstrument-functions fixed.c -o fixed $(pkg-config --cflags --libs --static vftrace) 2>build.err ||
            fail "does not build with $kind: $(cat build.err)"
        ! readelf -d fixed | grep -q NEEDED || fail "$kind: it needs shared libraries"
        # Without a static cJSON no config file is read, and that is said.
        unset VFTR_CONFIG
        run ./fixed
        expect_status 0
        expect_same "$(cat out)" 'loop<main<init' 'the stack'
        stacks_of fixed_all.log | grep -qx 'work<loop<main<init' || fail "no such call stack"
        rm -f fixed_all.*
    done
}

test_a_fortran_program_is_built_from_the_installed_module() {
    installed
    [ -n "$(find "$root" -name vftrace.mod)" ] || skip "built without Fortran"
    config
    cat >deep.f90 <<'END'
program deep
  use vftrace
  implicit none
  character(len=:), pointer :: stack
  call vftrace_region_begin("a region  ")
  stack => vftrace_get_stack()
  call vftrace_region_end("a region")
  print '(3a, i0)', "[", stack, "]", len(stack)
  deallocate(stack)
  call vftrace_pause()
  call vftrace_resume()
end program
END
    # shellcheck disable=SC2046
    $FC -g -O2 -finstrument-functions $(pkg-config --cflags vftrace) deep.f90 -o deep $(pkg-config --libs vftrace) ||
        fail "does not build"
    run_well ./deep
    expect_same "$(cat out)" '[a region<MAIN<main<init]23' 'the stack'
    expect_calls deep_all.log 'a region' 1
    expect_calls deep_all.log vftrace_pause 1
    # shellcheck disable=SC2046
    $FC -finstrument-functions $(pkg-config --cflags vftrace) "$srcdir/examples/regions.f90" -o scopes $(pkg-config --libs vftrace) ||
        fail "the example of type(vftrace_region) does not build"
    run_well ./scopes
    expect_calls scopes_all.log 'next prime' 12
}

test_every_public_function_and_command_has_a_man_page() {
    installed
    local verbs
    verbs=$("$vftr" help | sed -n 's/^  \([a-z][a-z]*\)  *.*/vftr-\1.1/p' | sed 's/^vftr-config.1$/vftr-config.5/')
    for page in vftrace.7 vfd.5 vftr.1 $verbs vftrace_region_begin.3 vftrace_region_end.3 vftrace_region.3 vftrace_get_stack.3 vftrace_pause.3 vftrace_resume.3; do
        file=$(find "$root" -name "$page")
        [ -n "$file" ] || fail "there is no $page"
        have man || continue
        (cd "${file%/man?/*}" && man --warnings -E UTF-8 -l "$file" 2>&1 >/dev/null) | grep . && fail "$page has mistakes"
    done
    return 0
}

# Issue: a JSON schema that is installed
test_the_schemas_and_the_pages_about_viewers_and_comparisons_are_installed() {
    installed
    local schema page picture
    for schema in vftrace-diff.schema.json vftrace-export.schema.json; do
        cmp "$(find "$root" -path "*/share/vftrace/$schema")" "$srcdir/share_src/$schema" || fail "no $schema where the manual page says"
    done
    expect_file "$(find "$root" -path '*/share/doc/vftrace/comparing.md')"
    page=$(find "$root" -name viewers.md)
    expect_file "$page"
    sed -n 's/.*](\(viewers\/[^)]*\)).*/\1/p' "$page" >pictures
    expect_at_least "$(wc -l <pictures)" 6 "pictures of viewers"
    while read -r picture; do expect_file "${page%/*}/$picture"; done <pictures
}

test_the_installed_vftr_run_finds_the_installed_library() {
    installed
    config
    unset LD_LIBRARY_PATH
    linkage=none
    build plain.c <<'END'
static void leaf(void) {}
int main(void) { leaf(); return 0; }
END
    run_well "$vftr" run -q -- ./plain
    expect_calls plain_all.log leaf 1
    # A program does not see in its environ what vftr run adds.
    run "$vftr" run -q -- cat /proc/self/environ
    expect_same "$(tr '\0' '\n' <out | sed -n 's/^LD_PRELOAD=//p')" "$(realpath "$libdir"/libvftrace.so)" 'the library'
}

test_vftr_dump_is_installed_under_its_old_name_too() {
    installed
    "${vftr%/*}/vftrace_vfd_dump" --help | grep -q '^usage: vftr dump ' || fail "vftrace_vfd_dump does not dump"
}

# Issue: commands `vftrace_generate_default_config`, `vftrace_check_config` as links with their behaviour.
test_vftr_config_is_installed_under_the_names_of_2_0_too() {
    installed
    "$vftr" config default >expected
    "${vftr%/*}/vftrace_generate_default_config" | cmp - expected || fail "another default configuration"
    "${vftr%/*}/vftrace_check_config" expected >checked || fail "the default configuration is refused: $(cat checked)"
}

test_quickstart_names_its_help_where_an_option_is_unknown() {
    run "$srcdir/quickstart" --nosuch
    expect_status 1
    expect_said_once 'unknown option --nosuch (--help '
    run "$srcdir/quickstart" --help
    expect_status 0
    grep -q -- '--offline' out || fail "the help lacks an option: $(cat out)"
}

test_uninstall_leaves_nothing() {
    installed
    (cd "$builddir" && ${MAKE:-make} -s uninstall DESTDIR="$root") >uninstall.log 2>&1 || fail "$(tail -5 uninstall.log)"
    left=$(find "$root" ! -type d)
    [ -z "$left" ] || fail "uninstall leaves $left"
}

run_tests
