# SPDX-License-Identifier: BSD-3-Clause
#
# What the system tests with MPI have in common, on top of lib.sh. Sourced by every script here.
. "${srcdir:-.}/test/system/lib.sh"

[ -n "${MPICC:-}" ] || { echo "skip: no MPI" && exit 77; }
# configure says what belongs to that mpicc; by hand: what stands beside it.
mpirun=${MPIRUN-${MPICC/mpicc/mpirun}}
mpi_fortran=${MPIFORT-${MPICC/mpicc/mpifort}}
mpirun_flags=
"$mpirun" --version 2>&1 | grep -qE 'Open MPI|OpenRTE' && mpirun_flags="--allow-run-as-root --oversubscribe"
mpi_version=$(printf '#include <mpi.h>\nMPI_VERSION_IS MPI_VERSION\n' | "$MPICC" -E -x c - | awk '/^MPI_VERSION_IS/ { print $2 }')
programs=$srcdir/test/system/mpi/programs

# build_mpi NAME [FLAGS…]: as build, with MPI's compilers around cc, cxx and FC. NAME may also be one of programs/.
build_mpi() {
    local name=$1 plain_cc=$cc plain_cxx=$cxx plain_fc=${FC:-gfortran}
    for source in "$programs/$name".{c,F90}; do
        [ ! -e "$source" ] || cp "$source" .
    done
    local compiler=$cc
    OMPI_CC=$compiler MPICH_CC=$compiler OMPI_CXX=$plain_cxx MPICH_CXX=$plain_cxx OMPI_FC=$plain_fc MPICH_FC=$plain_fc \
        cc=$MPICC cxx=${MPICC/mpicc/mpicxx} FC=$mpi_fortran build "$@"
    cc=$plain_cc cxx=$plain_cxx FC=$plain_fc
}

# ranks N COMMAND…: status, out (what rank 0 wrote, then rank 1, …) and err.
ranks() {
    local n=$1
    shift
    rm -f out.[0-9]*
    # shellcheck disable=SC2086,SC2016
    # Jobs that begin at the same time must not meet in one session directory. (The path of a socket there is short.)
    local session
    session=$(mktemp -d)
    OMPI_MCA_orte_tmpdir_base=$session run "$mpirun" $mpirun_flags -n "$n" sh -c 'exec "$@" >out.${OMPI_COMM_WORLD_RANK-$PMI_RANK}' sh "$@"
    cat out.[0-9]* >out
    rm -rf "$session"
}
# As ranks. Open MPI's mpirun now and then does not notice the end of a job or crashes at it, and its jobs with windows, files or
# spawned programs hang now and then on a busy machine, all that without vftrace too: then once more. Where a rank is killed
# or crashes, mpirun says so. What hangs is given up soon, and each further try has twice the time, in case that it was only slow.
ranks_patiently() {
    local try run_limit=30 may_be_killed=1
    for ((try = 0; try < 3; try++, run_limit *= 2)); do
        rm -f ./*.log ./*.vfd ./*.tmpvfd
        ranks "$@"
        case $status in
        124) ;;
        137 | 139) ! grep -q 'exited on signal\|EXIT STRING' err || break ;;
        *) break ;;
        esac
    done
}
# Text without what MPICH's communication layer, UCX, says on stdout when something for a rank that did not come is left.
without_ucx_warnings() { grep -v 'UCX  WARN ' "$@"; }
ranks_well() {
    ranks "$@"
    [ $status = 0 ] || fail "exit code $status of: mpirun -n $*"
    expect_silence
}

# The MPI functions of a log: lines "name calls".
mpi_calls_of() {
    expect_file "$1"
    grouped_counts "$1" | awk -F'\t' '$2 ~ /^MPI_/ { print $2, $1 }' | sort
}

# table LOG TITLE COLUMN…: the cells of these columns (from 1) in the rows of the table below the line TITLE.
table() {
    local log=$1 title=$2
    shift 2
    awk -F'|' -v title="$title" -v columns="$*" '
        $0 == title { on = 1; lines = 0; next }
        on && /^[+]/ { if (++lines == 3) exit; next }
        on && lines == 2 {
            n = split(columns, c, " ")
            line = ""
            for (i = 1; i <= n; i++) { cell = $(c[i] + 1); gsub(/^ +| +$/, "", cell); line = line (i > 1 ? " " : "") cell }
            print line
        }' "$log"
}

# The rows of the table.
all_mpi_functions() {
    sed -n -E 's/^([A-Za-z_]* )?(MPI_[A-Za-z_0-9]*) *[|].*/\2/p' "$srcdir/src/mpi/functions.table" | sort
}

# The C functions of the MPI library that the program is linked with, for which it has a name for profiling too.
offered_functions() {
    "${NM:-nm}" -D --defined-only "$(ldd "$1" | awk '$1 ~ /^libmpi(ch)?[.]so/ { print $3 }')" |
        sed -n -E 's/.* [TW] P(MPI_(T_)?[A-Z][a-z][A-Za-z_0-9]*|MPI_T_[a-z_]*)$/\1/p' | sort -u
}
# And of its Fortran libraries, in small letters: the names of mpif.h.
offered_in_fortran() {
    ldd "$1" | awk '$1 ~ /^libmpi(_mpifh|chfort)[.]so/ { print $3 }' | xargs "${NM:-nm}" -D --defined-only |
        sed -n -E 's/.* [TW] p(mpi_[a-z0-9_]*[a-z0-9])_$/\1/p' | grep -vE '_(fn|cptr)$|^mpi_sizeof_|_null$' | sort -u
}
mpi_library_is_mpich() { ! "$mpirun" --version 2>&1 | grep -qE 'Open MPI|OpenRTE'; }

# What the ranks wrote into <file>.<rank>, added up.
sum_of_counts() { awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' "$@" | sort; }

# Programs may be compiled with -DLARGE_COUNT -I., see programs/count_types.h.
large_counts() {
    [ "$mpi_version" -ge 4 ] || skip "MPI $mpi_version has no large counts"
    printf '#include <mpi.h>\n' | "$MPICC" -E -x c - | grep -oE '\bMPI_[A-Za-z_]*_c *[(]' |
        sed -E 's/(MPI_.*)_c *[(]/#define \1 \1_c/' | sort -u >large_count.h
    optimise='-O0 -w'
}
