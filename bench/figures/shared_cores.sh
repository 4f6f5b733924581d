# SPDX-License-Identifier: BSD-3-Clause
# Whether the share of each function is the same alone and beside other work, within what the log says that it may be off by.

# once_beside LOOPS: lines "FUNCTION SECONDS PERCENT" of functions that have a hundredth of the time or more, the last one that of ±[%].
once_beside() {
    local pids="" i
    for ((i = 0; i < $1; i++)); do
        sh -c 'while :; do :; done' &
        pids="$pids $!"
    done
    rm -f shares_all.*
    ./shares
    # shellcheck disable=SC2086
    [ -z "$pids" ] || { kill $pids; wait $pids 2>ignored || true; }
    awk -F'|' '/^Runtime profile$/ { on = 1 } /^Global/ { on = 0 } on && $2 + 0 > 0 && $4 >= 1 { gsub(/[ >]/, ""); print $6, $3, $9 + 0 }' shares_all.log
}

# Both errors in one: that of the function's time, and that of the sum of all. Percent of the pairs of runs, and of the functions of all pairs, that agree.
shared_cores() {
    local i pairs=$((repeat < 20 ? 20 : repeat))
    "$CC" -O2 -finstrument-functions "$programs/tiny_calls.c" -o shares -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    for ((i = 0; i < pairs; i++)); do
        once_beside 0 | sed "s/^/$i 0 /"
        once_beside 4 | sed "s/^/$i 1 /"
    done >shared
    awk '
        { t[$1, $2, $3] = $4; e[$1, $2, $3] = $4 * $5 / 100; all[$1, $2] += $4; error[$1, $2] += ($4 * $5 / 100) ^ 2; name[$3]; pair[$1] }
        function half_width(i, way, f) { return sqrt(e[i, way, f] ^ 2 + (t[i, way, f] / all[i, way]) ^ 2 * error[i, way]) / all[i, way] + 0.001 }
        END {
            for (i in pair) {
                good = 1
                for (f in name) {
                    if (!((i, 0, f) in t) || !((i, 1, f) in t)) continue
                    d = t[i, 0, f] / all[i, 0] - t[i, 1, f] / all[i, 1]
                    n++
                    if ((d < 0 ? -d : d) <= half_width(i, 0, f) + half_width(i, 1, f)) ok++
                    else { good = 0; print "far:", f, d > "far" }
                }
                pairs++
                whole += good
            }
            print 100 * ok / n, 100 * whole / pairs
        }' shared >agree
    figure 'shares beside four loops, functions that agree' "$(cut -d' ' -f1 agree)" '>=95' '%'
    note '  pairs of runs in which all agree' "$(cut -d' ' -f2 agree)" '%'
}

shared_cores
