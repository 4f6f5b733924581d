# SPDX-License-Identifier: BSD-3-Clause
# vftr doctor: whether libvftrace is loaded, which one, and whether it stands where it must.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/doctor/findings.sh"

neither() {
    linkage=none
    program
    doctor ./program
    expect_problem 'neither linked nor preloaded' 'vftr run -- ./program'
    # As the remedy says.
    run "$vftr" run -q -- ./program
    expect_file program_all.log
    LD_PRELOAD=$builddir/libvftrace.so.2 doctor ./program
    expect_healthy
}

test_a_program_that_is_neither_linked_nor_preloaded() { with_each_compiler neither; }
# Everything that it has, a linker may find superfluous at that place, but for the start of main.
test_linkers_keep_the_library_wherever_it_is_named() {
    linkage=none
    printf 'int main(void) { return 0; }\n' >early.c
    $cc -finstrument-functions -Wl,--as-needed -L"$builddir" -lvftrace -Wl,-rpath,"$builddir" early.c -o early || fail early
    doctor ./early
    expect_healthy
    expect_recorded ./early
}

test_a_preload_that_cannot_be_loaded() {
    program
    LD_PRELOAD=/no/such/library.so "$vftr" doctor ./program >out 2>/dev/null
    status=$?
    expect_problem 'LD_PRELOAD: .*/no/such/library.so'
}

test_a_static_program_without_vftrace() {
    linkage=none
    program -static
    doctor ./program
    expect_problem 'statically linked without vftrace' 'pkg-config --libs --static'
    strip program
    doctor ./program
    expect_problem 'has no symbols' 'unstripped'
}

test_a_library_behind_the_c_library() {
    linkage=none
    program -Wl,--no-as-needed -lc -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    doctor ./program
    expect_problem 'libvftrace.so.2 stands behind .*libc.so.6' 'lvftrace before'
    run ./program
    expect_no_file program_all.log
}

# Issue: it fails where a release of vftrace is installed, in which the dynamic linker finds the library: of the name that this program
# is linked with there is none anywhere.
test_libraries_that_are_missing() {
    linkage=none
    mkdir elsewhere
    sed 's/libvftrace\.so\.2/libvftrace.so.X/g' "$builddir/libvftrace.so.2" >elsewhere/libvftrace.so.X
    ln -s libvftrace.so.X elsewhere/libvftrace.so
    program -Lelsewhere -lvftrace
    doctor ./program
    expect_problem 'does not start: libvftrace.so.X' 'LD_LIBRARY_PATH'
    sed -i 's/libvftrace\.so\.X/libvftrace.so.2/g' program
    LD_LIBRARY_PATH=$builddir doctor ./program
    expect_healthy
}

test_another_version_of_the_library() {
    linkage=none
    mkdir old same
    cp "$builddir"/libvftrace.so.2 old/libvftrace.so.2.0.9
    ln -s libvftrace.so.2.0.9 old/libvftrace.so.2
    cp -P "$builddir"/libvftrace.so.2* same/
    program -L"$builddir" -lvftrace
    LD_LIBRARY_PATH=$PWD/old doctor ./program
    expect_problem 'another version \(2.0.9\)' 'LD_LIBRARY_PATH'
    LD_LIBRARY_PATH=$PWD/same doctor ./program
    expect_healthy
    said 'another copy'
}

# Issue: OpenMP programs of gcc are seen: where they are not, the doctor says why.
test_openmp_before_the_library() {
    case $("$cc" --version) in *clang*) skip 'not a GNU compiler' ;; esac
    echo 'int main(void) {
#pragma omp parallel
    {}
}' >program.c
    local libraries
    for libraries in "-fopenmp -L$builddir -lvftrace" "-Wl,--no-as-needed -lgomp -L$builddir -lvftrace"; do
        "$cc" -fopenmp -finstrument-functions -c program.c || skip 'no OpenMP'
        # shellcheck disable=SC2086
        "$cc" program.o -o program $libraries -Wl,-rpath,"$builddir" || skip 'no libgomp'
        doctor ./program
        case $libraries in -f*) expect_healthy ;; *) expect_problem 'stands before libvftrace.*OpenMP' 'lvftrace before -lgomp' ;; esac
    done
}

test_a_program_with_the_rights_of_others() {
    [ "$(id -u)" = 0 ] || skip 'only root can make one'
    linkage=none
    program
    chown 65534 program
    chmod u+s program
    LD_PRELOAD=$builddir/libvftrace.so.2 doctor ./program
    expect_status 1
    said '^problem: .*set-user-ID.*LD_PRELOAD'
}

test_an_untrusted_dynamic_linker_is_not_run() {
    linkage=none
    printf '#!/bin/sh\ntouch run\n' >linker
    chmod 777 linker
    program -Wl,--dynamic-linker="$PWD"/linker
    doctor ./program
    expect_problem "dynamic linker that is not this system's"
    expect_no_file run
}

# Issue: vftr doctor FILE executes code of the file that it looks at
test_nothing_that_a_file_names_is_run() {
    linkage=none
    local option
    printf '#!/bin/sh\ntouch %s/run\n' "$PWD" >mark
    chmod +x mark
    printf '#include <stdlib.h>
__attribute__((constructor)) static void loaded(void) { if (system("%s/mark")) abort(); }
unsigned la_version(unsigned version) { return version; }
int used(void) { return 0; }\n' "$PWD" >marks.c
    $cc -shared -fPIC marks.c -o "$PWD"/marks.so || fail marks
    for option in --audit="$PWD"/marks.so --depaudit="$PWD"/marks.so; do
        program -Wl,"$option"
        readelf -d program | grep -q 'AUDIT.*marks.so' || skip "a linker without $option"
        run ./program
        expect_file_named run
        rm run
        doctor ./program
        expect_problem 'neither linked nor preloaded'
        expect_no_file run
    done
    # The same of the interpreter of a script, and of a library by its path.
    printf '#!%s/program\n' "$PWD" >script
    chmod +x script
    doctor ./script
    expect_problem 'neither linked nor preloaded'
    expect_no_file run
    build user.c "$PWD"/marks.so <<<'int used(void); int main(void) { return used(); }'
    readelf -d user | grep -q "NEEDED.*$PWD/marks.so" || fail 'it needs no library by its path'
    doctor ./user
    expect_problem 'neither linked nor preloaded'
    expect_no_file run
    # A program in place of the dynamic linker, which this system trusts where root has made it.
    chmod 755 mark
    program -Wl,--dynamic-linker="$PWD"/mark
    doctor ./program
    expect_problem "dynamic linker that is not this system's"
    expect_no_file run
}
expect_file_named() { [ -e "$1" ] || fail "there is no $1; there are: $(ls -m)"; }

# inner N: a library whose version N the program `outer` wants, in folder N.
inner() {
    mkdir -p "$1"
    printf 'INNER_%s { global: *; };\n' "$1" >"$1"/map
    echo 'int inner(void) { return 0; }' >inner.c
    $cc -shared -fPIC inner.c -o "$1"/libinner.so -Wl,--version-script="$1"/map || fail inner
}
test_a_library_that_is_too_old() {
    linkage=none
    inner 1
    inner 2
    build outer.c -L2 -linner -Wl,-rpath,"$PWD"/1 <<<'int inner(void); int main(void) { return inner(); }'
    doctor ./outer
    expect_problem "outer does not start: $PWD/1/libinner.so: version .INNER_2' not found .required by ./outer" 'build it on this machine'
    LD_LIBRARY_PATH=$PWD/2 doctor ./outer
    expect_problem 'neither linked nor preloaded'
}

test_a_sanitizer_that_wants_to_be_first() {
    linkage=none
    program -fsanitize=address
    ldd program | grep -q libasan || skip 'a sanitizer that is not a library'
    LD_PRELOAD=$builddir/libvftrace.so.2 doctor ./program
    expect_problem 'AddressSanitizer' 'ASAN_OPTIONS=verify_asan_link_order=0'
    ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$builddir/libvftrace.so.2 doctor ./program
    expect_healthy
    # With and without mistakes in the configuration nothing is lost that the sanitizer would count.
    echo '{"sampling": {"active": 3}}' >bad.json
    for VFTR_CONFIG in '' bad.json; do
        export VFTR_CONFIG
        run "$vftr" run -q -- ./program
        expect_status 0
        expect_file program_all.log
        rm program_all.*
    done
}

run_tests
