# SPDX-License-Identifier: BSD-3-Clause
# vftr run: which library is preloaded, beside others, and where the program brings it.
. "${srcdir:-.}/test/system/lib.sh"
. "${srcdir:-.}/test/system/processes/run_program.sh"

# Issue: a child's LD_PRELOAD is reordered, so that AddressSanitizer, which was first in it, ends the child.
test_other_preloaded_libraries_keep_their_place_before_ours() {
    printf 'int other_value(void) { return 1; }\n' >other.c
    $cc -shared -fPIC other.c -o other.so || fail other.so
    LD_PRELOAD=$PWD/other.so run "$vftr" run -q -- sed -z -n 's/^LD_PRELOAD=//p' /proc/self/environ
    expect_status 0
    expect_same "$(tr -d '\0' <out)" "$PWD/other.so:$(realpath "$builddir"/libvftrace.so)" LD_PRELOAD
    # A command that loads the library sees what its caller has set.
    LD_PRELOAD="$PWD/other.so : " run "$vftr" run -q -- sh -c 'echo "$LD_PRELOAD."'
    expect_same "$(cat out)" "$PWD/other.so : ." "LD_PRELOAD in the command"
    # Once is enough.
    LD_PRELOAD=$builddir/libvftrace.so.2 run "$vftr" run -q -- sed -z -n 's/^LD_PRELOAD=//p' /proc/self/environ
    expect_same "$(tr -d '\0' <out)" "$(realpath "$builddir"/libvftrace.so)" LD_PRELOAD
}

test_programs_that_bring_the_library_load_it_once() {
    config
    for linkage in shared archive; do
        program
        run "$vftr" run -- ./program
        expect_status 0
        expect_calls program_all.log leaf 7
        expect_silence
        rm -f -- *.log *vfd
    done
    linkage=shared
    build maps.c <<'END'
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[4096], last[4096] = "";
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "libvftrace") && strcmp(strchr(line, '/'), last)) {
            strcpy(last, strchr(line, '/'));
            puts(last);
        }
    return 0;
}
END
    mkdir copy
    cp "$builddir"/libvftrace.so.2 copy/
    run "$vftr" run --library=copy/libvftrace.so.2 -q -- ./maps
    expect_same "$(grep -c libvftrace out)" 1 "libraries in the program ($(cat out))"
}

test_the_installed_command_finds_its_library() {
    program
    mkdir -p moved/bin moved/lib
    cp "$vftr" moved/bin/
    cp "$builddir"/libvftrace.so.2.* moved/lib/
    run moved/bin/vftr run -q -- sed -z -n 's/^LD_PRELOAD=//p' /proc/self/environ
    expect_status 0
    case $(tr -d '\0' <out) in "$PWD"/moved/lib/libvftrace.so.2.*) ;; *) fail "LD_PRELOAD is $(tr -d '\0' <out)" ;; esac
    rm moved/lib/*
    run moved/bin/vftr run -q -- true
    expect_status 2
    grep -q -- --library err || fail "$(cat err)"
}

run_tests
