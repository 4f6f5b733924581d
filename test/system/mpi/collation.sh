# SPDX-License-Identifier: BSD-3-Clause
# The collation over a real MPI library, with made-up profiles: complete, with a rank that never comes, and in chunks.
. "${srcdir:-.}/test/system/mpi/lib_mpi.sh"

# Of symbols that are missing (core_libraries), ld makes a table in a position-independent executable that the loader refuses.
collate_check() {
    [ -x ../collate_check ] || OMPI_CC=$cxx MPICH_CC=$cxx $MPICC -std=c++20 -O1 -g -w -DMPI_SONAMES='""' -I"$srcdir/src" \
        "$programs/collate_check.cpp" "$srcdir"/src/mpi/{collate,mpi_clock,mpi_link,pmpi,star}.cpp "${core_libraries[@]}" \
        -no-pie -Wl,--no-as-needed -lstdc++ -lm -ldl -o ../collate_check 2>../collate_check.err ||
        fail "does not build: $(tail -5 ../collate_check.err)"
    local size=$1
    shift
    ranks_well "$size" ../collate_check "$@"
    without_ucx_warnings out
}

test_all_ranks_come_together() {
    for size in 1 2 3 5 8; do
        expect_same "$(collate_check $size -1 20 0)" \
            "ranks $((size - 1)) calls $((size * (size + 1) / 2 - 1)) bytes 0 missing none" "collation of $size ranks"
    done
}

test_a_profile_longer_than_a_message_goes_in_chunks() {
    expect_same "$(collate_check 2 -1 50 150)" "ranks 1 calls 2 bytes 157286400 missing none" "collation"
}

# Few ranks with small profiles send them at once; where they are large together, over the tree.
test_ranks_that_want_stids_are_told_them_however_the_profiles_go() {
    local size megabytes
    for size in 2 5; do
        for megabytes in 0 20; do
            expect_same "$(collate_check $size -1 50 $megabytes world | grep -v '^ranks')" \
                "$(for ((rank = 0; rank < size; rank++)); do echo "rank $rank of 2: 0 1"; done)" "STIDs of $size ranks, $megabytes MiB"
        done
    done
    expect_same "$(cat out.0)" "rank 0 of 2: 0 1
ranks 4 calls 14 bytes 20971520 missing none" "collation of 5 ranks"
}

test_a_rank_that_never_comes_is_named_with_those_it_stands_for() {
    expect_same "$(collate_check 5 1 0.3 0)" "ranks 3 calls 12 bytes 0 missing 1" "collation"
    expect_same "$(collate_check 5 2 0.3 0)" "ranks 2 calls 7 bytes 0 missing 2 3" "collation"
    expect_same "$(collate_check 5 4 0.3 0)" "ranks 3 calls 9 bytes 0 missing 4" "collation"
}

# The others have nobody to send to; they and the job end all the same.
test_the_job_ends_without_rank_0() {
    expect_same "$(collate_check 4 0 0.3 1)" "" "output"
}

run_tests
