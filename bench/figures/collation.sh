# SPDX-License-Identifier: BSD-3-Clause
# The collation of many ranks.

# Simulated: the critical path and the memory of 10000 ranks against those of 100.
merge_scale() {
    "$builddir/merge_scale" | tee merge_figures
    awk '/^same/ { time[$4] = $7; memory[$4] = $13 } END { print time[10000] / time[100], memory[10000] / memory[100] }' merge_figures >ratios
    figure 'collation of 10000 ranks, time' "$(cut -d' ' -f1 ratios)" '<=4' 'x 100'
    figure 'collation of 10000 ranks, memory of a rank' "$(cut -d' ' -f2 ratios)" '<=1.1' 'x 100'
}

merge_scale
