# SPDX-License-Identifier: BSD-3-Clause
# The plugin of clang: what it decides, and that programs do what they do without it.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/instrument/lib_plugin.sh"
plugin_of clang
. "$srcdir/test/system/instrument/decision_cases.sh"
. "$srcdir/test/system/instrument/behaviour_cases.sh"

# No plugin is on the link line: it decides about each file by itself, and what the linker inlines then has no hooks.
test_link_time_optimisation_keeps_the_hooks_that_the_plugin_gave() {
    needs_plugin
    have ld.lld || skip "no lld"
    config
    with_plugin
    local kind
    two_files
    for kind in -flto -flto=thin; do
        # shellcheck disable=SC2086
        clang $instrument -O2 $kind -c far.c lto.c || fail "clang $kind -c"
        # shellcheck disable=SC2046
        clang -O2 $kind -fuse-ld=lld far.o lto.o -o lto $(link_flags) || fail "clang $kind"
        run_well ./lto
        expect_calls lto_all.log main 1
        expect_calls lto_all.log near 0
        expect_calls lto_all.log far 1000
        rm -f -- *.log
    done
}

run_tests
