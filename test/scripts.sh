# SPDX-License-Identifier: BSD-3-Clause
# What the scripts say is shell: shellcheck finds nothing at its level "warning", by the rules of .shellcheckrc.
. "${srcdir:-.}/test/system/lib.sh"

scripts() {
    find "$srcdir/test" "$srcdir/bench" "$srcdir/.ci" "$srcdir/examples" -name '*.sh'
    printf '%s\n' "$srcdir"/{check,quickstart,bench/run,.ci/run,share_src/completion/bash/vftr}
}

# Issue: scripts were held by nothing
test_shellcheck_has_nothing_to_say() {
    command -v shellcheck >/dev/null || skip "no shellcheck"
    [ "$(scripts | wc -l)" -gt 100 ] || fail "only $(scripts | wc -l) scripts found"
    cp "$srcdir/.shellcheckrc" .
    # One at a time: of many at once shellcheck keeps what it knows, and takes up to three times as long.
    (cd "$srcdir" && scripts | sed "s,^$srcdir/,," | xargs -n 1 shellcheck -S warning -f gcc) >out 2>&1 || fail "$(cat out)"
}

test_a_mistake_is_found() {
    command -v shellcheck >/dev/null || skip "no shellcheck"
    cp "$srcdir/.shellcheckrc" .
    echo 'local x=$(false)' >wrong.sh
    ! shellcheck -S warning wrong.sh >/dev/null || fail "it is not found"
}

run_tests
