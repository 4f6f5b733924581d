# SPDX-License-Identifier: BSD-3-Clause
# Many short processes with many call paths.

# What the processes are made by; each has 36 + 36² + 36³ call paths and prints its work.
short_processes=20 short_paths=47988

# per_process COMMAND…: milliseconds of processor time for each process, and those that are not its work.
per_process() {
    local TIMEFORMAT='%U %S'
    rm -rf results
    { time "$@" >printed 2>ignored; } 2>spent
    awk -v n="$short_processes" 'NR == FNR { work += $2; next } { all = ($1 + $2) * 1000; print all / n, (all - work / 1e6) / n }' printed spent
}

# of_samples 'EXPRESSION': the median of an awk expression in which all["way"] and beside["way"] are what per_process has said.
of_samples() { awk '{ all[$1] = $2; beside[$1] = $3 } NR % 4 == 0 { print '"$1"' }' samples | median; }

# ends_of 'short|long': what the end of a process with 50,000 calls on 5,000 paths takes beside the same process that is not recorded.
ends_of() {
    local i
    echo "for i in \$(seq $short_processes); do ./endings.vftrace 2 '$1 10 500 10'; done" >many
    for ((i = 0; i < repeat; i++)); do
        echo "without $(VFTR_OFF=1 per_process sh many)"
        echo "unnamed $(per_process sh begin_only)"
        echo "off $(VFTR_OFF=1 per_process sh begin_only)"
        echo "with $(per_process sh many)"
    done >samples
    rm -f endings*_all.*
}

# That is what it takes more than one that has called nothing, whose begin and end are in the figures above.
ends() {
    compile endings
    echo "for i in \$(seq $short_processes); do ./endings.vftrace 2 'short 0 0 1'; done" >begin_only
    ends_of short
    figure '  50,000 calls on 5,000 paths, names of C' "$(of_samples 'beside["with"] - beside["without"] - (beside["unnamed"] - beside["off"])')" '<=10' 'ms more'
    note '  in all, times as long' "$(of_samples 'all["with"] / all["without"]')" 'x'
    ends_of long
    figure '  50,000 calls on 5,000 paths, long names of C++' "$(of_samples 'beside["with"] - beside["without"] - (beside["unnamed"] - beside["off"])')" '<=50' 'ms more'
    note '  in all, times as long' "$(of_samples 'all["with"] / all["without"]')" 'x'
}

short_processes() {
    local i run=("$builddir/vftr" run -o results)
    compile paths
    echo "for i in \$(seq $short_processes); do ./paths.empty 2 '36 0 0'; done" >many
    for ((i = 0; i < repeat; i++)); do
        echo "without $(per_process sh many)"
        echo "logs $(VFTR_EXEC_LOGS=all per_process "${run[@]}" -q sh many)"
        echo "all $(per_process "${run[@]}" --summary summary sh many)"
        echo "auto $(per_process "${run[@]}" -q sh many)"
    done >samples
    figure 'short process, start and end' "$(of_samples 'beside["auto"] - beside["without"]')" '<=20' 'ms more'
    figure '  with a log of its own' "$(of_samples 'beside["logs"] - beside["without"]')" '<=20' 'ms more'
    note '  in all, times as long' "$(of_samples 'all["auto"] / all["without"]')" 'x'
    note '  for the log of all processes' "$(of_samples 'all["all"] - all["auto"]')" 'ms more'
    figure 'closed recording, per call path' "$(stat -c %s results/*.vfd | awk -v n="$short_paths" '{ print $1 / n }' | median)" '<=6.4' 'B'
    rm -rf results
}

short_processes
ends
