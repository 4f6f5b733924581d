# SPDX-License-Identifier: BSD-3-Clause
# MPICH's own test programs, with us and without: where a program finds no error without us, it finds none with us.
# MPI_SUITE names the folder where Debian's source package of mpich has been fetched, or shall be (real_programs/programs.sh);
# without it these tests are skipped. MPI_SUITE_PROGRAMS=all runs every program that its lists have for at most four ranks
# (some twenty minutes, more with MPICH, whose ranks do not yield their core), otherwise it is those of suite.list, each for a fraction of a second.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
. "$srcdir/test/system/real_programs/programs.sh"

[ -n "${MPI_SUITE:-}" ] || { echo "skip: MPI_SUITE is not set" && exit 77; }
suite_folders='attr coll comm datatype errhan group info init io part pt2pt rma topo threads/comm threads/init threads/pt2pt threads/rma'
suite_folders_fortran=$(for binding in f77 f90 f08; do
    printf "$binding/%s " attr coll comm datatype ext info init io misc pt2pt rma subarray timer topo
done)

# What these find with Open MPI is chance, and another with us than without: two read into an array section without contiguous memory after the
# call has returned, which mpi_f08 of Open MPI with gfortran does not offer (MPI_SUBARRAYS_SUPPORTED), so that the message comes into freed memory or
# not; one reads the MPI_ERROR of a status that nobody has set; and in irsendf a receive's status is overwritten by that of the send, which has no
# source, where the send completes later.
by_chance_with_open_mpi='f08/subarray/test14 f08/subarray/test15 pt2pt/rqstatus f77/pt2pt/irsendf f90/pt2pt/irsendf90 f08/pt2pt/irsendf08'

fetch_suite() {
    local lock
    mkdir -p "$MPI_SUITE" || skip "cannot write to $MPI_SUITE"
    exec {lock}>"$MPI_SUITE/.lock"
    flock -w 400 "$lock"
    fetch_source mpich "$MPI_SUITE" || skip "no network: the sources of mpich cannot be fetched"
    exec {lock}>&-
    export suite=$MPI_SUITE/mpich/test/mpi
}

# wanted FOLDER…: lines "folder program ranks seconds". In the lists of the suite, lines with arguments and environments are
# variations, xfail marks what MPICH itself does not pass, timeLimit is in seconds, and mem, in GiB, stands where touching memory takes the time:
# large_message takes six seconds of a core, and a minute on a machine with much else to do, with us and without.
wanted() {
    local folder
    for folder in "$@"; do
        if [ "${MPI_SUITE_PROGRAMS:-}" != all ]; then
            awk -v folder="$folder" '$1 == folder { print $1, $2, $3, 240 }' "$srcdir/test/system/mpi/suite.list"
        elif [ -e "$suite/$folder" ]; then
            cat "$suite/$folder"/testlist{.in,} 2>/dev/null | awk -v folder="$folder" '
                /^#/ || NF < 2 || /arg=|env=|xfail|resultTest|@/ { next }
                $2 + 0 >= 1 && $2 <= 4 && !seen[$1]++ {
                    limit = /mem=/ ? 300 : 60
                    if (match($0, /timeLimit=[0-9]+/) && substr($0, RSTART + 10, RLENGTH - 10) + 0 > limit)
                        limit = substr($0, RSTART + 10, RLENGTH - 10) + 0
                    print folder, $1, $2, limit
                }'
        fi
    done
}

without_chance() {
    if mpi_library_is_mpich; then
        cat
    else
        awk -v chance="$by_chance_with_open_mpi" 'index(" " chance " ", " " $1 "/" $2 " ") == 0'
    fi
}

# What the suite's configure would find, and its library.
prepare() {
    local file
    {
        printf '#define HAVE_%s 1\n' DOUBLE__COMPLEX FLOAT__COMPLEX GETRUSAGE INTTYPES_H LONG_DOUBLE LONG_DOUBLE__COMPLEX \
            LONG_LONG MEMORY_H MPI_IO MPI_SPAWN MPI_WIN_CREATE PTHREAD_H STDARG_H STDINT_H STDLIB_H STRDUP STRINGS_H \
            STRING_H SYS_RESOURCE_H SYS_STAT_H SYS_TIME_H SYS_TYPES_H UNISTD_H USLEEP _BOOL
        printf '#define SIZEOF_%s\n' 'INT 4' 'LONG 8' 'LONG_LONG 8' 'MPI_OFFSET 8' 'SHORT 2' 'VOID_P 8'
        printf '#define %s\n' 'F77_NAME_LOWER_USCORE 1' 'POINTERINT_t long' STDCALL 'STDC_HEADERS 1' \
            'THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX'
    } >mpitestconf.h
    export flags="-g -O0 -w -finstrument-functions -I$PWD -I$suite/include -I$suite/dtpools/include"
    for file in mtest mtest_common mtest_thread dtypes; do
        $MPICC $flags -c "$suite/util/$file.c" || fail "the suite's library cannot be built"
    done
    ar cr libmtest.a ./*.o
}
prepare_fortran() {
    local file kind
    for file in "$suite"/f77/*/*.h.in; do
        sed 's/@F77_MPI_[A-Z]*@/integer*8/' "$file" >"$(basename "$file" .in)"
    done
    export fortran_flags="-g -O0 -w -finstrument-functions -fallow-argument-mismatch -ffree-line-length-none -I$PWD -I$suite/include"
    for kind in f77.f f90.f90 f08.f90; do
        $mpi_fortran $fortran_flags -c "$suite/util/mtest_$kind" -o "mtest_${kind%.*}.o" || fail "the suite's Fortran library cannot be built"
    done
}

# compiled FOLDER PROGRAM: some need a newer MPI or what configure makes: they stay out.
compiled() {
    mkdir -p "$1/$2.run"
    if [[ $1 == f[790]* ]]; then
        local language=${1%%/*} extension=f90 more=
        [ "$language" != f77 ] || extension=f
        for more in "$suite/$1"/{utils,dummy}{f,"$language"}."$extension"; do
            [ -e "$more" ] && { [[ $more != */utils* ]] || [[ $2 == *send* ]]; } && break
            more=
        done
        $mpi_fortran $fortran_flags -I"$suite/$1" -J"$1/$2.run" "$suite/$1/$2.$extension" $more "mtest_$language.o" libmtest.a -o "$1/$2"
    else
        $MPICC $flags "$suite/$1/$2.c" libmtest.a -lm -pthread -o "$1/$2"
    fi >"$1/$2.run/build" 2>&1
}

# runs HOW FOLDER PROGRAM RANKS SECONDS: true if the program finds no error; its output is in the file HOW.
runs() {
    local how=$1 program=$top/$2/$3 ranks=$4 seconds=$5 preload=() session
    session=$(mktemp -d) # a short path, for the sockets there
    [ "$how" = plain ] || preload=(env LD_PRELOAD="$builddir/libvftrace.so")
    mkdir "$how.run"
    (cd "$how.run" && OMPI_MCA_orte_tmpdir_base=$session timeout -k 1 "$seconds" "$mpirun" $mpirun_flags -n "$ranks" "${preload[@]}" "$program" \
        >"../$how" 2>"../$how.err" </dev/null) && grep -q 'No Errors' "$how"
    set -- $?
    rm -rf "$session"
    return "$1"
}

# one FOLDER PROGRAM RANKS SECONDS: a line that begins with the decision.
one() {
    compiled "$1" "$2" || { echo "not built: $1/$2"; return; }
    cd "$top/$1/$2.run" || exit 1
    if runs traced "$@"; then
        grep -q vftrace: traced.err && echo "FAILED: $1/$2: vftrace speaks: $(grep -m1 vftrace: traced.err)" || echo "ok: $1/$2"
    elif runs plain "$@"; then
        # A machine with more to do may have been too slow for it.
        rm -rf traced.run
        runs traced "$@" && echo "ok: $1/$2" || echo "FAILED: $1/$2: $(head -c 300 traced) $(tail -3 traced.err)"
    else
        echo "not passed without us: $1/$2"
    fi
    [ -n "${KEEP:-}" ] || rm -rf "${top:?}/$1/$2" "$top/$1/$2.run"
}

run_suite() { # AT_LEAST FOLDER…
    local at_least=$1
    shift
    wanted "$@" | without_chance >list
    export builddir mpirun mpirun_flags MPICC mpi_fortran top=$PWD
    export -f compiled runs one
    xargs -P "$(nproc)" -L 1 bash -c 'one "$@"' one <list >decisions 2>&1
    ! grep '^FAILED' decisions || fail "of $(wc -l <list) programs"
    [ -z "${KEEP:-}" ] || grep -v '^ok' decisions
    expect_at_least "$(grep -c '^ok' decisions)" "$at_least" "programs without errors"
}

test_mpichs_tests_in_c_find_no_error() {
    fetch_suite
    prepare
    # shellcheck disable=SC2086
    run_suite 100 $suite_folders
}

test_mpichs_tests_in_fortran_find_no_error() {
    have "$mpi_fortran" || skip "no Fortran"
    fetch_suite
    prepare
    prepare_fortran
    # shellcheck disable=SC2086
    run_suite 40 $suite_folders_fortran
}

run_tests
