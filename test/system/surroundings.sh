# SPDX-License-Identifier: BSD-3-Clause
# The tests themselves: they see what the build has made, whatever else is installed on the machine and set by who runs them. So some of each kind are
# run beside another vftrace that is broken in every file.
. "${srcdir:-.}/test/system/lib.sh"

# The folders of another vftrace, as `make install` leaves them: a header that does not compile, libraries that are none.
another_vftrace() { # FOLDER
    mkdir -p "$1"/include "$1"/lib/pkgconfig "$1"/share/man/man1
    for file in vftrace.h vftrace.hpp vftrace_macros.h; do echo '#error this is another vftrace' >"$1/include/$file"; done
    echo 'not a module' >"$1/include/vftrace.mod"
    for file in libvftrace.so libvftrace.so.2 libvftrace.a; do echo 'this is another vftrace' >"$1/lib/$file"; done
    printf 'Name: vftrace\nDescription: another\nVersion: 1\nLibs: -lnothing\nCflags: -DNOTHING=\n' >"$1/lib/pkgconfig/vftrace.pc"
    echo '{"off": "perhaps", "nosuch": 1}' >"$1/config.json"
}

# they_pass SCRIPT 'CASES'…: these tests, in the environment of the caller.
they_pass() {
    local script cases
    while [ $# != 0 ]; do
        script=$1 cases=$2
        shift 2
        (cd "$builddir" && export srcdir CASES="$cases" KEEP= AGAIN= TIMES= && exec "$BASH" "$srcdir/test/system/$script") >said 2>&1 || fail "$script: $(head -c 2000 said)"
        grep -q '^ok: ' said || fail "$script: no test of $cases has run: $(cat said)"
    done
}
some_of_each_kind() {
    they_pass regions.sh 'the_macros_leave_nothing*' regions.sh 'regions_end_with_their_objects' doctor/libraries.sh 'libraries_that_are_missing' \
        install.sh '*_c_program_is_built*' config.sh 'the_default_config_has*' linkage.sh 'pie_and_non_pie*'
}

# Issue: LD_LIBRARY_PATH, PKG_CONFIG_PATH, CPATH, MANPATH, VFTR_CONFIG, TMPDIR, LANG and umask as users have them
test_what_is_set_in_the_environment_makes_no_difference() {
    local other=$PWD/other
    another_vftrace other
    mkdir "x y"
    umask 077
    export LD_LIBRARY_PATH=$other/lib LIBRARY_PATH=$other/lib CPATH=$other/include C_INCLUDE_PATH=$other/include CPLUS_INCLUDE_PATH=$other/include
    export PKG_CONFIG_PATH=$other/lib/pkgconfig MANPATH=$other/share/man VFTR_CONFIG=$other/config.json VFTR_OFF=perhaps TMPDIR="$PWD/x y" LANG=tr_TR.UTF-8 LC_ALL= CLICOLOR_FORCE=1
    some_of_each_kind
}

# Issue: ./check fails where a release of vftrace is installed in /usr/local
test_what_is_installed_makes_no_difference() {
    local ldconfig
    unshare -rm true 2>/dev/null || skip "no mount namespaces here"
    ldconfig=$(PATH=$PATH:/usr/sbin:/sbin command -v ldconfig) || skip "no ldconfig"
    another_vftrace other
    cp "$builddir/libvftrace.so.2" other/lib/ # which the dynamic linker finds, too
    touch cache
    export -f they_pass some_of_each_kind fail
    export builddir srcdir
    # shellcheck disable=SC2016
    unshare -rm "$BASH" -c 'mount --bind other/include /usr/local/include && mount --bind other/lib /usr/local/lib &&
        "$1" -X -C cache && mount --bind cache /etc/ld.so.cache && some_of_each_kind' bash "$ldconfig" >inside 2>&1 || fail "$(cat inside)"
}

run_tests
