# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests of timelines for Perfetto have in common, on top of lib.sh.

have protoc && have python3 || { echo "skip: no protoc or no python3" && exit 77; }
has PROTOZERO || { echo "skip: built without protozero" && exit 77; }

# every_event [MORE]: a configuration with each call in the timeline.
every_event() { config '"sampling": {"active": true, "sample_interval": 0}'"${1:+, $1}"; }
# perfetto FILE ARGUMENTS…: exports into FILE.
perfetto() { "$vftr" export --format=perfetto -o "$@" 2>export.err || fail "vftr export: $(cat export.err)"; }
decode() { protoc -I "$srcdir/test/support" --decode=Trace perfetto_trace.proto <"$1" >"$1.txt" 2>decode.err || fail "protoc: $(cat decode.err)"; }
# checked FILE [--files|--part]: what is in a trace, as FILE.found; of several files put together, or without the partners of some messages.
checked() {
    decode "$1"
    # shellcheck disable=SC2086
    python3 "$srcdir/test/support/perfetto_check.py" ${2-} <"$1.txt" >"$1.found" 2>check.err || fail "$1: $(cat check.err)"
}
# found FILE KIND: the lines of a kind.
found() { sed -n "s/^$2	//p" "$1.found"; }
# same_calls FILE LOG: each function has the calls of the log.
same_calls() {
    grouped_counts "$2" | LC_ALL=C sort -k2 >shown
    expect_at_least "$(wc -l <shown)" 3 "functions"
    found "$1" call | LC_ALL=C sort -k2 | diff shown - >differences || fail "calls of the log (<) and of the trace (>): $(head -6 differences)"
}
