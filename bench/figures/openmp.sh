# SPDX-License-Identifier: BSD-3-Clause
# The constructs of OpenMP.

# What the constructs of OpenMP cost, with each runtime that is here: on one thread, where nobody waits, what is recorded of them; on two
# also that all wait for the one that has most to record.
openmp_costs() {
    local compiler runtime construct more seen=
    for compiler in gcc clang clang-16; do
        runtime=$(case $compiler in gcc) echo libgomp ;; *) echo libomp ;; esac)
        [[ $seen != *$runtime* ]] && $compiler -O2 -fopenmp "$programs/openmp.c" -o openmp.plain 2>/dev/null || continue
        seen+=" $runtime"
        $compiler -O2 -fopenmp "$programs/openmp.c" -o openmp.vftrace -L"$builddir" -Wl,--no-as-needed -lvftrace -Wl,-rpath,"$builddir"
        for construct in parallel for dynamic barrier single critical lock task; do
            more=$(paired '(t["vftrace"] - t["plain"]) / 1000' openmp 'plain vftrace' $construct 50000 1)
            figure "OpenMP, $runtime, $construct" "$more" '<=0.5' 'us more'
            note '  of' "$(mean_of plain 3)" 'us'
            more=$(paired '(t["vftrace"] - t["plain"]) / 1000' openmp 'plain vftrace' $construct 3000 2)
            note '  on two threads' "$more" 'us more'
            note '  of' "$(mean_of plain 3)" 'us'
        done
    done
}

openmp_costs
