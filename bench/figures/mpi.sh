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
        requests) figure 'MPI, Isend/Irecv/Waitall of 1000, per request' "$(awk -v ns="$more" 'BEGIN { print ns / 1000 }')" '<=0.05' 'us more' ;;
        windows_of_*) figure "MPI, ${name##*_} Isend, ${name##*_} Irecv, Waitall, per request" "$(awk -v ns="$more" 'BEGIN { print ns / 1000 }')" '<=0.05' 'us more' ;;
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

# 8 ranks, on however many processors there are, that begin and end only: the job, and its MPI_Finalize. With an older vftrace too, whose library is in
# the folder BEFORE. Many repetitions, as one says little on a busy machine.
small_job() {
    [ -n "${MPICC:-}" ] || return 0
    local flags=(-n 8) i variant variants='plain now' begin end MPIRUN=${MPIRUN:-$(dirname "$MPICC")/mpirun}
    "$MPIRUN" --version 2>&1 | grep -q 'Open MPI' && flags+=(--allow-run-as-root --oversubscribe)
    [ -z "${BEFORE:-}" ] || variants='plain before now'
    $MPICC -O2 "$programs/finalize_ranks.c" -o small_job.plain
    # By LD_LIBRARY_PATH, so that all variants but the plain one are the same executable.
    $MPICC -O2 -finstrument-functions "$programs/finalize_ranks.c" -o small_job -L"$builddir" -lvftrace
    cp small_job small_job.now
    cp small_job small_job.before
    for ((i = 0; i < 4 * repeat; i++)); do
        for variant in $variants; do
            begin=$(date +%s%N)
            library=$builddir
            [ $variant = now ] || library=${BEFORE:-}
            LD_LIBRARY_PATH=$library${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$MPIRUN" "${flags[@]}" "./small_job.$variant" small_finalize.$variant
            end=$(date +%s%N)
            echo $(((end - begin) / 1000)) >>small_job_us.$variant
        done
    done
    figure 'job of 8 ranks that only begin and end' "$(paste small_job_us.now small_job_us.plain | awk '{ print $1 / $2 }' | median)" '<=1.5' 'x without'
    for variant in $variants; do
        note "  MPI_Finalize, $variant" "$(median <small_finalize.$variant)" 'ms'
        note '    the shortest' "$(sort -n small_finalize.$variant | head -1)" 'ms'
    done
    [ -n "${BEFORE:-}" ] || return 0
    paste small_finalize.now small_finalize.before small_finalize.plain | awk '{ print $1 - $3 }' | median >more_now
    paste small_finalize.now small_finalize.before small_finalize.plain | awk '{ print $2 - $3 }' | median >more_before
    note '  what we add to MPI_Finalize, now' "$(cat more_now)" 'ms'
    note '  what we add to MPI_Finalize, before' "$(cat more_before)" 'ms'
    note '  now, of before' "$(paste more_now more_before | awk '{ print $1 / $2 }')" 'x'
}

mpi_calls
finalize_ranks
small_job
