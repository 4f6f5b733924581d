# SPDX-License-Identifier: BSD-3-Clause
# How true the reported totals of real programs are.

# Of Debian's sources, where they can be fetched: each built as it is and with the flags that vftr flags prints. The error is that of what is reported
# as application time against the run of the same repetition that was not instrumented. The reported time is wall time, and what others did with
# the processor meanwhile is in neither: so it is the processor time of the recorded run less what is reported as overhead.
. "$source/test/system/real_programs/programs.sh"
. "$bench/whole_programs.sh"
variants="exact$(! has adaptive || echo ' adaptive')"
sources=${REAL_PROGRAMS:-$builddir/real_programs}
built=
# With clang's flags only calls are recorded that are there without them; gcc keeps the compiler from inlining what it instruments, which nobody can tell from the cost of hooks.
! have clang++ || CC=clang CXX=clang++
[ "$repeat" -le 3 ] || repeat=3

# build_total NAME PACKAGE: NAME.plain and NAME.empty, by the function build_NAME EXECUTABLE FLAGS.
build_total() {
    local name=$1 variant flags
    fetch_source "$2" "$sources" || { left_out "$name" 'its sources cannot be fetched (no network)'; return 0; }
    for variant in plain empty; do
        flags=-O2
        [ $variant = plain ] || flags+=" $("$builddir/vftr" flags "$CC") -L$shared -lhooks_empty -Wl,-rpath,$shared"
        "${name}_sources" "$sources/$2" "$PWD/$name.$variant" "$flags" >build_$variant.log 2>&1 &
    done
    wait
    { [ -x "$name.plain" ] && [ -x "$name.empty" ]; } || { left_out "$name" 'it cannot be built'; return 0; }
    built+=" $name"
}
# Lines "program repetition variant ns overhead_ns" of one run.
run_total() { # PROGRAM REPETITION VARIANT
    # shellcheck disable=SC2046
    once "$1" "$3" $(arguments_of "$1") >ignored 2>&1 || true # minisat's exit code is its answer
    awk -v at="$1 $2 $3" -v overhead="$(sed -n 's/^Overhead: *\([0-9.]*\) s$/\1/p' ./*_all.log 2>/dev/null)" '{ print at, $1, overhead * 1e9 }' spent
    rm -rf ./*vfd ./*.log vftrace_symbols spent
}

measure_totals() {
    local name i variant made=0 since=$SECONDS left="${built# } "
    for name in $built; do
        for ((i = 0; i < repeat; i++)); do
            for variant in plain empty $variants; do run_total "$name" $i "$variant"; done
        done
        made=$((made + repeat)) left=${left#* }
        keep_pace 3 $((SECONDS - since)) $made "$(wc -w <<<"$left")"
    done >runs
}

# middle PROGRAM 'EXPRESSION': the median over the repetitions; t[variant] is ns, o[variant] the reported overhead.
middle() {
    awk -v w="$1" 'function value() { return '"$2"' }
        $1 == w && $2 != last && n { print value(); n = 0 }
        $1 == w { t[$3] = $4; o[$3] = $5; last = $2; n++ }
        END { if (n) print value() }' runs | median
}

table_of_totals() {
    local name variant
    printf 'Application time as it is reported, and the recorded run as it is, as multiples of the run that is not instrumented.\n\n'
    printf '| | not instrumented | empty hooks |%s\n|---|---:|---:|' "$(for variant in $variants; do printf ' %s, as it ran | %s, reported |' "$variant" "$variant"; done)"
    for variant in $variants; do printf -- '---:|---:|'; done
    for name in $built; do
        printf '\n| %s | %.2f s | %.2f |' "$name" "$(middle "$name" 't["plain"] / 1e9')" "$(middle "$name" 't["empty"] / t["plain"]')"
        for variant in $variants; do
            printf ' %.2f | %.3f |' "$(middle "$name" "t[\"$variant\"] / t[\"plain\"]")" "$(middle "$name" "(t[\"$variant\"] - o[\"$variant\"]) / t[\"plain\"]")"
        done
    done
    printf '\n\n'
}

# The limit holds for what users have without saying anything. It is to be kept by five programs; what hooks cost depends on the code around them, and
# programs that do little else than call tiny functions, or whose time is that of misses of caches, are beyond what can be known: they are shown, too.
default=$("$builddir/vftr" config explain timing | sed -n 's/^ *Default: "\([a-z]*\)"$/\1/p')

$CC -O2 -c "$programs/spent.c" -o spent.o
build_total lua lua5.4
build_total bzip2 bzip2
build_total fasttree fasttree
build_total minisat minisat2
build_total minigzip zlib
build_total metis metis
build_total libsvm libsvm
build_total lame lame
build_total clustalw clustalw
make_inputs
measure_totals
table_of_totals | tee tables.md
near=0
for name in $built; do
    for variant in $variants; do
        error=$(middle "$name" "(t[\"$variant\"] - o[\"$variant\"]) / t[\"plain\"]" | awk '{ print 100 * ($1 > 1 ? $1 - 1 : 1 - $1) }')
        note "reported total, $name, $variant, error" "$error" '%'
        [ "$variant" != "$default" ] || near=$((near + $(awk -v e="$error" 'BEGIN { print (e <= 3) }')))
    done
done
figure "reported total within 3 %, $default" "$near" '>=5' "of $(wc -w <<<"$built")"
