# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests: fields of a recording's header (vfd.5).

# header FILE OFFSET FORMAT: e.g. header f 272 u4.
header() { od -An -j "$2" -N "${3#?}" -t "$3" "$1" | tr -d ' '; }
flags() { header "$1" 24 u4; }
pid_in() { header "$1" 40 u4; }
end_in() { header "$1" 152 u8; }
exit_status_in() { header "$1" 288 d4; }
generation_in() { header "$1" 292 u4; }

expect_state() {
    local states=(none Open Sealed Executed Exited)
    expect_same "${states[$(header "$1" 20 u4)]}" "$2" "state of $1"
}

# The only file of a pattern: only 'x_*.tmpvfd'.
only() {
    # shellcheck disable=SC2086
    set -- $1 "$1"
    [ $# = 2 ] && [ -e "$1" ] || fail "not one $2: $(ls -m)"
    echo "$1"
}
