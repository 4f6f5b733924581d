# SPDX-License-Identifier: BSD-3-Clause
# How true the reported times are.

# phases.c prints, not instrumented, what each kind of work takes; recorded, that is the inclusive time of a function. The error is that of the function's
# share of all, against the run of the same repetition that was not instrumented, and that of the sum.
kinds='long_loop tiny_calls microseconds nested_calls recursion'
variants=$(for variant in exact adaptive gprof uftrace; do ! has $variant || echo -n "$variant "; done)

# Our tables have milliseconds; uftrace writes gigabytes.
rounds_of() { if [ "$1" = uftrace ]; then echo 4; else echo 30; fi; }

# reported VARIANT: lines "KIND SECONDS" of the latest run, from what the recorder reports.
reported() {
    case $1 in
    uftrace)
        uftrace report -d uftrace.data --no-pager -f total 2>/dev/null |
            awk '{ print $3, $1 * ($2 == "s" ? 1 : $2 == "ms" ? 1e-3 : $2 == "us" ? 1e-6 : 60) }'
        ;;
    # Of its call graph the lines that begin with a number in brackets: self and what it called.
    gprof) gprof -b -q ./phases.gprof gmon.out | awk '/^\[/ { for (i = 5; i <= NF; i++) if ($i ~ /^[a-z_]+$/) print $i, $3 + $4 }' ;;
    *)
        awk -F'|' '/Grouped by function name/ { on = 1 } on && NF > 6 { gsub(/ /, "", $6); print $6, $5 + 0 }' phases.empty_all.log
        ;;
    esac | awk -v kinds=" $kinds " 'index(kinds, " " $1 " ")'
}

# Lines "repetition variant kind seconds", of a round; the truth is the variant `plain`.
measure_shares() {
    local i variant
    compile phases
    ! has gprof || compile_for_gprof phases
    for ((i = 0; i < repeat; i++)); do
        as_plain phases "$(rounds_of plain)" | awk 'NF == 2 { print $1, $2 / 1e9 }' | per_round $i plain
        for variant in $variants; do
            once phases "$variant" "$(rounds_of "$variant")" >ignored
            reported "$variant" | per_round $i "$variant"
            rm -rf ./*vfd ./*.log ./*.data gmon.out vftrace_symbols
        done
    done >times
}
per_round() { awk -v i="$1" -v variant="$2" -v rounds="$(rounds_of "$2")" '{ print i, variant, $1, $2 / rounds }'; }

# error_of VARIANT KIND [TRUTH]: percent of the share, or with the kind `sum` of the sum of all.
error_of() {
    awk -v variant="$1" -v kind="$2" -v truth="${3:-plain}" '
        { seconds[$1, $2, $3] = $4; sum[$1, $2] += $4; repetitions[$1] }
        END {
            for (i in repetitions) {
                if (kind == "sum")
                    ratio = sum[i, variant] / sum[i, truth]
                else
                    ratio = seconds[i, variant, kind] / sum[i, variant] / (seconds[i, truth, kind] / sum[i, truth])
                print 100 * ratio - 100
            }
        }' times | median
}

table_of_errors() {
    local kind variant
    printf 'Error in percent of what is reported of a program of five kinds of work, against the same program uninstrumented: of the share of each kind, and of the sum.\n\n|'
    printf ' %s |' error, $kinds sum
    printf '\n|---|'
    printf -- '---:|%.0s' $kinds sum
    for variant in $variants; do
        printf '\n| %s |' "$variant"
        for kind in $kinds sum; do printf ' %+.1f |' "$(error_of "$variant" "$kind")"; done
    done
    printf '\n\n'
}

measure_shares
table_of_errors | tee tables.md
if has adaptive; then
    for kind in $kinds; do
        figure "adaptive against exact, share of $kind" "$(error_of adaptive "$kind" exact | tr -d -)" '<=2' '%'
    done
    figure 'adaptive, sum against the truth' "$(error_of adaptive sum | tr -d -)" '<=3' '%'
fi
figure 'exact, sum against the truth' "$(error_of exact sum | tr -d -)" '<=3' '%'
