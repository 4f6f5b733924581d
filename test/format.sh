# SPDX-License-Identifier: BSD-3-Clause
# Sources have the layout that .clang-format gives them. Another version of clang-format than Debian 12's has other opinions.
. "${srcdir:-.}/test/system/lib.sh"

sources() { find "$srcdir/src" "$srcdir/config_tools" "$srcdir/include" "$srcdir/test/unit" -name '*.[ch]pp' -o -name '*.h'; }
needs_clang_format() {
    command -v clang-format >/dev/null || skip "no clang-format"
    clang-format --version | grep -q ' version 14\.' || skip "not clang-format 14: $(clang-format --version)"
}

# Issue: nothing held the layout, and most files differed from the rules
test_sources_are_formatted() {
    needs_clang_format
    [ "$(sources | wc -l)" -gt 500 ] || fail "only $(sources | wc -l) sources found"
    sources | xargs clang-format --dry-run --Werror >out 2>&1 ||
        fail "clang-format -i would change these: $(sed -n 's/:[0-9]*:[0-9]*: error.*//p' out | sort -u)"
}

test_another_layout_is_found() {
    needs_clang_format
    cp "$srcdir/.clang-format" .
    printf 'int  f( ){return 1;}\n' >other.cpp
    ! clang-format --dry-run --Werror other.cpp >/dev/null 2>&1 || fail "it is not found"
}

run_tests
