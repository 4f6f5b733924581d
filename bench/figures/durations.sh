# SPDX-License-Identifier: BSD-3-Clause
# What it costs to record how long single calls take.

# profile_table.show_distribution against the same timing without it, in turn in each repetition: hooks of calls that are only counted have nothing more to do, and a timed call
# is added to its histogram.
others=$ours
configured adaptive_durations profile_table.show_distribution '"timing": "adaptive", "profile_table": {"show_distribution": true}'
configured exact_durations profile_table.show_distribution '"timing": "exact", "profile_table": {"show_distribution": true}'
ours=$others # they are variants of this subject alone

# more TIMING WORKLOAD CALLS [ARGUMENT]: times what a pair of hooks costs without.
more() {
    local timing=$1 name=$2
    shift 2
    paired '(t["'"$timing"'_durations"] - t["plain"]) / (t["'"$timing"'"] - t["plain"])' "$name" "plain $timing ${timing}_durations" "$@"
}

if has_option profile_table.show_distribution; then
    for name in leaf fib tree; do
        compile $name
        figure "durations of single calls, adaptive, $name" "$(more adaptive $name 20000000)" '<=1.1' 'x without'
        note '  each call timed' "$(more exact $name 3000000)" 'x without'
    done
fi
