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

# Seconds that a run of start.vftrace takes whose recording is kept: the first in its folder, and the median of later ones.
ends() {
    local TIMEFORMAT=%R i
    rm -rf vftrace_symbols
    echo '{"sampling": {"active": true}}' >sampled.json
    for ((i = 0; i <= repeat; i++)); do
        { time VFTR_CONFIG=sampled.json ./start.vftrace >started; } 2>&1
    done >seconds
    head -1 seconds
    tail -n +2 seconds | median
}

start_up() {
    local more alone
    $CC -O2 "$programs/launch.c" -o launch
    compile start
    read -r more alone < <(./launch 60 ./start.empty ./start.vftrace)
    figure 'start-up' "$(awk -v us="$more" 'BEGIN { print us / 1000 }')" '<=5' 'ms more'
    note '  of' "$(awk -v us="$alone" 'BEGIN { print us / 1000 }')" 'ms'
    echo "$more" >small
    ends >small_ends
    big_object
    compile start big.o
    read -r more alone < <(./launch 20 ./start.empty ./start.vftrace)
    figure 'start-up, executable of 200 MB' "$(awk -v us="$more" 'BEGIN { print us / 1000 }')" '<=5' 'ms more'
    figure '  against the small one' "$(awk -v us="$more" '{ print us / $1 }' small)" '<=1.5' 'x small'
    note '  its size' "$(awk -v b="$(stat -c %s start.vftrace)" 'BEGIN { print b / 1e6 }')" 'MB'
    # At the end of a run whose recording is kept the symbols are stored by the first one.
    ends >big_ends
    figure 'later run of it, its symbols stored' "$(paste big_ends small_ends | awk 'NR == 2 { print 1000 * ($1 - $2) }')" '<=10' 'ms more'
    note '  first run, which stores them' "$(sed -n 1p big_ends)" 's'
    note '  later runs' "$(sed -n 2p big_ends)" 's'
    note '  the symbols' "$(du -sk vftrace_symbols | awk '{ print $1 / 1024 }')" 'MiB'
    rm -rf vftrace_symbols
    rm -f big.* start.*
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
