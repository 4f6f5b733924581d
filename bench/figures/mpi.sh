# SPDX-License-Identifier: BSD-3-Clause
# MPI: calls, and the end of many ranks.

# MPI calls of two ranks, through our wrappers and past them in one process.
mpi_calls() {
    [ -n "${MPICC:-}" ] || return 0
    local flags=(-n 2) name more alone MPIRUN=${MPIRUN:-$(dirname "$MPICC")/mpirun}
    "$MPIRUN" --version 2>&1 | grep -q 'Open MPI' && flags+=(--allow-run-as-root --oversubscribe)
    $MPICC -O2 -finstrument-functions "$programs/mpi_calls.c" -o mpi_calls -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    "$MPIRUN" "${flags[@]}" ./mpi_calls 1000 >mpi_figures
    while read -r name more alone; do
        case $name in
        ping-pong) figure 'MPI, 8-byte ping-pong' "$(awk -v ns="$more" 'BEGIN { print ns / 1000 }')" '<=0.25' 'us more' ;;
        allreduce*) figure "MPI, 8-byte Allreduce${name#allreduce}" "$(awk -v ns="$more" 'BEGIN { print ns / 1000 }')" '<=0.5' 'us more' ;;
        requests) figure 'MPI, Isend/Irecv/Waitall of 1000, per request' "$(awk -v ns="$more" 'BEGIN { print ns / 1000 }')" '<=0.15' 'us more' ;;
        esac
        note '  of' "$(awk -v ns="$alone" 'BEGIN { print ns / 1000 }')" 'us'
    done <mpi_figures
}

# 64 ranks on however many processors there are: at most twice as long as without us and 2 s.
finalize_ranks() {
    [ -n "${MPICC:-}" ] || return 0
    local flags=(-n 64) i variant MPIRUN=${MPIRUN:-$(dirname "$MPICC")/mpirun}
    "$MPIRUN" --version 2>&1 | grep -q 'Open MPI' && flags+=(--allow-run-as-root --oversubscribe)
    $MPICC -O2 "$programs/finalize_ranks.c" -o finalize_ranks.plain
    $MPICC -O2 -finstrument-functions "$programs/finalize_ranks.c" -o finalize_ranks.vftrace -L"$builddir" -lvftrace -Wl,-rpath,"$builddir"
    rm -f finalize_ms.*
    for i in 1 2 3; do
        for variant in plain vftrace; do
            "$MPIRUN" "${flags[@]}" "./finalize_ranks.$variant" finalize_ms.$variant
        done
    done
    paste finalize_ms.vftrace finalize_ms.plain | awk '{ print ($1 - 2 * $2) / 1000 }' | median >seconds
    figure 'MPI_Finalize of 64 ranks, beyond twice the time' "$(cat seconds)" '<=2' 's'
    note '  with' "$(median <finalize_ms.vftrace)" 'ms'
    note '  without' "$(median <finalize_ms.plain)" 'ms'
}

mpi_calls
finalize_ranks
