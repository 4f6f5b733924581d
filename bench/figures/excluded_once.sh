# SPDX-License-Identifier: BSD-3-Clause
# What a filter costs for each function that it excludes and that is called once, or often enough for its hook calls to be taken out of the text.

functions=10000

many_functions() {
    local i
    echo 'static volatile double sum;'
    for ((i = 0; i < functions; i++)); do echo "__attribute__((noinline)) void step_$i(int n) { sum += n * $i; }"; done
    echo 'int main(int count, char **arguments) { for (int i = 0; i < (count > 1 ? 20 : 1); i++) {'
    for ((i = 0; i < functions; i++)); do echo "step_$i($i);"; done
    echo '} return arguments == 0; }'
}

# per_function CONFIGURATION [often]: µs of processor time that a whole run takes beside one that is not recorded, for each function. Median of pairs.
processor_ms() {
    local TIMEFORMAT='%U %S'
    { time env "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print 1000 * ($1 + $2) }'
    rm -rf many_* vftrace_symbols
}
per_function() {
    local i
    for ((i = 0; i < 5 * repeat; i++)); do
        processor_ms VFTR_OFF=yes ./many ${2-}
        processor_ms "VFTR_CONFIG=$1" ./many ${2-}
    done | paste - - | awk -v n=$functions '{ print 1000 * ($2 - $1) / n }' | median
}

excluded_once() {
    many_functions >many.c
    $CC -O1 -finstrument-functions many.c -o many -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    echo '{}' >all.json
    echo '{"filter": {"exclude": {"functions": "^step_[0-9]+$"}}}' >patched.json
    echo '{"filter": {"exclude": {"functions": "^step_[0-9]+$"}, "live_patching": false}}' >excluded.json
    figure 'an excluded function that is called once' "$(per_function patched.json)" '<=5' 'us'
    figure '  without changing the text' "$(per_function excluded.json)" '<=5' 'us'
    note '  called 20 times and taken out of the text' "$(per_function patched.json often)" 'us'
    note '  recorded' "$(per_function all.json)" 'us'
    rm -f many many.c ./*.json
}

excluded_once
