# SPDX-License-Identifier: BSD-3-Clause
# How true the reported totals of real programs are.

# Of Debian's sources, where they can be fetched: each built as it is and with the flags that vftr flags prints. The error is that of what is reported
# as application time against the run of the same repetition that was not instrumented. The reported time is wall time, and what others did with
# the processor meanwhile is in neither: so it is the processor time of the recorded run less what is reported as overhead.
. "$source/test/system/real_programs/programs.sh"
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
# shellcheck disable=SC2046,SC2086
lua_sources() { $CC $3 -DLUA_USE_POSIX '-Dluai_makeseed(L)=42u' $(ls "$1"/src/*.c | grep -v luac.c) "$PWD/spent.o" -o "$2" -lm; }
# shellcheck disable=SC2086
bzip2_sources() { (cd "$1" && $CC $3 blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c bzip2.c "$OLDPWD/spent.o" -o "$2"); }
# shellcheck disable=SC2086
fasttree_sources() { $CC $3 -w -fgnu89-inline "$1/fasttree.c" "$PWD/spent.o" -o "$2" -lm; }
# shellcheck disable=SC2086
minisat_sources() {
    # Newer compilers want the default where the function is defined.
    sed -i 's/friend Lit mkLit(Var var, bool sign = false)/friend Lit mkLit(Var var, bool sign)/; s/inline  Lit  mkLit     (Var var, bool sign)/inline Lit mkLit(Var var, bool sign = false)/' \
        "$1/minisat/core/SolverTypes.h"
    $CXX $3 -w -std=gnu++98 -fpermissive -D__STDC_LIMIT_MACROS -D__STDC_FORMAT_MACROS -I"$1" "$1"/minisat/core/*.cc "$1"/minisat/utils/*.cc "$PWD/spent.o" -o "$2" -lz
}
# shellcheck disable=SC2086
minigzip_sources() { (cd "$1" && $CC $3 -DHAVE_UNISTD_H -w ./*.c test/minigzip.c "$OLDPWD/spent.o" -o "$2"); }

# shellcheck disable=SC2086
metis_sources() {
    (cd "$1" && $CC $3 -w -std=gnu99 -DNDEBUG '-DSVNINFO=""' -IGKlib -Iinclude -Ilibmetis -Iprograms GKlib/*.c libmetis/*.c \
        programs/{gpmetis,cmdline_gpmetis,io,stat,smbfactor}.c "$OLDPWD/spent.o" -o "$2" -lm)
}
# shellcheck disable=SC2086
libsvm_sources() { $CXX $3 -w "$1/svm.cpp" "$1/svm-train.c" "$PWD/spent.o" -o "$2"; }
# shellcheck disable=SC2086
lame_sources() {
    $CC $3 -w -DSTDC_HEADERS -DHAVE_STRCHR -DHAVE_MEMCPY -DHAVE_STDINT_H -DHAVE_LIMITS_H -DHAVE_ERRNO_H -DHAVE_FCNTL_H -DTAKEHIRO_IEEE754_HACK \
        -Dieee754_float32_t=float '-DPACKAGE="lame"' -I"$1/include" -I"$1/libmp3lame" -I"$1/mpglib" "$1"/libmp3lame/*.c \
        "$1"/frontend/{lame_main,lametime,parse,console,get_audio,timestatus,brhist,main}.c "$PWD/spent.o" -o "$2" -lm
}

# shellcheck disable=SC2046,SC2086
clustalw_sources() {
    # config.h would say this, and older headers brought the others along.
    $CXX $3 -w -DOS_UNIX '-DPACKAGE_VERSION="2"' -include climits -include cstring -include cstdlib -I"$1/src" \
        $(find "$1/src" -name '*.cpp' | grep -v 'QTest\|unitTests') "$PWD/spent.o" -o "$2"
}

# What they are run with: a second of work or so, as what is reported has two digits behind the point; the same on each run.
arguments_of() {
    case $1 in
    metis) echo -nooutput "$sources/metis/graphs/mdual.graph" 1000 ;;
    libsvm) echo -q -c 10 classes model ;;
    lame) echo -r -m m --quiet sound sound.mp3 ;;
    clustalw) echo -INFILE=proteins -OUTFILE=aligned -OUTPUT=CLUSTAL ;;
    lua) echo repeated.lua ;;
    bzip2 | minigzip) echo -9 -c text ;;
    fasttree) echo -nt -quiet alignment ;;
    minisat) echo -verb=0 formula ;;
    esac
}
make_inputs() {
    local i
    echo "for i = 1, 60 do dofile('$source/examples/bench.lua') end" >repeated.lua
    for ((i = 0; i < 16; i++)); do cat "$sources"/*/*.c; done | head -c 48000000 >text
    awk 'BEGIN {
        srand(7)
        for (i = 0; i < 400; i++) first[i] = substr("ACGT", 1 + int(rand() * 4), 1)
        for (s = 0; s < 300; s++) {
            line = ""
            for (i = 0; i < 400; i++) line = line (rand() < 0.15 + 0.03 * (s % 7) ? substr("ACGT", 1 + int(rand() * 4), 1) : first[i])
            print ">s" s "\n" line
        }
    }' >alignment
    awk 'BEGIN {
        srand(3)
        letters = "ACDEFGHIKLMNPQRSTVWY"
        for (i = 0; i < 300; i++) first[i] = substr(letters, 1 + int(rand() * 20), 1)
        for (s = 0; s < 40; s++) {
            line = ""
            for (i = 0; i < 300; i++) line = line (rand() < 0.3 ? substr(letters, 1 + int(rand() * 20), 1) : first[i])
            print ">s" s "\n" line
        }
    }' >proteins
    awk 'BEGIN {
        srand(4)
        for (i = 0; i < 16000; i++) {
            line = ""
            for (k = s = 0; k < 12; k++) {
                v = 2 * rand() - 1
                s += v * (k % 3 - 1)
                line = line " " k + 1 ":" v
            }
            print (s + rand() > 0.5 ? "+1" : "-1") line
        }
    }' >classes
    # Four minutes: two tones and noise.
    LC_ALL=C awk 'BEGIN {
        srand(2)
        for (i = 0; i < 44100 * 240; i++) {
            v = int(8000 * sin(i * 0.05) + 4000 * sin(i * 0.31) + 4000 * rand()) + 20000
            printf "%c%c", 1 + v % 255, 1 + v / 256
        }
    }' >sound
    awk 'BEGIN {
        srand(5)
        print "p cnf 260 1108"
        for (i = 0; i < 1108; i++) {
            for (k = 0; k < 3; k++) printf "%d ", (rand() < 0.5 ? 1 : -1) * (1 + int(rand() * 260))
            print 0
        }
    }' >formula
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

# For the README, with the default.
short_table() {
    local name
    printf '| whole programs, with the default | not instrumented | as it ran | reported |\n|---|---:|---:|---:|'
    for name in $built; do
        printf '\n| %s | %.2f s | %.2f × | %.3f × |' "$name" "$(middle "$name" 't["plain"] / 1e9')" "$(middle "$name" "t[\"$default\"] / t[\"plain\"]")" \
            "$(middle "$name" "(t[\"$default\"] - o[\"$default\"]) / t[\"plain\"]")"
    done
    printf '\n\n'
}

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
short_table >short.md
near=0
for name in $built; do
    for variant in $variants; do
        error=$(middle "$name" "(t[\"$variant\"] - o[\"$variant\"]) / t[\"plain\"]" | awk '{ print 100 * ($1 > 1 ? $1 - 1 : 1 - $1) }')
        note "reported total, $name, $variant, error" "$error" '%'
        [ "$variant" != "$default" ] || near=$((near + $(awk -v e="$error" 'BEGIN { print (e <= 3) }')))
    done
done
figure "reported total within 3 %, $default" "$near" '>=5' "of $(wc -w <<<"$built")"
