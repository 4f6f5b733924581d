# SPDX-License-Identifier: BSD-3-Clause
# What a callback for each event costs.

# The file mode that has each event as well is the one that a callback for each competes with, less what it takes at the end of the process: the
# calls alone are up to a fifth dearer where they do nothing else. (A record of an event of a leaf that is as predicted is a byte.)
callbacks() {
    local program
    $CC -O2 -fPIC -shared -I"$source/include" "$programs/embed_noop.c" -o "$shared/libembed_noop.so" -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    for program in leaf fib tree; do
        compile $program
        figure "callbacks, $program" "$(paired '(t["callbacks"] - t["plain"]) / (t["events"] - t["plain"])' \
            $program 'plain events vftrace callbacks' 2000000)" '<=1.2' 'x events'
        note "  $program, to the profile" "$(awk '{ t[$2] = $3 / $4 } NR % 4 == 0 { print (t["callbacks"] - t["plain"]) / (t["vftrace"] - t["plain"]) }' samples | median)" 'x profile'
        each_variant
    done
}

callbacks
