# SPDX-License-Identifier: BSD-3-Clause
# What a call costs.

calls=2000000
workloads='leaf leaves fib tree wide deep callees templates threads'
variants="plain empty clocks smallest $ours$peers"

# workload NAME VARIANT CALLS: runs it; the last three numbers that it prints are nanoseconds, calls and kB.
workload() {
    case $1 in
    wide) once tree "$2" "$3" '3 24 3' ;;
    deep) once tree "$2" "$3" '60 2 2' ;;
    callees) once callees "$2" "$3" 500 ;;
    threads) once threads "$2" "$(($3 / 2))" 2 ;;
    *) once "$1" "$2" "$3" ;;
    esac
}

# Runs that are about as long: what is cheap makes more calls, and peers make fewer. Adaptive timing needs some thousand calls to know a path.
calls_of() {
    case $1 in
    plain | empty | adaptive | excluded | patched) echo $((10 * calls)) ;;
    uftrace | lttng*) echo $((calls / 4)) ;;
    *) echo $calls ;;
    esac
}

# Lines "workload repetition variant ns/call kB bytes/call", the last 0 where there is no trace; a run begins with a hundredth of its calls. Our files
# grow in steps of megabytes, so their size is that of a longer run.
measure_all() {
    local name i variant bytes made=0 since=$SECONDS left="$workloads "
    for name in leaf leaves fib tree callees templates threads; do
        compile $name
        ! has gprof || compile_for_gprof $name
    done
    for name in $workloads; do
        for ((i = 0; i < repeat; i++)); do
            for variant in $variants; do
                workload "$name" "$variant" "$(calls_of "$variant")" >printed
                bytes=$(bytes_written "$variant")
                case $variant in events | compressed) bytes=$(size_of_long "$name" "$variant" $i) ;; esac
                awk -v at="$name $i $variant" -v b="${bytes:-0}" '{ print at, $(NF - 2) / $(NF - 1), $NF, b / $(NF - 1) / 1.01 }' printed
                rm -rf ./*vfd ./*.log ./*.data gmon.out vftrace_symbols
            done
        done
        made=$((made + repeat)) left=${left#* }
        keep_pace 4 $((SECONDS - since)) $made "$(wc -w <<<"$left")"
    done >costs
}

# size_of_long WORKLOAD VARIANT REPETITION: bytes of so many calls, from a run with ten times as many; they are the same in each repetition.
size_of_long() {
    if [ "$3" = 0 ]; then
        rm -f ./*vfd
        workload "$1" "$2" $((10 * calls)) >ignored
        awk -v b="$(bytes_written "$2")" 'BEGIN { printf "%.0f\n", b / 10 }' >"size.$1.$2"
    fi
    cat "size.$1.$2"
}

# each 'EXPRESSION' WORKLOAD: the median over the repetitions of an expression in which t, kb and b are what a call cost in a variant, what the process had
# resident, and the bytes per call.
each() {
    awk -v w="$2" '
        function value() { return '"$1"' }
        $1 == w && $2 != last && NR > 1 && n { print value(); n = 0 }
        $1 == w { t[$3] = $4; kb[$3] = $5; b[$3] = $6; last = $2; n++ }
        END { if (n) print value() }' costs | median
}

# matrix TITLE FORMAT 'EXPRESSION' VARIANT…: a row per variant, a column per workload; v is the variant.
matrix() {
    local title=$1 format=$2 expression=$3 variant name
    shift 3
    printf '| %s |' "$title"
    printf ' %s |' $workloads
    printf '\n|---|'
    printf -- '---:|%.0s' $workloads
    for variant in "$@"; do
        printf '\n| %s |' "$variant"
        for name in $workloads; do printf " $format |" "$(each "${expression//V/\"$variant\"}" "$name")"; done
    done
    printf '\n\n'
}

tables() {
    local others=${variants#plain empty }
    # shellcheck disable=SC2086
    {
        [ -z "$missing_peers" ] || printf '%s\n\n' "$missing_peers"
        matrix 'ns per call more than plain' %.1f 't[V] - t["plain"]' ${variants#plain }
        matrix 'times the empty hooks' %.2f '(t[V] - t["plain"]) / (t["empty"] - t["plain"])' $others
        matrix 'times the two clocks' %.2f '(t[V] - t["plain"]) / (t["clocks"] - t["plain"])' ${others#clocks }
        matrix 'bytes per call' %.2f 'b[V]' $(for v in $others; do case $v in events | compressed | uftrace | lttng*) echo "$v" ;; esac; done)
        matrix 'resident, MiB more than plain' %.1f '(kb[V] - kb["plain"]) / 1024' $others
    } >tables.md
    cat tables.md
}

# For the README: the main rows. One line per variant, so that they can be compared at a glance.
short_table() {
    local variant name main='leaf fib tree callees templates'
    printf '| ns per call, bytes per call | %s | bytes | MiB |\n|---|' "$(sed 's/ / | /g' <<<"$main")"
    printf -- '---:|%.0s' $main bytes MiB
    for variant in ${variants#plain }; do
        printf '\n| %s |' "$variant"
        for name in $main; do printf ' %.1f |' "$(each "t[\"$variant\"] - t[\"plain\"]" "$name")"; done
        case $variant in
        events | compressed | uftrace | lttng*) printf ' %.1f |' "$(each "b[\"$variant\"]" tree)" ;;
        *) printf ' |' ;;
        esac
        printf ' %.1f |' "$(each "(kb[\"$variant\"] - kb[\"plain\"]) / 1024" tree)"
    done
    printf '\n\n'
}

limits() {
    local name profile=exact
    for name in leaf fib tree; do
        limited $name "exact, $name" "$(each '(t["exact"] - t["plain"]) / (t["clocks"] - t["plain"])' $name)" '<=1.15' 'x clocks'
    done
    if has adaptive; then
        profile=adaptive
        for name in leaf leaves; do
            figure "adaptive, $name" "$(each '(t["adaptive"] - t["plain"]) / (t["empty"] - t["plain"])' $name)" '<=2' 'x empty'
        done
    fi
    for name in tree wide deep; do
        figure "exact, $name" "$(each '(t["exact"] - t["plain"]) / (t["smallest"] - t["plain"])' $name)" '<=1.3' 'x smallest'
        ! has adaptive || figure "adaptive, $name" "$(each '(t["adaptive"] - t["plain"]) / (t["smallest"] - t["plain"])' $name)" '<=0.6' 'x smallest'
    done
    if has patched; then
        for name in leaf fib callees; do
            figure "patched, $name" "$(each '(t["patched"] - t["plain"]) / (t["empty"] - t["plain"])' $name)" '<=0.25' 'x empty'
        done
    fi
    if has excluded; then
        for name in leaf leaves tree; do
            note "excluded, $name" "$(each '(t["excluded"] - t["plain"]) / (t["empty"] - t["plain"])' $name)" 'x empty'
        done
    fi
    for name in $workloads; do
        [ "$name" = threads ] || figure "every event, bytes, $name" "$(each 'b["events"]' "$name")" '<=5' 'B/call'
    done
    has uftrace || return 0
    for name in $workloads; do
        figure "uftrace against the $profile profile, $name" \
            "$(each '(t["uftrace"] - t["plain"]) / (t["'$profile'"] - t["plain"])' "$name")" '>=3' 'x ours'
        figure "every event against uftrace, $name" "$(each '(t["events"] - t["plain"]) / (t["uftrace"] - t["plain"])' "$name")" '<=1' 'x uftrace'
        figure "  bytes" "$(each 'b["events"] / b["uftrace"]' "$name")" '<=0.1' 'x uftrace'
    done
}

# Hooks that are off, and one caller of many callees against one of one, with each call timed: what is looked up is then the only difference.
paired_figures() {
    figure 'VFTR_OFF=1' "$(paired '(t["off"] - t["plain"]) / (t["empty"] - t["plain"])' leaf 'plain empty off' 20000000)" \
        '<=1.5' 'x empty'
    local i callees variant
    for ((i = 0; i < repeat; i++)); do
        for callees in 1 500; do
            for variant in plain exact; do
                echo "$callees.$variant $(once callees $variant 3000000 $callees)"
            done
        done
    done | awk '{ t[$1] = $2 / $3 } NR % 4 == 0 { print (t["500.exact"] - t["500.plain"]) / (t["1.exact"] - t["1.plain"]) }' |
        median >ratio
    figure '500 callees, exact' "$(cat ratio)" '<=1.5' 'x one'
}

measure_all
tables
short_table >short.md
limits
paired_figures
