# SPDX-License-Identifier: BSD-3-Clause
# Comparing builds of real programs: how often equal ones differ, and how often a function that does 5 % more is found.

# FastTree (C) and LIBSVM's svm-train (C++) of Debian's sources, with the flags that vftr flags prints. In each, one function does 5 % more of what it does anyway where the
# macro MORE says so; both builds have the same code but for one number, so that nothing else differs. They run in pairs by vftr ab --together, as this is
# to hold beside other work, too; the comparisons are of ten pairs each that are drawn from these.
. "$source/test/system/real_programs/programs.sh"
. "$bench/whole_programs.sh"
sources=${REAL_PROGRAMS:-$builddir/real_programs}
PAIRS=${PAIRS:-50} TRIALS=${TRIALS:-100} AT_ONCE=10

# SHSupport resamples columns 1000 times: MORE more of it do not count.
fasttree_changed() {
    sed '/^double SHSupport.*{/,/^}/{
        s/int iBoot;/int iBoot; static volatile int more = MORE;/
        s/iBoot < nBootstrap; iBoot++/iBoot < nBootstrap + more * nBootstrap \/ 100; iBoot++/
        s/col\[iBoot\*lPos+j\]/col[(iBoot < nBootstrap ? iBoot : iBoot - nBootstrap)*lPos+j]/
        s/if (resampleDelta < delta)/if (resampleDelta < delta \&\& iBoot < nBootstrap)/
    }' "$1/fasttree.c" >"$1/changed.c"
    mv "$1/changed.c" "$1/fasttree.c"
    grep -q 'static volatile int more' "$1/fasttree.c"
}
# Solver::select_working_set does all its work a second time in MORE of 100 calls.
libsvm_changed() {
    awk '/^int Solver::select_working_set/ { inside = 1 }
        inside && /out_i = Gmax_idx;/ { print "\tif (again) { again = false; goto once_more; }" }
        { print }
        inside && /^{/ { print "\tstatic volatile int more = MORE; static int left;\n\tbool again = (left += more) >= 100;\n\tif (again) left -= 100;\nonce_more:" }
        inside && /^}/ { inside = 0 }' "$1/svm.cpp" >"$1/changed.cpp"
    mv "$1/changed.cpp" "$1/svm.cpp"
    grep -q once_more: "$1/svm.cpp"
}

# built NAME PACKAGE COMPILER: NAME.0, and NAME.5 with 5 % more.
built() {
    local more flags
    fetch_source "$2" "$sources" || { left_out "$1" 'its sources cannot be fetched (no network)'; return 1; }
    cp -r "$sources/$2" "$1.d" && "$1_changed" "$1.d" || { left_out "$1" 'its sources are others'; return 1; }
    for more in 0 5; do
        flags="-O2 -DMORE=$more $("$builddir/vftr" flags "$3") -L$builddir -lvftrace -Wl,-rpath,$builddir"
        "$1_sources" "$PWD/$1.d" "$PWD/$1.$more" "$flags" >"build_$1.$more.log" 2>&1 &
    done
    wait
    { [ -x "$1.0" ] && [ -x "$1.5" ]; } || { left_out "$1" 'it cannot be built'; return 1; }
}

# drawn COUNT SEED: that many numbers of pairs, the same for each seed.
drawn() { seq "$PAIRS" | shuf -n "$1" --random-source=<(yes "$2"); }
slower_and_faster() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "verdict") at = NF - i } $(NF - at) ~ /^(slower|faster)$/ { print $0 }'; }
# findings FOLDER SEED [turned]: the rows with a finding of ten pairs of those in the folder; `turned` has one of two pairs the other way round.
findings() {
    local pair base=() next=() turn=0
    for pair in $(drawn $AT_ONCE "$2"); do
        [ -z "${3:-}" ] || turn=$(((pair * 7 + $2) / 3 % 2))
        if [ $turn = 0 ]; then base+=("$1/base.$pair") next+=("$1/new.$pair"); else base+=("$1/new.$pair") next+=("$1/base.$pair"); fi
    done
    "$builddir/vftr" diff --paired --format=csv "${base[@]}" -- "${next[@]}" | slower_and_faster
}

# compared NAME FUNCTION ARGUMENT…: its lines of the table.
compared() {
    local name=$1 function=$2 trial any=0 found=0 others=0
    shift 2
    "$builddir/vftr" ab -n "$PAIRS" --together --only-recorded -o "$name.same" --base "./$name.0" "$@" --new "./$name.0" "$@" >"$name.same.txt"
    "$builddir/vftr" ab -n "$PAIRS" --together --only-recorded -o "$name.changed" --base "./$name.0" "$@" --new "./$name.5" "$@" >"$name.changed.txt"
    for ((trial = 1; trial <= TRIALS; trial++)); do
        findings "$name.same" $trial turned >found
        [ ! -s found ] || any=$((any + 1))
        findings "$name.changed" $trial >found
        ! grep -q "$function.*,slower," found || found=$((found + 1))
        ! grep -qv "$function.*,slower," found || others=$((others + 1))
    done
    figure "$name and itself, 10 pairs: findings" $((100 * any / TRIALS)) '<=5' '%'
    figure "  $function 5 % slower: found" $((100 * found / TRIALS)) '>=95' '%'
    figure '  other functions blamed' $((100 * others / TRIALS)) '<=5' '%'
    note '  half of the 95 % interval of its ratio' "$(half_interval "$name.changed" "$function")" '%'
}
# half_interval FOLDER FUNCTION: of its ratio by the first ten pairs, in percent.
half_interval() {
    "$builddir/vftr" diff --paired --format=csv "$1"/base.{1..10} -- "$1"/new.{1..10} | tr -d '"' |
        awk -F, -v f="$2" 'NR == 1 { for (i = 1; i <= NF; i++) from_end[$i] = NF - i } index($0, f) { print 50 * ($(NF - from_end["high"]) - $(NF - from_end["low"])) }'
}

: | $CC -c -x c - -o spent.o # what the recipes link, and nothing here reads
alignment_of 20 >alignment
classes_of 6000 >classes
! built fasttree fasttree "$CC" || compared fasttree SHSupport -nt -quiet alignment
! built libsvm libsvm "$CXX" || compared libsvm Solver::select_working_set -q -c 10 classes /dev/null
