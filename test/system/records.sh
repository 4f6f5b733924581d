# SPDX-License-Identifier: BSD-3-Clause
# What vftr top and vftr dump tell of how a recording was made: calls that are only counted, estimates, costs, the timeline.
. "${srcdir:-.}/test/system/lib.sh"

# Issue: every call is counted, always; the table marks estimated rows and their confidence.
test_top_and_dump_tell_of_calls_that_are_only_counted() {
    config '"timing": "adaptive"'
    build stays -DCALLS=2000000
    local try
    for try in 1 2 3 4 5 6; do # whether the call in which a thread stays is a timed one is left to chance
        begin ./stays
        run "$vftr" top --count 1 --interval 0.1 "$pid"
        expect_status 0
        ! grep -q '^process .*, 5 threads, ' out || [ $try = 6 ] || { end_it && rm -f stays_*; continue; }
        break
    done
    grep -q '^process .*, 5 threads ([1-4] in a count-only call), ' out || fail "vftr top does not tell of calls that are only counted: $(head -3 out)"
    grep -qE '±\[%\] +Now +Function' out || fail "no columns: $(cat out)"
    # Calls and estimates of leaf, and the threads that are in it.
    expect_same "$(awk '$NF == "leaf" { print $4, $7 ~ /^>?[0-9.]+$/, $8 }' out)" '8000004 1 4' "calls of leaf, whether it is estimated, threads in it"
    grep -qE '^hooks: [0-9.]+ s; [0-9.]+ ns for a call that is timed, [0-9.]+ ns for one that is not$' out || fail "no costs: $(head -3 out)"
    "$vftr" dump --show_threadtree --show_records stays_"$pid".tmpvfd >dump || fail "vftr dump"
    grep -q ', in a count-only call of stackID [0-9]*' dump || fail "no thread tells of its call: $(grep tid dump)"
    grep -q '^Of 4 call paths only some calls are timed' dump || fail "no estimates in the header: $(sed '/^$/q' dump)"
    expect_same "$(sed '1,/^Hook costs/d; /^$/,$d' dump | awk 'NR > 1 { print $3 }' | tr '\n' ' ')" 'timed inside long inside rare inside folded count-only apart nesting excluded ' "costs"
    expect_same "$(grep -c ' count_only_node [1-9][0-9]* (stackID [0-9]*)$' dump)" "$(sed -n 's/^process .* (\([1-4]\) in .*/\1/p' out)" "threads in a count-only call"
    expect_same "$(awk '$1 == "estimates" { n += $5 } END { print n / 96 }' dump)" 4 "estimates in the segments"
    expect_same "$(awk '/^Estimates/ { getline; getline; print NF }' dump | sort -u)" 10 "fields of an estimate"
    expect_same "$(grep -cE ' function .*[ +]estimated$' dump)" 4 "call paths that are estimated"
    end_it
}

test_top_and_dump_tell_what_becomes_of_the_timeline() {
    needs ZSTD
    config '"sampling": {"active": true, "sample_interval": 0, "compress": true}'
    build stays -DCALLS=2000000
    begin ./stays
    run "$vftr" top --count 1 --interval 0.1 "$pid"
    grep -qE '^timeline: [0-9.]+ MiB in [0-9]+ segments, [1-9][0-9]* packed$' out || fail "no packed timeline: $(head -4 out)"
    "$vftr" dump --only_header stays_"$pid".tmpvfd >dump || fail "vftr dump"
    grep -qE '^The samples are in [0-9]+ segments, of which [1-9][0-9]* are packed into [0-9]+ bytes$' dump || fail "the header: $(cat dump)"
    end_it
    rm -f stays_*
    config '"sampling": {"active": true, "sample_interval": 0, "keep_last": "1 MiB"}'
    begin ./stays
    run "$vftr" top --count 1 --interval 0.1 "$pid"
    grep -qE '^timeline: [0-9.]+ MiB in [0-9]+ segments, only the latest part is kept$' out || fail "no kept timeline: $(head -4 out)"
    "$vftr" dump --only_header stays_"$pid".tmpvfd >dump || fail "vftr dump"
    grep -qx 'Only the latest samples of each thread are kept' dump || fail "the header: $(cat dump)"
    end_it
}

run_tests
