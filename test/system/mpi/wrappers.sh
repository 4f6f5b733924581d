# SPDX-License-Identifier: BSD-3-Clause
# Nothing of MPI is linked, and a mistake in the table of functions stops the build.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

test_no_object_needs_an_mpi_library() {
    for object in "$builddir"/lib{hooks,foundation,recorder,analysis,vftrace}.a "$builddir"/libvftrace.so; do
        "${NM:-nm}" "$object" >symbols 2>/dev/null
        expect_at_least "$(grep -ci ' w pmpi_' symbols)" "$(case $object in *foundation.a | *recorder.a | *analysis.a) echo 0 ;; *) echo 80 ;; esac)" \
            "weak references to MPI in $object"
        # A reference that is undefined and not weak, and that no other object of the same file defines.
        awk '$1 == "U" { needed[$2] = 1 } NF == 3 && $2 ~ /[TDBRVW]/ { defined[$3] = 1 }
            END { for (s in needed) if (!(s in defined)) print s }' symbols |
            grep -iE '^p?mpi_|^ompi_|^MPI' >strong && fail "$object needs $(cat strong)"
    done
    return 0
}

offered=$builddir/src/mpi/offered.list

test_every_function_of_the_mpi_library_has_a_wrapper() {
    [ -s "$offered" ] || skip "the MPI libraries cannot be asked"
    "${NM:-nm}" -D --defined-only "$builddir/libvftrace.so" | awk '{ print $3 }' | grep -E '^MPI_([A-Z][a-z]|T_[a-z])' | sort >shown
    sed -n 's/^exported P//p' "$offered" | grep -E '^MPI_([A-Z][a-z]|T_[a-z])' | grep -vE '_f(08)?$' | sort >there
    expect_at_least "$(wc -l <there)" 400 "functions that the MPI library has"
    diff there shown || fail "the MPI library (<) and vftrace (>) differ"
}
test_every_fortran_name_of_the_mpi_libraries_has_a_wrapper() {
    grep -q '^exported mpi_send' "$offered" || skip "the Fortran libraries cannot be asked"
    # The procedures that a program hands over and does not call; MPI_SIZEOF, which asks the compiler; variables;
    # functions of the C library for its own Fortran bindings, which have no PMPI name.
    local except='_(dup_|null_copy_|null_delete_)?fn_*$|_FN$|conversion_fn_null|CONVERSION_FN_NULL|mpi_sizeof|_f90_*$|_F90$'
    except="$except|^mpi_fortran_|^MPI_F(08)?_(STATUS|ARGV|ERRCODES)|^MPI_(UNWEIGHTED|WEIGHTS_EMPTY|T_PVAR_ALL_HANDLES)$"
    "${NM:-nm}" -D --defined-only "$builddir/libvftrace.so" | awk '{ print $3 }' | grep -E '^(mpi_|MPI_[A-Z0-9_]*$)' | sort >shown
    sed -n 's/^exported //p' "$offered" | grep -E '^(mpi_|MPI_[A-Z0-9_]*$)' | grep -vE "$except" | sort >there
    expect_at_least "$(wc -l <there)" 1500 "names that the Fortran libraries have"
    diff there shown || fail "the Fortran libraries (<) and vftrace (>) differ"
}

test_a_serial_program_does_not_load_mpi() {
    build serial.c <<'END'
int main(void) { return 0; }
END
    ldd ./serial >libraries
    grep -q libvftrace libraries || fail "the test shows nothing: libvftrace is not linked"
    ! grep 'libmpi\|libopen-' libraries || fail "libmpi is loaded"
}

# expect_refused 'ROW' 'MESSAGE'
expect_refused() {
    printf '%s\n' "$1" >table
    echo 'declared PMPI_Send' >offers
    ! "${AWK:-awk}" -v part=c -v offered=offers -f "$srcdir/src/mpi/generate.awk" table >made 2>err || fail "accepted: $1"
    grep -qF -- "$2" err || fail "for '$1' it says $(cat err), not $2"
}
test_a_bad_row_stops_the_build() {
    expect_refused 'MPI_Send | plain | int count, int tag | start request=counts' 'table:1: MPI_Send: no argument "counts"'
    expect_refused 'MPI_Send | plain | int count | carry count' 'unknown verb "carry"'
    expect_refused 'MPI_Send | plain | int count | start cuont=count' 'unknown key "cuont" of start'
    expect_refused 'MPI_Send | plain | int count | wait request=count' 'wait needs "status"'
    expect_refused 'MPI_Send | plian | int count |' 'unknown kind "plian"'
    expect_refused 'MPI_Send | plain d-only | int count |' 'unknown flag "d-only"'
    expect_refused 'MPI_Send | collective | int count |' 'over no communicator'
    expect_refused 'MPI_Send | plain | int 5 |' 'no argument name'
    expect_refused 'MPI_Send | plain | int |' 'no argument name'
    expect_refused 'MPI_Send | plain | int count' 'four columns'
    expect_refused 'Send | plain | int count |' 'not the name of an MPI function'
    expect_refused 'MPI_Send | plain | int count |
MPI_Send | plain | int count |' 'table:2: MPI_Send: second row'
}

generated='c fortran fortran_2008 fortran_control fortran_sentinels c_symbols fortran_symbols'
test_every_awk_makes_the_same_wrappers() {
    local first='' sum awk
    for awk in mawk 'gawk --posix' 'busybox awk' original-awk "${AWK:-awk}"; do
        have "${awk%% *}" || continue
        for part in $generated; do
            $awk -v part=$part -v offered="$offered" -f "$srcdir/src/mpi/generate.awk" "$srcdir/src/mpi/functions.table" ||
                fail "$awk fails"
        done >made
        sum=$(cksum <made)
        expect_same "$sum" "${first:=$sum}" "what $awk makes of the table"
    done
}

# A serial stand-in for MPI has no PMPI names; under vftr run our wrappers still stand before it.
test_a_stand_in_for_mpi_without_profiling_names_is_called() {
    cat >standin.c <<'END'
#include <stdio.h>
void mpi_barrier_(int *comm, int *error) { *error = *comm + 1; }
int MPI_Barrier(void *comm) { (void)comm; return 17; }
END
    gcc -shared -fPIC standin.c -o libstandin.so || fail "no stand-in"
    linkage=none build user.c -L. -lstandin -Wl,-rpath,"$PWD" <<'END'
#include <stdio.h>
int MPI_Barrier(void *);
void mpi_barrier_(int *, int *);
int main(void) { int comm = 41, error = 0; mpi_barrier_(&comm, &error); printf("%d %d\n", MPI_Barrier(0), error); return 0; }
END
    LD_PRELOAD=$builddir/libvftrace.so run_well ./user
    expect_same "$(cat out)" "17 42" "what the stand-in says"
}

# As an interpreter does whose module is linked with MPI: the library comes late, and into nobody else's view.
test_an_mpi_library_that_is_loaded_late_is_found() {
    cat >module.c <<'END'
#include <mpi.h>
int work(void)
{
    int rank, sum = 1;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum;
}
END
    $MPICC -shared -fPIC module.c -o libmodule.so || fail "no module"
    linkage=none build host.c -ldl <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *module = dlopen("./libmodule.so", RTLD_NOW | RTLD_LOCAL);
    if (!module) { puts(dlerror()); return 1; }
    int (*work)(void) = (int (*)(void))dlsym(module, "work");
    printf("%d\n", work());
    return 0;
}
END
    config
    ranks_well 2 env LD_PRELOAD="$builddir/libvftrace.so" ./host
    expect_same "$(sort -u out)" 2 "the sum over the ranks"
    expect_calls host_all.log MPI_Allreduce 2
}

# What the linker sees of it is only MPI_Init and MPI_Finalize, which vftrace has too.
test_a_program_that_seems_not_to_need_mpi_has_it() {
    build_mpi modest.c -Wl,--as-needed <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return MPI_Finalize();
}
END
    config
    ranks_well 2 ./modest
    expect_calls modest_all.log MPI_Init 2
}

# build_dropped BINDING [FLAGS…]: the linker sees nothing of MPI in it that vftrace does not have too.
build_dropped() {
    have "$mpi_fortran" || skip "no Fortran"
    optimise='-O0 -w -fallow-argument-mismatch' build_mpi sentinels "-DBINDING_$1" -Wl,--as-needed "${@:2}"
    readelf -d sentinels >needed
    [ "$1" = F08 ] || ! grep 'NEEDED.*lib.*mpi' needed || fail "the test shows nothing: the MPI library is linked"
}
in_place_and_the_like_are_known() {
    have "$mpi_fortran" || skip "no Fortran"
    optimise='-O0 -w -fallow-argument-mismatch' linkage=none build_mpi sentinels "-DBINDING_$1"
    ranks_well 2 ./sentinels
    sort out >out.plain
    build_dropped "$1"
    config
    ranks_well 2 ./sentinels
    diff out.plain <(sort out) || fail "the results are others"
    expect_calls sentinels_all.log MPI_Allreduce 2
}
test_a_dropped_library_knows_in_place_and_the_like_with_mpif_h() { in_place_and_the_like_are_known MPIFH; }
test_a_dropped_library_knows_in_place_and_the_like_with_use_mpi() { in_place_and_the_like_are_known MPI; }
test_a_dropped_library_knows_in_place_and_the_like_with_use_mpi_f08() { in_place_and_the_like_are_known F08; }

# The static vftrace cannot make the program show its variables.
test_a_dropped_library_that_has_other_sentinels_is_not_used() {
    # shellcheck disable=SC2046
    linkage=none build_dropped MPIFH "$builddir/libvftrace.a" $(archive_libs)
    run ./sentinels
    expect_same "$status" 127 "the exit code"
    expect_same "$(cat err)" "vftrace: warning: the program calls mpi_init_, but its linker has left the MPI library out; \
-Wl,--no-as-needed keeps it" "what it says"
}

test_a_program_of_another_mpi_is_told_so() {
    local other=mpicc.mpich
    ! mpi_library_is_mpich || other=mpicc.openmpi
    have $other || skip "no $other"
    cat >other.c <<'END'
#include <mpi.h>
int main(int argc, char **argv) { int rank; MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank); return MPI_Finalize(); }
END
    OMPI_CC=$CC MPICH_CC=$CC $other other.c -o other -Wl,--no-as-needed -L"$builddir" -lvftrace -Wl,-rpath,"$builddir" || fail "no program"
    run ./other
    expect_same "$status" 127 "the exit code"
    expect_said_once 'each MPI needs a build of its own'
}

# Arguments whose lengths are passed on the quiet.
strings_arrive() {
    have "$mpi_fortran" || skip "no Fortran"
    local spawn=-DWITH_SPAWN
    ! mpi_library_is_mpich || spawn= # Debian's has no process manager that could
    build_strings() {
        # shellcheck disable=SC2086
        optimise='-O0 -w -ffree-line-length-none -fallow-argument-mismatch' build_mpi strings_fortran "-DBINDING_$1" $spawn
    }
    linkage=none build_strings "$1"
    ranks_well 1 ./strings_fortran
    mv out out.plain
    build_strings "$1"
    config
    ranks_well 1 ./strings_fortran
    diff out.plain out || fail "the output is another one"
    expect_calls strings_fortran_all.log MPI_Info_get 4
}
test_strings_arrive_with_mpif_h() { strings_arrive MPIFH; }
test_strings_arrive_with_use_mpi() { strings_arrive MPI; }
test_strings_arrive_with_use_mpi_f08() { strings_arrive F08; }

run_tests
