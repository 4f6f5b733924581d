# SPDX-License-Identifier: BSD-3-Clause
# Real programs that none of us wrote, from Debian's sources: exact counts, and the same results as without us.
# They are where REAL_PROGRAMS says (test/system/real_programs/programs.sh).
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/real_programs/programs.sh"

flags='-g1 -O1 -finstrument-functions'

# compare EXECUTABLE ARGUMENTS…: output and calls are the same with us and with the counting library. The input is the file `input`.
compare() {
    local name
    name=$(basename "$1")
    touch input
    run_counted "$@" <input
    [ "$status" = 0 ] || fail "exit code $status of $name: $(tail -3 err.counted)"
    run_well "$@" <input
    cmp -s out out.counted || fail "the output of $name differs"
    expect_same_counts "${name}_all.log" counts "$1"
    expect_at_least "$(wc -l <counts)" "$functions" "functions of $name that were called"
}

whole_run='"include_cxx_prelude": true, "demangle_cxx": false'

test_the_lua_interpreter_has_exact_counts() {
    real_program_sources lua5.4
    config "$whole_run"
    # Its hash seed is made of the time and of addresses.
    sed -i '1i #define luai_makeseed(L) 42u' lua5.4/src/luaconf.h
    make_it build_lua lua5.4 "$flags -w" "$(link_flags)"
    functions=200
    compare lua5.4/src/lua "$srcdir/examples/bench.lua"
}

test_bzip2_has_exact_counts() {
    real_program_sources bzip2
    config "$whole_run"
    make_it make -C bzip2 -j2 bzip2 CC="$cc $flags" CFLAGS="-D_FILE_OFFSET_BITS=64" LDFLAGS="$(link_flags)"
    seq 60000 >input
    functions=20
    compare bzip2/bzip2 -9 -c
    cp out compressed
    mv compressed input
    compare bzip2/bzip2 -d -c
}

test_zlib_has_exact_counts() {
    real_program_sources zlib
    config "$whole_run"
    make_it env CC="$cc" CFLAGS="$flags" sh -c 'cd zlib && ./configure --static'
    make_it make -C zlib -j2 minigzip LDFLAGS="-L. $(link_flags)"
    seq 60000 >input
    functions=15
    compare zlib/minigzip -c
}

test_lz4_has_exact_counts() {
    real_program_sources lz4
    config "$whole_run"
    make_it make -C lz4/programs -j2 lz4 CC="$cc" CFLAGS="$flags" LDFLAGS="$(link_flags)"
    seq 60000 >input
    functions=30
    compare lz4/programs/lz4 -9 -c
    cp out compressed
    mv compressed input
    compare lz4/programs/lz4 -d -c
}

test_a_cxx_program_has_exact_counts() {
    real_program_sources nlohmann-json3
    config "$whole_run"
    cat >parse.cpp <<'END'
#include <iostream>
#include <nlohmann/json.hpp>
using nlohmann::json;
int main()
{
    json all = json::array();
    for (int i = 0; i < 50; i++)
        all.push_back({{"id", i}, {"name", "n" + std::to_string(i)}, {"values", {i, i * 0.5, nullptr, true}}});
    json again = json::parse(all.dump(2));
    try {
        json::parse("{bad");
    } catch (const json::exception &error) {
        std::cout << error.id << '\n';
    }
    std::cout << (again == all) << ' ' << again.size() << ' ' << again[7]["name"] << '\n';
}
END
    build parse -Inlohmann-json3/include
    functions=500
    compare ./parse
}

# Issue: real programs with heavy C++ templates and exceptions. Two libraries' own tests: one whose functions have been inlined with their hooks, one where
# each template is called, which is compiled in half the time.
test_the_tests_of_cxx_libraries_have_exact_counts() {
    for_the_real_build
    real_program_sources nlohmann-json3
    real_program_sources libjsoncpp
    config "$whole_run"
    # shellcheck disable=SC2046,SC2086
    {
        (cd libjsoncpp && make_it $cxx $flags -w -Iinclude src/lib_json/*.cpp src/test_lib_json/*.cpp -o jsontest $(link_flags)) &
        (cd nlohmann-json3/tests && make_it $cxx $flags -O0 -w -DJSON_TEST_KEEP_MACROS -I../include -Ithirdparty/doctest src/unit.cpp \
            src/unit-element_access1.cpp -o access $(link_flags))
    } || exit 1
    wait $! || exit 1
    functions=2000
    compare libjsoncpp/jsontest
    functions=1000
    compare nlohmann-json3/tests/access
}

test_hpcc_runs_through_with_two_and_four_ranks() {
    [ -n "${MPICC:-}" ] || skip "built without MPI"
    [ "$(command -v "$MPICC")" -ef "$(command -v mpicc)" ] || skip "built for another MPI than that of mpicc"
    real_program_sources hpcc
    config
    build_hpcc hpcc "-O1 -finstrument-functions" "$(link_flags)" 300 >build.log 2>&1 || fail "$(tail build.log)"
    cd hpcc || exit 1
    for ranks in 2 4; do
        rm -f hpccoutf.txt ./*.log ./*.vfd
        flags=(--oversubscribe -n $ranks)
        [ "$(id -u)" != 0 ] || flags+=(--allow-run-as-root)
        run_well mpirun "${flags[@]}" ./hpcc
        grep -q '^End of HPC Challenge tests' hpccoutf.txt || fail "it did not end well: $(tail -3 hpccoutf.txt)"
        ! grep -q FAILED hpccoutf.txt || fail "its own checks failed: $(grep FAILED hpccoutf.txt)"
        expect_calls hpcc_all.log MPI_Init $ranks
        expect_calls hpcc_all.log HPL_pdtest 2 # its grid is of two ranks
        expect_stack hpcc_all.log 'HPL_pdtest<HPL_main<main<init'
    done
}

run_tests
