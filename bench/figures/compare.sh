# SPDX-License-Identifier: BSD-3-Clause
# Comparing runs: how often noise is taken for a change, and a change for noise.

RUNS=60 TRIALS=100
# record_both: RUNS of the program, and of the same that is 5 % slower in one function, in turn.
record_both() {
    local i percent
    compile compared
    for ((i = 1; i <= RUNS; i++)); do
        for percent in 0 5; do
            mkdir -p "$percent/$i"
            VFTR_OUTPUT_DIRECTORY=$percent/$i ./compared.vftrace $percent >printed
        done
    done
}
# some COUNT SEED: so many different numbers of runs, the same for each seed.
some() { seq $RUNS | shuf -n "$1" --random-source=<(yes "$2") | tr '\n' ' '; }
# verdicts BASE… -- NEW…: the functions that are slower or faster, with their verdicts.
verdicts() { "$builddir/vftr" diff --format=csv "$@" | slower_and_faster; }
slower_and_faster() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "verdict") at = i } $at == "slower" || $at == "faster" { print $1, $at }'; }

# Drawn from the same runs.
against_itself() {
    local a trial chosen found=0
    for ((trial = 1; trial <= TRIALS; trial++)); do
        read -ra chosen <<<"$(some $((2 * $1)) "$trial")"
        chosen=("${chosen[@]/#/0/}")
        a=$(verdicts "${chosen[@]:0:$1}" -- "${chosen[@]:$1}")
        [ -z "$a" ] || found=$((found + 1))
    done
    echo $((100 * found / TRIALS))
}
five_percent() {
    local trial base next found=0 others=0
    for ((trial = 1; trial <= TRIALS; trial++)); do
        read -ra base <<<"$(some 10 "$trial")"
        read -ra next <<<"$(some 10 "n$trial")"
        verdicts "${base[@]/#/0/}" -- "${next[@]/#/5/}" >found
        ! grep -qx 'smooth3 slower' found || found=$((found + 1))
        ! grep -qvx 'smooth3 slower' found || others=$((others + 1))
    done
    echo $((100 * found / TRIALS)) $((100 * others / TRIALS))
}
# in_pairs TRIALS: of vftr ab of ten runs each, how often it finds that, and blames another function, in percent; and how wide the interval of that function
# is beside that of vftr diff, which does not know the pairs, of the same runs.
in_pairs() {
    local trial found=0 others=0
    for ((trial = 1; trial <= $1; trial++)); do
        "$builddir/vftr" ab -n 10 --only-recorded -o pairs --format=csv --base ./compared.vftrace 0 --new ./compared.vftrace 5 >paired.csv
        "$builddir/vftr" diff --format=csv pairs/base.* -- pairs/new.* >unpaired.csv
        rm -r pairs
        slower_and_faster <paired.csv >found
        ! grep -qx 'smooth3 slower' found || found=$((found + 1))
        ! grep -qvx 'smooth3 slower' found || others=$((others + 1))
        awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
            $1 == "smooth3" { width[FILENAME] = log($column["high"] / $column["low"]) }
            END { print width["paired.csv"] / width["unpaired.csv"] }' paired.csv unpaired.csv >>widths
    done
    echo $((100 * found / $1)) $((100 * others / $1)) "$(median <widths)"
}
million_paths_compared() {
    local i side
    compile paths
    echo '{"max_call_paths": 2000000}' >config.json
    for side in base new; do
        mkdir $side
        VFTR_OUTPUT_DIRECTORY=$side VFTR_CONFIG=config.json ./paths.vftrace 2 '100 0 0' >printed
    done
    for ((i = 0; i < repeat; i++)); do
        cpu_seconds "$builddir/vftr" diff --paths base new
    done | median
}

figure 'two profiles of a million call paths' "$(million_paths_compared)" '<=3' 's'
record_both
for runs in 1 3 10; do
    figure "a program and itself, $runs runs a side: findings" "$(against_itself $runs)" '<=5' '%'
done
read -r slower others <<<"$(five_percent)"
figure 'a function 5 % slower, 10 runs a side: found' "$slower" '>=95' '%'
figure '  other functions blamed' "$others" '<=5' '%'
read -r slower others width <<<"$(in_pairs 20)"
note 'the same with vftr ab, of 20 times: found' "$slower" '%'
figure '  other functions blamed' "$others" '<=5' '%'
note '  interval beside that of vftr diff of the same runs' "$width" 'x'
