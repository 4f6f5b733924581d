# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests: the library under sanitizers, in whole runs of programs, from the first hook to the written log, without a report.
# Only builds with --enable-sanitizers run these tests, and no other system tests.
. "${srcdir:-.}/test/system/lib.sh"

[ -n "${SANITIZER_FLAGS:-}" ] || exit 77
# libelf and cJSON may keep memory to the end; what we leak would show up here too.
export ASAN_OPTIONS=detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export TSAN_OPTIONS=halt_on_error=1

# As build. (lib.sh)
sanitized() { optimise="-O1 $SANITIZER_FLAGS" build "$@"; }
expect_no_report() {
    [ "$status" = 0 ] || fail "exit code $status: $(grep -m3 -A12 -E 'SUMMARY|ERROR|runtime error' err || head -20 err)"
    ! grep -qE 'Sanitizer|runtime error' err || fail "$(head -40 err)"
}
