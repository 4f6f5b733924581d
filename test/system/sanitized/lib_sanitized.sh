# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests: the library under sanitizers, in whole runs of programs, from the first hook to the written log, without a report.
# Only builds with --enable-sanitizers run these tests, and no other system tests.
. "${srcdir:-.}/test/system/lib.sh"

[ -n "${SANITIZER_FLAGS:-}" ] || exit 77
# libelf and cJSON may keep memory to the end; what we leak would show up here too.
export ASAN_OPTIONS=detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
# A folder is opened by a raw system call and closed by closedir (base/descriptor.hpp), of which ThreadSanitizer sees one. The last profile, and the names of
# what is closed, are read from memory while threads still count: calls of a path may be one off (vfd/format_tree.hpp), and a node's thread stores its
# module, which never changes, anew with the count beside it (record/hot/count_only_call.hpp).
tsan_suppressions=$(mktemp) && trap 'rm -f "$tsan_suppressions"' EXIT &&
    printf 'race%s\n' _top:closedir :vftr::session::live_image :vftr::analysis::profile_of :vftr::analysis::names_of_object >"$tsan_suppressions"
# It takes 16 bytes before thread-local memory of a library that was loaded later (libdw) for a header of an older glibc where the memory begins 16
# bytes after the begin of a page, by chance: then it ends with "failed to allocate 0x1ec1000003000". So it is told not to look at that memory.
export TSAN_OPTIONS=halt_on_error=1:history_size=7:intercept_tls_get_addr=0:suppressions=$tsan_suppressions

# As build. (lib.sh)
sanitized() { optimise="-O1 $SANITIZER_FLAGS" build "$@"; }
expect_no_report() {
    [ "$status" = 0 ] || fail "exit code $status: $(grep -m3 -A12 -E 'SUMMARY|ERROR|runtime error' err || head -20 err)"
    ! grep -qE 'Sanitizer|runtime error' err || fail "$(head -40 err)"
}
