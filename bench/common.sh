# SPDX-License-Identifier: BSD-3-Clause
#
# What the subjects in figures/ share; bash, sourced by run. The current folder is the subject's own, `shared` has what all use (hooks,
# configurations), `programs` the sources, `builddir` the vftrace that is measured, `repeat` is how often, `minutes` how
# long all may take.

median() { sort -n | awk '{ v[NR] = $1 } END { print NR ? (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 : "" }'; }

# figure NAME VALUE LIMIT UNIT: one line of the table. LIMIT is "<=N" or ">=N".
figure() {
    awk -v name="$1" -v value="$2" -v limit="$3" -v unit="$4" -v rows=rows.md 'BEGIN {
        bound = substr(limit, 3) + 0
        good = value ~ /^[-+]?[0-9.]/ && (substr(limit, 1, 2) == "<=" ? value + 0 <= bound : value + 0 >= bound)
        decision = good ? "ok" : "MISSED"
        printf "%-52s %9.2f %-9s %s %-7g %s\n", name, value, unit, substr(limit, 1, 2), bound, decision
        printf "| %s | %.2f | %s | %s %g | %s |\n", name, value, unit, substr(limit, 1, 2) == "<=" ? "≤" : "≥", bound, decision >>rows
        exit !good }' || missed=1
}
# limited PROGRAM NAME VALUE LIMIT UNIT: a figure, but for tree without a limit. There the reference is not what it seems: its
# clock reads overlap with the program's own mispredicted branches and so cost half of what they cost elsewhere.
limited() { if [ "$1" = tree ]; then note "$2" "$3" "$5"; else shift; figure "$@"; fi; }
# For the reader, without a limit.
note() {
    printf '%-52s %9.2f %s\n' "$1" "$2" "$3"
    printf '| %s | %.2f | %s | | |\n' "$1" "$2" "$3" >>rows.md
}
# What was left out, and why.
left_out() {
    printf '%-52s %s\n' "$1" "left out: $2"
    printf '%s: left out, %s.\n\n' "$1" "$2" >>left_out.md
}

# cpu_seconds COMMAND…: of processor time, kernel included. What it prints is lost.
cpu_seconds() {
    local TIMEFORMAT='%U %S'
    { time "$@" >/dev/null 2>&1; } 2>spent
    awk '{ print $1 + $2 }' spent
}

have() { command -v "$1" >/dev/null 2>&1; }

# source_of NAME: its path.
source_of() { if [ -e "$programs/$1.c" ]; then echo "$programs/$1.c"; else echo "$programs/$1.cpp"; fi; }
# compiler_of FILE
compiler_of() { case $1 in *.cpp) echo "$CXX" ;; *) echo "$CC" ;; esac; }

# compile NAME [MORE]: the executables NAME.plain, NAME.empty (instrumented, with hooks that return at once: other libraries are preloaded
# to it) and NAME.vftrace (as a user links it).
compile() {
    local variant flags file
    file=$(source_of "$1")
    for variant in plain empty vftrace; do
        case $variant in
        plain) flags= ;;
        empty) flags="-finstrument-functions -L$shared -lhooks_empty -Wl,-rpath,$shared" ;;
        vftrace) flags="-finstrument-functions -L$builddir -lvftrace -Wl,-rpath,$builddir" ;;
        esac
        # shellcheck disable=SC2086
        $(compiler_of "$file") -O2 "$file" -o "$1.$variant" -pthread ${2-} $flags
    done
}

# once NAME VARIANT ARGUMENTS…: what the program prints. See variants.sh.
once() {
    local name=$1 variant=$2
    shift 2
    "as_${variant//-/_}" "$name" "$@"
}

# paired 'EXPRESSION' NAME 'VARIANTS' ARGUMENTS…: the median over the repetitions of an awk expression in which t["variant"] is
# nanoseconds per call. The file `samples` has lines "repetition variant" and what the program printed.
paired() {
    local expression=$1 name=$2 variants=$3 i variant
    shift 3
    for ((i = 0; i < repeat; i++)); do
        for variant in $variants; do
            echo "$i $variant $(once "$name" "$variant" "$@")"
            rm -f ./*vfd ./*.log
        done
    done >samples
    awk '{ t[$2] = $3 / $4; n++ } n % '"$(wc -w <<<"$variants")"' == 0 { print '"$expression"' }' samples | median
}

# keep_pace TENTHS TAKEN MADE LEFT: seconds taken, repetitions made, programs left. On a slow machine the repetitions become fewer: all programs
# together are to take so many tenths of the time.
keep_pace() {
    [ "$4" != 0 ] || return 0
    local possible=$((($1 * 6 * minutes - $2) * $3 / (($2 + 1) * $4)))
    [ $possible -ge "$repeat" ] || repeat=$((possible > 1 ? possible : 1))
}

# mean_of VARIANT FIELD: of the latest samples, microseconds per call.
mean_of() { awk -v v="$1" -v f="$2" '$2 == v { s += $f / $4; n++ } END { print s / n / 1000 }' samples; }
# each_variant: notes of the nanoseconds per call of all variants of the latest samples, medians.
each_variant() {
    local variant
    for variant in $(awk '!seen[$2]++ { print $2 }' samples); do
        note "  $variant" "$(awk -v v="$variant" '$2 == v { print $3 / $4 }' samples | median)" 'ns/call'
    done
}
