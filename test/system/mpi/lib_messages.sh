# SPDX-License-Identifier: BSD-3-Clause
#
# For tests of messages in the timeline; bash, sourced after lib_mpi.sh.
# shellcheck shell=bash disable=SC2154

# What the timeline of a rank shows: lines "function direction peer tag bytes".
messages_of() {
    "$builddir/vftr" dump "$1" | awk '
        / [a-zA-Z]/ && $1 ~ /^[0-9]+:$/ { split($2, path, /[*<]/); name[$1 + 0] = path[1] }
        / (send|recv) in stackID/ { direction = $2; function_name = name[$5] }
        /count=.* type=.*Bytes\)/ {
            match($0, /count=[0-9]+/); count = substr($0, RSTART + 6, RLENGTH - 6)
            match($0, /\([0-9]+Bytes\)/); bytes = substr($0, RSTART + 1, RLENGTH - 7)
            match($0, /peer=-?[0-9]+/); peer = substr($0, RSTART + 5, RLENGTH - 5)
            match($0, /tag=-?[0-9]+/); tag = substr($0, RSTART + 4, RLENGTH - 4)
            print function_name, direction, (/other MPI_COMM_WORLD/ ? "foreign" : "") peer, tag, count * bytes
        }' | sort
}

# expect_messages PROGRAM RANKS: what the program wrote into expected.<rank> is what was recorded.
expect_messages() {
    for ((rank = 0; rank < $2; ++rank)); do
        expect_at_least "$(wc -l <"expected.$rank")" 1 "messages that rank $rank expects"
        messages_of "$1_$rank.vfd" >recorded
        diff <(sort "expected.$rank") recorded >differences ||
            fail "rank $rank moved (<) other messages than were recorded (>): $(head -8 differences)"
    done
}

timeline='"sampling": {"active": true}'
# moved PROGRAM RANKS [FLAGS…]
moved() {
    local program=${1%.c} # from stdin, where it has a suffix
    build_mpi "$1" -I"$programs" "${@:3}"
    config "$timeline"
    ranks_well "$2" "./$program"
    adapt_expected expected.*[0-9]
    expect_messages "$program" "$2"
}
adapt_expected() { :; }
