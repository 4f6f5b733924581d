# SPDX-License-Identifier: BSD-3-Clause
# How much later a program stands in main, and how much later it ends.

# An executable of 200 MB: 150 MB of data and a million symbols.
big_object() {
    head -c 150000000 /dev/zero | tr '\0' 'x' >big.bin
    cat >big.s <<'END'
    .macro function
    .type generated_function_with_a_long_name_\@, @function
generated_function_with_a_long_name_\@:
    .byte 0
    .endm
    .text
    .rept 800000
    function
    .endr
    .data
    .incbin "big.bin"
    .section .note.GNU-stack,"",@progbits
END
    $CC -c big.s -o big.o
}

# runs CONFIGURATION: how many times as long, and how many ms longer, a whole run of start.vftrace takes than one of small.vftrace. Medians of
# pairs; 11 times as many as other figures have, as one run is short.
runs() {
    local TIMEFORMAT=%R i
    echo "$1" >run.json
    for ((i = 0; i < 11 * repeat; i++)); do
        { time VFTR_CONFIG=run.json ./small.vftrace >started; } 2>&1
        { time VFTR_CONFIG=run.json ./start.vftrace >started; } 2>&1
        rm -rf ./*.vfd ./*.log vftrace_symbols
    done | paste - - >seconds
    echo "$(awk '$1 > 0 { print $2 / $1 }' seconds | median) $(awk '{ print 1000 * ($2 - $1) }' seconds | median)"
}

start_up() {
    local more alone ratio
    $CC -O2 "$programs/launch.c" -o launch
    compile start
    read -r more alone < <(./launch 60 ./start.empty ./start.vftrace)
    figure 'start-up' "$(awk -v us="$more" 'BEGIN { print us / 1000 }')" '<=5' 'ms more'
    note '  of' "$(awk -v us="$alone" 'BEGIN { print us / 1000 }')" 'ms'
    echo "$more" >small
    mv start.vftrace small.vftrace
    big_object
    compile start big.o
    read -r more alone < <(./launch 20 ./start.empty ./start.vftrace)
    figure 'start-up, executable of 200 MB' "$(awk -v us="$more" 'BEGIN { print us / 1000 }')" '<=5' 'ms more'
    figure '  against the small one' "$(awk -v us="$more" '{ print us / $1 }' small)" '<=1.5' 'x small'
    note '  its size' "$(awk -v b="$(stat -c %s start.vftrace)" 'BEGIN { print b / 1e6 }')" 'MB'
    # At the end the names of the functions that were called are looked up.
    read -r ratio more < <(runs '{}')
    figure '  a whole run against the small one' "$ratio" '<=8' 'x small'
    note '  longer' "$more" 'ms'
    read -r ratio more < <(runs '{"sampling": {"active": true}}')
    figure '  the same with a recording that is kept' "$ratio" '<=8' 'x small'
    note '  longer' "$more" 'ms'
    rm -f big.* start.* small.vftrace
}

# What a program that we do not record pays for being loaded into.
preloading() {
    local more alone
    $CC -O2 "$programs/launch.c" -o launch
    $CC -O2 "$programs/start.c" -o start.plain
    read -r more alone < <(./launch 100 ./start.plain ./start.plain "$builddir/libvftrace.so")
    note 'preloading, a program that is not instrumented' "$(awk -v us="$more" 'BEGIN { print us / 1000 }')" 'ms more'
    note '  of' "$(awk -v us="$alone" 'BEGIN { print us / 1000 }')" 'ms'
}

start_up
preloading
