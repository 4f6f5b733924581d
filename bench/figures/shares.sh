# SPDX-License-Identifier: BSD-3-Clause
# How true the reported times are.

# phases.c prints, not instrumented, what each kind of work takes; recorded, that is the inclusive time of a function. The error is that of the function's
# share of all, against the run of the same repetition that was not instrumented, and that of the sum. Long calls are those of a microsecond and more:
# a pair of hooks is one or two percent of these, and what it costs is known to a third. The shorter ones are shown for the reader.
long_kinds='long_loop microseconds nested_microseconds'
short_kinds='hundreds nested_calls'
tiny_kinds='tiny_calls nested_tiny_calls recursion'
# (gprof cannot take part: what the kinds of work have in common is never instrumented, and its time then belongs to none of them.)
variants=$(for variant in exact adaptive uftrace; do ! has $variant || echo -n "$variant "; done)

# Our tables have milliseconds; uftrace writes gigabytes. (Below 100, so that the first hundredth of the calls, workload.h, is none.)
rounds_of() { if [ "$1" = uftrace ]; then echo 4; else echo 90; fi; }

# reported VARIANT: lines "KIND SECONDS" of the latest run, from what the recorder reports.
reported() {
    case $1 in
    uftrace)
        uftrace report -d uftrace.data --no-pager -f total 2>/dev/null |
            awk '{ print $3, $1 * ($2 == "s" ? 1 : $2 == "ms" ? 1e-3 : $2 == "us" ? 1e-6 : 60) }'
        ;;
    *)
        awk -F'|' '/Grouped by function name/ { on = 1 } on && NF > 6 { gsub(/ /, "", $6); print $6, $5 + 0 }' phases.empty_all.log
        ;;
    esac | awk -v kinds=" $long_kinds $short_kinds $tiny_kinds " 'index(kinds, " " $1 " ")'
}

# measure_shares long|short|tiny: lines "repetition variant kind seconds", of a round, in times.long and so on; the truth is the variant `plain`.
measure_shares() {
    local i variant
    for ((i = 0; i < repeat; i++)); do
        as_plain phases "$(rounds_of plain)" "$1" | awk 'NF == 2 { print $1, $2 / 1e9 }' | per_round $i plain
        for variant in $variants; do
            once phases "$variant" "$(rounds_of "$variant")" "$1" >ignored
            reported "$variant" | per_round $i "$variant"
            rm -rf ./*vfd ./*.log ./*.data vftrace_symbols
        done
    done >times."$1"
}
per_round() { awk -v i="$1" -v variant="$2" -v rounds="$(rounds_of "$2")" '{ print i, variant, $1, $2 / rounds }'; }

# error_of long|short|tiny VARIANT KIND [TRUTH]: percent of the share, or with the kind `sum` of the sum of all.
error_of() {
    awk -v variant="$2" -v kind="$3" -v truth="${4:-plain}" '
        { seconds[$1, $2, $3] = $4; sum[$1, $2] += $4; repetitions[$1] }
        END {
            for (i in repetitions) {
                if (kind == "sum")
                    ratio = sum[i, variant] / sum[i, truth]
                else
                    ratio = seconds[i, variant, kind] / sum[i, variant] / (seconds[i, truth, kind] / sum[i, truth])
                print 100 * ratio - 100
            }
        }' times."$1" | median
}

# table_of_errors long|short|tiny KIND…
table_of_errors() {
    local calls=$1 kind variant
    shift
    printf '\n|'
    printf ' %s |' "$calls calls, error in percent" "$@" sum
    printf '\n|---|'
    printf -- '---:|%.0s' "$@" sum
    for variant in $variants; do
        printf '\n| %s |' "$variant"
        for kind in "$@" sum; do printf ' %+.1f |' "$(error_of "$calls" "$variant" "$kind")"; done
    done
    printf '\n\n'
}

compile phases
for calls in long short tiny; do measure_shares $calls; done
# shellcheck disable=SC2086
{
    printf 'What is reported of three programs of several kinds of work, against the same program uninstrumented: the share of each kind, and the sum.\n'
    table_of_errors long $long_kinds
    table_of_errors short $short_kinds
    table_of_errors tiny $tiny_kinds
} | tee tables.md
for variant in exact $(! has adaptive || echo adaptive); do
    for kind in $long_kinds sum; do
        figure "long calls, $variant, ${kind/#sum/the sum}" "$(error_of long "$variant" "$kind" | tr -d -)" '<=2' '%'
    done
done
if has adaptive; then
    for kind in $long_kinds; do
        figure "long calls, adaptive against exact, $kind" "$(error_of long adaptive "$kind" exact | tr -d -)" '<=2' '%'
    done
fi
