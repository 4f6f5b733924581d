# SPDX-License-Identifier: BSD-3-Clause
# Memory, and very large call trees.

# resident NAME VARIANT ARGUMENT: kB when the work is done.
resident() { once "$1" "$2" 1000 "$3" | cut -d' ' -f1; }

memory() {
    local fixed many paths=$((60 + 60 * 60 + 60 * 60 * 60))
    compile paths
    fixed=$(($(resident paths vftrace '1 0 0') - $(resident paths empty '1 0 0')))
    figure 'memory, fixed' "$(awk -v kb="$fixed" 'BEGIN { print kb / 1024 }')" '<=4' 'MiB'
    many=$(($(resident paths vftrace '60 0 0') - $(resident paths empty '60 0 0') - fixed))
    figure 'memory, per call path' "$(awk -v kb="$many" -v n=$paths 'BEGIN { print kb * 1024 / n }')" '<=128' 'B'
}

# Seconds of processor time that a run takes beyond its work.
beside_work() {
    local TIMEFORMAT='%U %S' _
    { time "./$1" 1000 '144 3000 1000' >printed; } 2>spent
    awk 'NR == FNR { work = $2; next } { print $1 + $2 - work / 1e9 }' printed spent
}

# Three million paths, then chains 3000 deep.
huge_tree() {
    compile paths
    local i
    for i in 1 2 3; do
        echo "$(beside_work paths.vftrace) $(beside_work paths.empty)"
    done | awk '{ print $1 - $2 }' | median >seconds
    figure 'three million call paths, end' "$(cat seconds)" '<=1.5' 's more'
    figure 'three million call paths, log' "$(awk -v b="$(stat -c %s paths.vftrace_all.log)" 'BEGIN { print b / 1e6 }')" \
        '<=5' 'MB'
    note '  resident' "$(awk -v kb="$(resident paths vftrace '144 3000 1000')" 'BEGIN { print kb / 1024 }')" 'MiB'
}

memory
huge_tree
