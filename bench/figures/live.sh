# SPDX-License-Identifier: BSD-3-Clause
# A program that vftr top looks at.

# leaf's nanoseconds per call, alone or with vftr top looking at it from another processor.
watched() { # yes or no
    local cpus=() program
    have_two && cpus=(taskset -c 0)
    "${cpus[@]}" ./leaf.vftrace 200000000 >printed &
    program=$!
    if [ "$1" = yes ]; then
        have_two && cpus=(taskset -c 1)
        until grep -q 'vfd$' /proc/$program/maps; do sleep 0.01; done
        "${cpus[@]}" "$builddir/vftr" top --batch $program >top
    fi
    wait $program
    awk '{ print $1 / $2 }' printed
    rm -f ./*vfd ./*.log
}

have_two() { [ "$(nproc)" -gt 1 ] && command -v taskset >/dev/null; }

live_profile() {
    local i
    compile leaf
    for ((i = 0; i < repeat; i++)); do
        echo "$(watched yes) $(watched no)"
    done | awk '{ print $1 / $2 }' | median >ratio
    figure 'vftr top, the program that it watches' "$(cat ratio)" '<=1.03' 'x alone'
}

live_profile
