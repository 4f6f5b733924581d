# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests: fields of a recording's header (vfd.5).

# The offset of a field, where the manual has it.
place_of() { awk -v field="$1" '$1 ~ /^[0-9]+$/ && $3 == field { print $1; exit }' "$srcdir/share_src/man/vfd.5"; }
at_state=$(place_of state) at_flags=$(place_of flags) at_pid=$(place_of pid) at_start=$(place_of start) at_end=$(place_of end)
at_parent=$(place_of parent) at_exit_status=$(place_of exit_status) at_generation=$(place_of generation)

# header FILE OFFSET FORMAT: e.g. header f 40 u4.
header() { od -An -j "$2" -N "${3#?}" -t "$3" "$1" | tr -d ' '; }
flags() { header "$1" "$at_flags" u4; }
pid_in() { header "$1" "$at_pid" u4; }
start_in() { header "$1" $((at_start + 16)) u8; } # by the clock that all processes share
end_in() { header "$1" $((at_end + 16)) u8; }
parent_pid_in() { header "$1" "$at_parent" u4; }
parent_start_in() { header "$1" $((at_parent + 8)) u8; }
exit_status_in() { header "$1" "$at_exit_status" d4; }
generation_in() { header "$1" "$at_generation" u4; }

expect_state() {
    local states=(none Open Sealed Executed Exited)
    expect_same "${states[$(header "$1" "$at_state" u4)]}" "$2" "state of $1"
}

# The only file of a pattern: only 'x_*.tmpvfd'.
only() {
    # shellcheck disable=SC2086
    set -- $1 "$1"
    [ $# = 2 ] && [ -e "$1" ] || fail "not one $2: $(ls -m)"
    echo "$1"
}
