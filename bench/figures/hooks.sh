# SPDX-License-Identifier: BSD-3-Clause
# What programs cost that are compiled as vftr flags says.

# Whole programs in C, C++ and Fortran by gcc -O2: as they are, with plain -finstrument-functions, and with the plugin that vftr flags prints; the latter two recorded, with
# the default timing, and the last one with a budget of 3 %, too. Both are linked with hooks that return at once, and vftrace is preloaded.
. "$source/test/system/real_programs/programs.sh"
. "$bench/whole_programs.sh"
sources=${REAL_PROGRAMS:-$builddir/real_programs}
FC=${FC:-gfortran}
built=
[ "$repeat" -le 3 ] || repeat=3

flags_of() { # VARIANT LANGUAGE
    case $1 in
    plain) echo -O2 -g ;;
    hooks) echo "-O2 -g -finstrument-functions -L$shared -lhooks_empty -Wl,-rpath,$shared" ;;
    plugin) echo "-O2 $("$builddir/vftr" flags "$2") -L$shared -lhooks_empty -Wl,-rpath,$shared" ;;
    esac
}

# build_each NAME LANGUAGE COMMAND…: NAME.plain, NAME.hooks and NAME.plugin, each by COMMAND EXECUTABLE FLAGS; in `compiled` the seconds that this took.
build_each() {
    local name=$1 language=$2 variant begun TIMEFORMAT=%U
    shift 2
    for variant in plain hooks plugin; do
        begun=$({ time "$@" "$PWD/$name.$variant" "$(flags_of $variant "$language")" >"build_$variant.log" 2>&1; } 2>&1) || true
        [ -x "$name.$variant" ] || { left_out "$name" 'it cannot be built'; return 0; }
        echo "$name $variant $begun" >>compiled
    done
    built+=" $name"
}
# shellcheck disable=SC2086
of_ours() { # SOURCE EXECUTABLE FLAGS
    case $1 in
    *.f90) $FC $3 "$programs/$1" "$PWD/spent.o" -o "$2" ;;
    *) $CXX -std=c++17 $3 -I/usr/include/eigen3 "$programs/$1" "$PWD/spent.o" -o "$2" ;;
    esac
}
of_debian() { # NAME PACKAGE LANGUAGE
    fetch_source "$2" "$sources" || { left_out "$1" 'its sources cannot be fetched (no network)'; return 0; }
    build_each "$1" "$3" "${1}_sources" "$sources/$2"
}

build_all() {
    local program
    for program in hydro.cpp particles.cpp words.cpp json.cpp matrices.cpp; do build_each "${program%.cpp}" g++ of_ours $program; done
    for program in waves.f90 sparse.f90; do build_each "${program%.f90}" gfortran of_ours $program; done
    of_debian lua lua5.4 gcc
    of_debian bzip2 bzip2 gcc
    of_debian minigzip zlib gcc
    of_debian fasttree fasttree gcc
    of_debian metis metis gcc
    of_debian lame lame gcc
    of_debian minisat minisat2 g++
    of_debian libsvm libsvm g++
    of_debian clustalw clustalw g++
}

as_hooks() { local name=$1 && shift && VFTR_CONFIG=$shared/adaptive.json LD_PRELOAD=$builddir/libvftrace.so "./$name.hooks" "$@"; }
as_plugin() { local name=$1 && shift && VFTR_CONFIG=${config:-$shared/adaptive.json} LD_PRELOAD=$builddir/libvftrace.so "./$name.plugin" "$@"; }
as_budget() { config=$PWD/budget.json as_plugin "$@"; }
as_named() { config=$PWD/named.json as_plugin "$@"; }
echo '{"timing": "budget"}' >budget.json
echo '{"demangle_cxx": false, "max_name_width": 0, "name_grouped_profile_table": {"max_rows": 0, "min_percent": 0}}' >named.json

# Lines "program repetition variant ns overhead_ns calls". Plain hooks run once, as they may take fifty times as long; not with WITHOUT_PLAIN_HOOKS=yes.
measure_hooks() {
    local name i variant
    for name in $built; do
        for ((i = 0; i < repeat; i++)); do
            for variant in plain plugin budget hooks; do
                [ $variant != hooks ] || { [ $i = 0 ] && [ -z "${WITHOUT_PLAIN_HOOKS:-}" ]; } || continue
                # shellcheck disable=SC2046
                once "$name" $variant $(arguments_of "$name") >ignored 2>&1 || true # minisat's exit code is its answer
                awk -v at="$name $i $variant" -v overhead="$(sed -n 's/^Overhead: *\([0-9.]*\) s$/\1/p' ./*_all.log 2>/dev/null)" \
                    -v calls="$(awk -F'|' '/Grouped by function name/ { on = 1 } on && NF > 6 && $2 + 0 > 0 { n += $2 } on && n && /^$/ { exit } END { print n + 0 }' ./*_all.log 2>/dev/null)" \
                    '{ print at, $1, overhead * 1e9, calls + 0 }' spent
                rm -rf ./*vfd ./*.log vftrace_symbols spent
            done
        done
    done >runs
}

# middle PROGRAM 'EXPRESSION': the median over the repetitions; t[variant] is ns, o[variant] the reported overhead, n[variant] the calls.
middle() {
    awk -v w="$1" 'function value() { return '"$2"' }
        $1 == w && $2 != last && any { print value(); any = 0 }
        $1 == w { t[$3] = $4; o[$3] = $5; n[$3] = $6; last = $2; any = 1 }
        END { if (any) print value() }' runs | median
}
recorded() { middle "$1" 't["plugin"] / t["plain"]'; }
reported() { middle "$1" '(t["plugin"] - o["plugin"]) / t["plain"]'; }

table_of_hooks() {
    local name
    printf '| whole programs | not instrumented | plain hooks | calls | plugin | calls | reported | budget |\n|---|---:|---:|---:|---:|---:|---:|---:|'
    for name in $built; do
        printf '\n| %s | %.2f s | %.2f × | %.1f M | %.3f × | %.2f M | %.3f × | %.3f × |' "$name" "$(middle "$name" 't["plain"] / 1e9')" "$(middle "$name" 't["hooks"] / t["plain"]')" \
            "$(middle "$name" 'n["hooks"] / 1e6')" "$(recorded "$name")" "$(middle "$name" 'n["plugin"] / 1e6')" "$(reported "$name")" "$(middle "$name" 't["budget"] / t["plain"]')"
    done
    printf '\n\n'
}

# Lines "program function percent seen": of the functions in which a sampling profiler finds at least 1 % of the time of the program that is not instrumented, whether they have a
# row in our profile, or are part of another function in the program that was recorded (0 or 1).
without_clones() { sed -E 's/[.](isra|constprop|part|cold|lto_priv).*//; s/^__([a-z0-9_]+)_MOD_/\1::/; s/^MAIN__$/MAIN/'; }
sample_functions() {
    local name
    for name in $built; do
        # shellcheck disable=SC2046
        perf record -q -F 997 -e cpu-clock -o perf.data "./$name.plain" $(arguments_of "$name") >ignored 2>&1 || true
        perf report -i perf.data --stdio --no-children --no-demangle -q -F overhead,sym --dsos "$name.plain" 2>ignored |
            awk '$1 + 0 >= 1 { print $1 + 0, $3 }' >sampled || true
        # shellcheck disable=SC2046
        once "$name" named $(arguments_of "$name") >ignored 2>&1 || true
        awk -F'|' '/Grouped by function name/ { on = 1 } on && NF > 6 { gsub(/ /, "", $6); print $6 } on && rows++ > 3 && /^$/ { exit }' ./*_all.log | without_clones | sort -u >rows
        nm "$name.plugin" | awk '{ print $NF }' | without_clones | sort -u >symbols
        while read -r percent function; do
            function=$(without_clones <<<"$function")
            echo "$name $function $percent $(! grep -qxF -- "$function" symbols || grep -cxF -- "$function" rows)"
        done <sampled | awk '{ print $1, $2, $3, NF < 4 || $4 }'
        rm -rf ./*vfd ./*.log vftrace_symbols
    done
}

$CC -O2 -c "$programs/spent.c" -o spent.o
: >compiled
build_all
make_inputs
measure_hooks
table_of_hooks | tee tables.md short.md
if have perf; then
    sample_functions >sampled_functions
    figure "functions of 1 % and more of the time that are seen" "$(awk '{ n += $4 } END { print 100 * n / NR }' sampled_functions)" '>=100' 'of 100'
    awk '!$4 { printf "- %s: %s has %.1f %% of the time and no row.\n", $1, $2, $3 } END { print "" }' sampled_functions >>tables.md
else
    left_out 'functions of 1 % and more of the time that are seen' 'there is no perf (Debian: linux-perf)'
fi
for name in $built; do recorded "$name"; done >ratios
for name in $built; do reported "$name"; done >totals
figure "recorded with the plugin, geometric mean" "$(awk '{ s += log($1) } END { print exp(s / NR) }' ratios)" '<=1.05' times
figure "recorded with a budget of 3 %, geometric mean" "$(for name in $built; do middle "$name" 't["budget"] / t["plain"]'; done | awk '{ s += log($1) } END { print exp(s / NR) }')" '<=1.05' times
figure "recorded with the plugin, the dearest" "$(sort -n ratios | tail -1)" '<=1.3' times
figure "reported total within 3 %" "$(awk '{ n += $1 >= 0.97 && $1 <= 1.03 } END { print n * 12 / NR }' totals)" '>=10' "of 12"
figure "time of compiling with the plugin" "$(awk '{ t[$2] += $3 } END { print t["plugin"] / t["plain"] }' compiled)" '<=1.03' times
