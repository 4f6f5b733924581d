# SPDX-License-Identifier: BSD-3-Clause
# Threads: what they cost each other, and what their begin and end cost.

# The time of the slowest of COUNT threads: threads VARIANT COUNT.
threads() { once threads "$1" 20000000 "$2" | cut -d' ' -f2; }

two_threads() {
    compile threads
    local i variant
    for ((i = 0; i < repeat; i++)); do
        for variant in clocks vftrace; do
            echo "$variant $(threads $variant 1) $(threads $variant 2)"
        done
    done >samples
    figure 'two threads, events per second' "$(awk '$1 == "vftrace" { print 2 * $2 / $3 }' samples | median)" \
        '>=1.9' 'x one'
    note '  the same with the clock hooks' "$(awk '$1 == "clocks" { print 2 * $2 / $3 }' samples | median)" 'x one'
}

# On however many cores: each thread's own processor time counts.
eight_threads() {
    compile threads
    local i
    for ((i = 0; i < repeat; i++)); do
        echo "$(threads vftrace 1) $(threads vftrace 8)"
    done >samples
    figure 'eight threads, events per second of a core' "$(awk '{ print $1 / $2 }' samples | median)" '>=0.9' 'x one'
}

# Threads that call one function, the first ones of a program and later ones, one after the other and many at once.
lives_of_threads() {
    compile thread_life
    local lives count at_once
    for lives in '60 1' '64 32' '3000 1' '3200 64'; do
        read -r count at_once <<<"$lives"
        figure "begin and end of a thread, $count, $at_once at once" \
            "$(paired '(t["vftrace"] - t["plain"]) / 1000' thread_life 'plain vftrace' "$count" "$at_once")" '<=20' 'us more'
    done
}

two_threads
eight_threads
lives_of_threads
