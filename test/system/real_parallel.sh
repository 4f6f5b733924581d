# SPDX-License-Identifier: BSD-3-Clause
# Real programs that none of us wrote, with threads, from Debian's sources: what they write is what they write without us, and their calls are
# counted exactly. Their threads share the work differently each time, so the counting library counts the very run that we record.
# REAL_BUILD and REAL_PROGRAMS are as in real_programs/programs.sh.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/real_programs/programs.sh"

flags='-g1 -O1 -w -finstrument-functions'
whole_run='"include_cxx_prelude": true, "demangle_cxx": false'

# compare EXECUTABLE ARGUMENTS…: the output is the same with us and with the counting library alone; the calls are those of both together.
# The input is the file `input`. `functions` and `threads` are what must at least have been there.
compare() {
    local name
    name=$(basename "$1")
    run_counted "$@" <input
    [ "$status" = 0 ] || fail "exit code $status of $name: $(tail -3 err.counted)"
    run_counted_along "$@" <input
    cmp -s out out.counted || fail "the output of $name differs"
    expect_same_counts "${name}_all.log" counts "$1"
    expect_at_least "$(wc -l <counts)" "$functions" "functions of $name that were called"
    expect_at_least "$(sed -n 's/^Nr. of threads: *//p' "${name}_all.log")" "$threads" "threads of $name"
}

# compressed_and_back EXECUTABLE -- COMPRESSING OPTIONS -- DECOMPRESSING OPTIONS, for megabytes of input made here.
compressed_and_back() {
    local program=$1 compressing=()
    shift 2
    while [ "$1" != -- ]; do compressing+=("$1") && shift; done
    shift
    seq 300000 >input
    cp input original
    compare "$program" "${compressing[@]}"
    cp out input
    compare "$program" "$@"
    cmp -s out original || fail "what was compressed and decompressed differs"
}

# Issue: real programs from Debian source packages with threads.
test_pbzip2_has_exact_counts_and_the_same_output() {
    for_the_real_build
    real_program_sources bzip2
    real_program_sources pbzip2
    config "$whole_run"
    make_it make -C bzip2 -j2 libbz2.a CC="$cc $flags" CFLAGS="-D_FILE_OFFSET_BITS=64"
    # shellcheck disable=SC2046,SC2086
    make_it $cxx $flags -pthread -D_FILE_OFFSET_BITS=64 -D_POSIX_PTHREAD_SEMANTICS -DUSE_STACKSIZE_CUSTOMIZATION -Ibzip2 pbzip2/*.cpp \
        bzip2/libbz2.a -o pbzip2/pbzip2 $(link_flags)
    functions=100 threads=12 # main, three more of its own, and the eight
    compressed_and_back pbzip2/pbzip2 -- -p8 -b1 -c -- -d -p8 -c
}

# Without the Makefiles, whose libtool takes four times the time of the compiler.
compile_xz() (
    local folder include=(-I. -Ilib -Isrc/common)
    for folder in api check common lz lzma rangecoder delta simple; do include+=(-Isrc/liblzma/$folder); done
    cd xz-utils || exit
    ls src/liblzma/*/*.c src/xz/*.c src/common/tuklib_{open_stdxxx,progname,exit,mbstr_width,mbstr_fw,cpucores,physmem}.c |
        grep -vE '_tablegen|_small' >sources
    # shellcheck disable=SC2046,SC2086
    xargs -n 30 -P 2 $cc $flags -pthread -DHAVE_CONFIG_H -DTUKLIB_SYMBOL_PREFIX=lzma_ -DLOCALEDIR='""' "${include[@]}" -c <sources &&
        $cc -pthread ./*.o -o xz $(link_flags)
)

test_xz_has_exact_counts_and_the_same_output() {
    for_the_real_build
    real_program_sources xz-utils
    config "$whole_run"
    # With --enable-debug it ends its threads before it ends; else they run on while the last counts are taken.
    make_it env CC="$cc" CFLAGS="-g -O1 -w" CONFIG_SHELL=/bin/sh sh -c 'cd xz-utils && exec /bin/sh ./configure --enable-debug --disable-dependency-tracking \
        --disable-shared --disable-nls --disable-doc --disable-scripts'
    make_it compile_xz
    functions=150 threads=3
    compressed_and_back xz-utils/xz -- -T8 -1 --block-size=128KiB -c -- -d -T8 -c
}

# Nucleotides of sequences that descend from each other, in the format FASTA.
alignment() {
    awk 'BEGIN {
        srand(7)
        split("A C G T", base, " ")
        for (i = 1; i <= 100; i++) {
            printf ">s%d\n", i
            for (k = 1; k <= 100; k++)
                printf "%s", (s[i, k] = i > 1 && rand() < 0.9 ? s[int(i / 2), k] : base[int(rand() * 4) + 1])
            print ""
        }
    }'
}

# Issue: with OpenMP, both runtimes.
test_fasttree_with_openmp_has_exact_counts_and_the_same_output() {
    for_the_real_build
    real_program_sources fasttree
    config "$whole_run"
    alignment >input
    grep -n '#pragma omp parallel' fasttree/fasttree.c | cut -d: -f1 | sort -u >regions
    for compiler in gcc clang-16; do
        have $compiler || continue
        # shellcheck disable=SC2046,SC2086
        make_it $compiler $flags -fgnu89-inline -fopenmp -DOPENMP fasttree/fasttree.c -o fasttree/tree -lm $(link_flags)
        functions=100 threads=4
        OMP_NUM_THREADS=4 compare fasttree/tree -nt -nopr -quiet
        grouped_counts tree_all.log | sed -n 's/.*\tomp parallel .*:\([0-9]*\)$/\1/p' | sort -u | diff regions - ||
            fail "$compiler: the parallel regions of its source (<), by line, are not those of the profile (>)"
        stacks_of tree_all.log | grep -q '^MLQuartetOptimize<.*omp parallel MLQuartetNNI:' ||
            fail "$compiler: what workers call is not below the region of its caller"
    done
}

run_tests
