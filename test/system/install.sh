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
    use_installation "$root"
}

# What is below a folder, as a user does who knows only where it is.
use_installation() {
    pc=$(find "$1" -name vftrace.pc)
    [ -n "$pc" ] || fail "no vftrace.pc is installed"
    export PKG_CONFIG_PATH=${pc%/vftrace.pc}
    libdir=$(realpath "$(pkg-config --variable=libdir vftrace)")
    prefix=$(realpath "$(pkg-config --variable=prefix vftrace)")
    export LD_LIBRARY_PATH=$libdir
    vftr=$(find "$1" -path '*/bin/vftr' -type f)
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

# Issue: pages of the installed manual have links to files that are not installed
test_links_of_the_installed_manual_lead_to_files_there() {
    local doc broken
    . "$srcdir/test/support/links.sh"
    installed
    doc=$(dirname "$(find "$root" -path '*/share/doc/vftrace/tutorial.md')")
    expect_file "$doc/examples/gas.c"
    broken=$(broken_links "$doc")
    [ -z "$broken" ] || fail "$broken"
    # Links are still there, and not only their texts.
    expect_at_least "$(cat "$doc"/*.md "$doc"/python/*.md | grep -o '](' | wc -l)" 60 "links"
    grep -qF '](examples/gas.c)' "$doc/tutorial.md" || fail "the tutorial has no link to its example"
    grep -qF '](README.md#what-it-costs)' "$doc/accuracy.md" || fail "a page has no link to README.md"
    grep -qF '[tutorial](tutorial.md)' "$doc/README.md" || fail "README.md has no link to the tutorial"
    ! grep -F '](../' "$doc"/*.md || fail "a link leads out of the folder"
}

test_what_completes_command_lines_is_where_shells_look() {
    installed
    cmp "$prefix/share/bash-completion/completions/vftr" "$srcdir/share_src/completion/bash/vftr" || fail "not for bash"
    cmp "$prefix/share/zsh/site-functions/_vftr" "$srcdir/share_src/completion/zsh/_vftr" || fail "not for zsh"
    cmp "$prefix/share/fish/vendor_completions.d/vftr.fish" "$srcdir/share_src/completion/fish/vftr.fish" || fail "not for fish"
}

# A program that is not linked with the library; LD_LIBRARY_PATH is not set.
vftr_run_records() {
    linkage=none
    build plain.c <<'END'
static void leaf(void) {}
int main(void) { leaf(); return 0; }
END
    run_well "$vftr" run -q -- ./plain
    expect_calls plain_all.log leaf 1
}

test_the_installed_vftr_run_finds_the_installed_library() {
    installed
    config
    unset LD_LIBRARY_PATH
    vftr_run_records
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

# cmake_examples_build [TARGET]: with the CMake package of the installation, in one folder for all tests, as what CMake finds out about compilers takes longest.
cmake_examples_build() {
    local build arguments=(-DWITH_FORTRAN=OFF) flags
    build=$(dirname "$PWD")/cmake_build
    [ -z "$(find "$prefix" -name vftrace.mod)" ] || arguments=(-DWITH_FORTRAN=ON)
    [ -z "${MPICC:-}" ] || arguments+=(-DWITH_MPI=ON -DMPI_C_COMPILER="$MPICC" "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed")
    { CC=$cc CXX=$cxx cmake -S "$srcdir/examples" -B "$build" -Dvftrace_DIR=vftrace_DIR-NOTFOUND -DCMAKE_PREFIX_PATH="$prefix" "${arguments[@]}" &&
        cmake --build "$build" --target "${1:-all}"; } >cmake.log 2>&1 || fail "$(tail -20 cmake.log)"
    ! grep -i 'warning' cmake.log || fail "CMake warns: $(grep -A5 -i warning cmake.log)"
    # The options are those that vftr flags finds by trying.
    flags=$("$vftr" flags "$cc") || fail "no flags for $cc"
    case $flags in
    *plugin=*) grep -qF -e "C_FLAGS = $flags" "$build"/CMakeFiles/heat.dir/flags.make || fail "not $flags: $(grep C_FLAGS "$build"/CMakeFiles/heat.dir/flags.make)" ;;
    *) grep -q 'C_FLAGS = .*-finstrument-functions' "$build"/CMakeFiles/heat.dir/flags.make || fail "no hooks" ;;
    esac
    unset LD_LIBRARY_PATH # programs find the library by their run path
    config
    run_well "$build/heat" 2
    expect_calls heat_all.log relax_row 596
}

test_cmake_finds_vftrace() {
    have cmake || skip "no cmake"
    installed
    cmake_examples_build
    local build
    build=$(dirname "$PWD")/cmake_build
    run_well "$build/regions"
    expect_calls regions_all.log sweep 932
    if [ -e "$build/regions_fortran" ]; then
        run_well "$build/regions_fortran"
        expect_calls regions_fortran_all.log 'next prime' 12
    fi
    # Although the project names MPI first, and the linker is to leave out what is not needed.
    [ -z "${MPICC:-}" ] || [[ $(readelf -d "$build/ring_mpi" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | paste -sd' ') = libvftrace.so.2\ *libmpi* ]] ||
        fail "vftrace is not in front of MPI: $(readelf -d "$build/ring_mpi")"
    # Versions of another major number, and later ones, are refused.
    cat >versions.cmake <<END
foreach(PACKAGE_FIND_VERSION 1 2 2.0 2.9 3)
  string(REGEX MATCH "^[0-9]+" PACKAGE_FIND_VERSION_MAJOR \${PACKAGE_FIND_VERSION})
  include($libdir/cmake/vftrace/vftrace-config-version.cmake)
  message("\${PACKAGE_FIND_VERSION} \${PACKAGE_VERSION_COMPATIBLE}")
endforeach()
END
    expect_same "$(cmake -P versions.cmake 2>&1 | paste -sd' ')" '1 FALSE 2 TRUE 2.0 TRUE 2.9 FALSE 3 FALSE' "which versions it stands for"
}

# Loads the module by the command of environment-modules or Lmod, which prints shell commands, and works with what is in PATH and the like then.
module_records() {
    export MODULEPATH=$prefix/share/modulefiles
    unset LD_LIBRARY_PATH PKG_CONFIG_PATH
    eval "$("$@" load vftrace 2>module.err)" || fail "$(cat module.err)"
    [ ! -s module.err ] || fail "$(cat module.err)"
    expect_same "$(command -v vftr)" "$prefix/bin/vftr" "the vftr in PATH"
    expect_same "$VFTRACE_ROOT" "$prefix" "the folder"
    expect_same "$(realpath "$(pkg-config --variable=libdir vftrace)")" "$libdir" "what pkg-config finds"
    program by_module.c
    $cc -finstrument-functions by_module.c -o by_module -lvftrace || fail "does not build"
    config
    run_well ./by_module
    expect_calls by_module_all.log work 7
    # A link from another folder of module files.
    mkdir -p linked/vftrace && ln -s "$MODULEPATH"/vftrace/* linked/vftrace
    expect_same "$(export MODULEPATH="$PWD/linked" && eval "$("$@" unload vftrace)" && eval "$("$@" load vftrace)" && command -v vftr)" "$prefix/bin/vftr" "by a link"
    eval "$("$@" unload vftrace 2>module.err)"
    [[ -z ${VFTRACE_ROOT:-}${LD_LIBRARY_PATH:-}${PKG_CONFIG_PATH:-} && :$PATH: != *:"$prefix"/* ]] || fail "something is left: $(env | grep "$prefix")"
}

test_environment_modules_load_vftrace() {
    have modulecmd || skip "no environment-modules"
    installed
    (module_records modulecmd bash) || exit 1
}

test_lmod_loads_vftrace() {
    local lmod=${LMOD_CMD:-/usr/share/lmod/lmod/libexec/lmod}
    [ -x "$lmod" ] || skip "no Lmod"
    installed
    (module_records "$lmod" bash) || exit 1
}

# Contract: several MPI builds side by side. Only the module files are installed here, as by configure --with-module-name in builds for each of the two.
test_modules_for_two_mpi_libraries_stand_side_by_side() {
    have modulecmd || skip "no environment-modules"
    local family
    for family in openmpi mpich; do
        (cd "$builddir" && ${MAKE:-make} -s install-nodist_moduleDATA DESTDIR="$OLDPWD/$family" MODULE_NAME=$family MPI_ENDING=.$family made_in="$OLDPWD/made/") >install.log 2>&1 ||
            fail "$(tail -5 install.log)"
    done
    MODULEPATH=$(find "$PWD/openmpi" "$PWD/mpich" -type d -name modulefiles | paste -sd:)
    export MODULEPATH
    (
        eval "$(modulecmd bash load vftrace/mpich)"
        expect_same "${VFTRACE_ROOT#"$PWD"} $VFTR_MPICC $VFTR_MPICXX $VFTR_MPIFORT" "/mpich$(installed_prefix) mpicc.mpich mpicxx.mpich mpifort.mpich" "the module for MPICH"
        eval "$(modulecmd bash switch vftrace/mpich vftrace/openmpi)"
        expect_same "${VFTRACE_ROOT#"$PWD"} $VFTR_MPICC" "/openmpi$(installed_prefix) mpicc.openmpi" "the module for Open MPI"
        eval "$(modulecmd bash load vftrace/mpich 2>conflict)"
        expect_same "${VFTRACE_ROOT#"$PWD"}" "/openmpi$(installed_prefix)" "the module beside which another one is refused"
        grep -q vftrace conflict || fail "nothing is said of it"
    ) || exit 1
}
installed_prefix() { sed -n 's/^prefix = //p' "$builddir/Makefile"; }

# Another folder than the one in which all tests before have used it.
test_an_installation_that_was_moved_works() {
    installed
    local old=$prefix relative=${libdir#"$prefix"} texts
    texts=$(grep -rlF "${prefix#"$root"}/" "$libdir/cmake" "$libdir/pkgconfig" "$prefix/share/modulefiles")
    [ -z "$texts" ] || fail "the prefix stands in $texts"
    mv "$old" moved
    # shellcheck disable=SC2064
    trap "mv '$PWD/moved' '$old'" EXIT
    use_installation "$PWD/moved"
    expect_same "$prefix $libdir" "$PWD/moved $PWD/moved$relative" "where pkg-config finds it"
    [ -z "$(find "$root" -name 'libvftrace*')" ] || fail "something is left where it was"
    config
    program shared.c
    # shellcheck disable=SC2046
    $cc -finstrument-functions shared.c -o shared $(pkg-config --cflags --libs vftrace) || fail "does not build with pkg-config"
    run_well ./shared
    expect_profile shared
    rm shared_all.*
    unset LD_LIBRARY_PATH
    "$vftr" cc -O2 "$srcdir/examples/heat.c" -lm -o heat || fail "vftr cc does not build"
    run_well ./heat 2
    expect_calls heat_all.log relax_row 596
    rm heat_all.*
    vftr_run_records
    ! have cmake || (cmake_examples_build heat) || exit 1
    ! have modulecmd || expect_same "$(export MODULEPATH="$prefix/share/modulefiles" && eval "$(modulecmd bash load vftrace)" && command -v vftr)" "$prefix/bin/vftr" "the vftr of the module"
}

# Contract: install-strip, --program-prefix and --program-suffix, of which only the names reach make
test_a_stripped_installation_under_other_names_works() {
    local root=$PWD/root bin man file target verb transform='transform=s,^,new-,;s,$$,-2,'
    (cd "$builddir" && ${MAKE:-make} -s install-strip DESTDIR="$root" "$transform") >install.log 2>&1 || fail "$(tail -5 install.log)"
    use_installation "$root"
    bin=$prefix/bin man=$prefix/share/man
    vftr=$bin/new-vftr-2
    for file in "$vftr" "$libdir"/libvftrace.so.2.* $(find "$libdir"/vftrace -name '*.so'); do
        ! readelf -SW "$file" | grep -E '[.](symtab|debug_)' || fail "$file is not stripped"
    done
    expect_same "$(readelf -SW "$libdir/libvftrace.a" | grep -c '[.]debug_info')" 0 "debug information in libvftrace.a"
    # What it prints about itself.
    expect_same "$("$vftr" --help | sed -n '1s/ VERB.*//p')" "usage: new-vftr-2" "the name in the help"
    expect_same "$("$vftr" report --help | sed -n '1s/ report.*//p')" "usage: new-vftr-2" "the name in the help of a verb"
    expect_same "$("$bin/new-vftr-c++-2" --help | sed -n '1s/ [[].*//p')" "usage: new-vftr-c++-2" "the name in the help of a compiler"
    expect_same "$("$bin/new-vftrace_vfd_dump-2" --help | sed -n '1s/ [[].*//p')" "usage: new-vftr-2 dump" "the name in the help of vftr dump"
    expect_refused 2 "new-vftr-2: no such verb: rport; did you mean report" "$vftr" rport
    expect_refused 1 "new-vftr-2: " "$vftr" report no_such.vfd
    expect_same "$("$vftr" config schema >no_recording.vfd; "$vftr" recover --quiet no_recording.vfd 2>&1 | sed 's/:.*//')" new-vftr-2 "the name in an error"
    mkdir -p empty && expect_refused 1 "new-vftr-2: empty: no recordings" "$vftr" report empty
    expect_refused 1 "writes no recording (new-vftr-2 doctor tells why)" "$vftr" ctl $$ stop
    expect_refused 2 "is json or csv (new-vftr-2 export has others)" "$vftr" report --format=xml x.vfd
    expect_same "$("$vftr" flags --help | grep -c '(new-vftr-2 flags gcc)')" 1 "the name in the text of a help"
    "$vftr" run true 2>said || fail "new-vftr-2 run: $(cat said)"
    grep -q '^new-vftr-2 run: nothing was recorded; new-vftr-2 doctor -- true says why$' said || fail "it says: $(cat said)"
    for verb in $("$vftr" --help | sed -n 's/^  \([a-z][a-z+]*\)  .*/\1/p'); do
        ! "$vftr" "$verb" --help | grep -E '(^|[ (])vftr ' || fail "the help of $verb has the usual name"
    done
    for file in "$bin"/*; do [[ ${file##*/} = new-*-2 ]] || fail "$file has its usual name"; done
    # Wrappers, and the static library, with what is left in the files.
    "$bin/new-vftr-cc-2" -O2 "$srcdir/examples/heat.c" -lm -o heat || fail "new-vftr-cc-2 does not build"
    config
    unset LD_LIBRARY_PATH
    run_well ./heat 2
    expect_calls heat_all.log relax_row 596
    vftr_run_records
    # shellcheck disable=SC2046
    $cc -static -finstrument-functions "$srcdir/examples/heat.c" -o fixed $(pkg-config --cflags --libs --static vftrace) -lm 2>build.err || fail "$(cat build.err)"
    # Manual pages and completion.
    expect_file "$man/man3/vftrace_region.3"
    expect_file "$man/man7/vftrace.7"
    for file in "$man"/man?/*; do
        target=$(sed -n 's/^[.]so //p' "$file")
        [ -z "$target" ] || expect_file "$man/$target"
    done
    expect_same "$(sed -n 's/^[.]so //p' "$man/man1/new-vftr-c++-2.1")" man1/new-vftr-cc-2.1 "the page of a compiler"
    grep -qx 'complete -F _vftr new-vftr-2' "$prefix/share/bash-completion/completions/new-vftr-2" || fail "bash does not complete it"
    expect_same "$(sed 1q "$prefix/share/zsh/site-functions/_new-vftr-2")" '#compdef new-vftr-2' "what zsh completes"
    grep -q '^complete -c new-vftr-2 ' "$prefix/share/fish/vendor_completions.d/new-vftr-2.fish" || fail "fish does not complete it"
    (cd "$builddir" && ${MAKE:-make} -s uninstall DESTDIR="$root" "$transform") >uninstall.log 2>&1 || fail "$(tail -5 uninstall.log)"
    expect_same "$(find "$root" ! -type d)" "" "what uninstall leaves"
}

test_uninstall_leaves_nothing() {
    installed
    (cd "$builddir" && ${MAKE:-make} -s uninstall DESTDIR="$root") >uninstall.log 2>&1 || fail "$(tail -5 uninstall.log)"
    left=$(find "$root" ! -type d)
    [ -z "$left" ] || fail "uninstall leaves $left"
}

run_tests
