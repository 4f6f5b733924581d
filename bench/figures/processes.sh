# SPDX-License-Identifier: BSD-3-Clause
# exec and fork.

# Microseconds more for one exec, up to it.
exec_costs() {
    local variant
    compile exec
    for variant in vftrace preloaded; do
        figure "exec, $variant" "$(paired '(t["'$variant'"] - t["off"]) / 1000' exec "off $variant" 2000)" '<=100' 'us more'
    done
    note '  of' "$(mean_of off 3)" 'us'
}

fork_costs() {
    compile fork
    figure 'fork' "$(paired '(t["vftrace"] - t["plain"]) / 1000' fork 'plain vftrace' 500)" '<=50' 'us more'
    note '  of' "$(mean_of plain 3)" 'us'
    note '  its child, which ends at once' "$(awk "BEGIN { print $(mean_of vftrace 5) - $(mean_of plain 5) }")" 'us more'
    note '  of' "$(mean_of plain 5)" 'us'
    paired 0 fork 'plain vftrace' 50 calls >ignored
    note '  a child that is recorded' "$(awk "BEGIN { print $(mean_of vftrace 5) - $(mean_of plain 5) }")" 'us more'
}

exec_costs
fork_costs
