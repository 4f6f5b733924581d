# SPDX-License-Identifier: BSD-3-Clause
# Profiles of real programs with plain hooks, held against a sampling profiler that looks at the same run.

. "$source/test/system/real_programs/programs.sh"
. "$bench/whole_programs.sh"
sources=${REAL_PROGRAMS:-$builddir/real_programs}
FC=${FC:-gfortran}
hooks="-O2 -g -finstrument-functions -L$builddir -lvftrace -Wl,-rpath,$builddir"
built=

build_sampled() { # NAME COMMAND… EXECUTABLE FLAGS
    local name=$1
    shift
    "$@" "$PWD/$name" "$hooks" >"build.log" 2>&1 || true
    if [ -x "$name" ]; then built+=" $name"; else left_out "$name" 'it cannot be built'; fi
}
# shellcheck disable=SC2086
of_ours() { # SOURCE EXECUTABLE FLAGS
    case $1 in
    *.f90) $FC "$programs/$1" "$PWD/spent.o" $3 -o "$2" ;;
    *) $CXX -std=c++17 -I/usr/include/eigen3 "$programs/$1" "$PWD/spent.o" $3 -o "$2" ;;
    esac
}
of_debian() { # NAME PACKAGE
    if fetch_source "$2" "$sources"; then build_sampled "$1" "${1}_sources" "$sources/$2"; else left_out "$1" 'its sources cannot be fetched (no network)'; fi
}

# Plain hooks make programs of tiny functions 20 to 100 times as slow: what is recorded of these takes some seconds, or longer where there are more minutes.
length=$((minutes < 20 ? 1 : minutes / 10))
fewer_arguments_of() {
    case $1 in
    hydro) echo 120 $((300 * length)) ;;
    particles) echo $((15 * length)) ;;
    words) echo $((6 * length)) ;;
    json) echo $((15 * length)) ;;
    matrices) echo $length ;;
    *) arguments_of "$1" ;;
    esac
}

# sample NAME CONFIGURATION: one run that both look at.
sample() {
    # shellcheck disable=SC2046
    VFTR_CONFIG=$PWD/$2.json perf record -q -F 999 -e cpu-clock:u -o perf.data "./$1" $(fewer_arguments_of "$1") >ignored 2>&1 || true # minisat's exit code is its answer
    perf script -i perf.data --no-demangle --show-mmap-events -F ip,sym,dso --comm "${1:0:15}" >perf.samples 2>ignored
    "$builddir/vftr" report --format=csv "./$1_0.vfd" >rows
    python3 "$bench/sampled_shares.py" "./$1" perf.samples rows "functions.$2" >>"programs.$2"
    rm -rf ./*vfd ./*.log vftrace_symbols spent perf.data perf.samples
}

# Figures of a configuration, of the files functions.NAME and programs.NAME. Without samples there are limits to what can be known.
figures_of() { # CONFIGURATION TITLE
    awk '{ d = $3 > $4 ? $3 - $4 : $4 - $3; good += d <= 2 || d <= $5 } END { print 100 * good / NR }' "functions.$1" >near
    figure "$2: functions as perf has them" "$(cat near)" '>=95' '%'
    if [ "$1" != model ]; then
        figure "$2: application time within 3 %" "$(awk '{ r = $3 / $2; n += r > 0.97 && r < 1.03 } END { print n }' "programs.$1")" ">=$(wc -w <<<"$built")" "of $(wc -w <<<"$built")"
        figure "$2: order of functions, median tau" "$(awk '{ print $6 }' "programs.$1" | median)" '>=0.9' ''
    fi
    {
        printf '| %s | application by perf | ours | hooks by perf | in libraries | tau |\n|---|---:|---:|---:|---:|---:|\n' "$2"
        awk '{ printf "| %s | %.2f s | %.2f s | %.2f s | %.1f %% | %.2f |\n", $1, $2, $3, $4, $5, $6 }' "programs.$1"
        printf '\n'
        awk '{ d = $3 > $4 ? $3 - $4 : $4 - $3; if (d > 2 && d > $5) printf "- %s: %s has %.1f %% by perf, %.1f %% by vftrace.\n", $1, substr($2, 1, 60), $3, $4 } END { print "" }' "functions.$1"
    } | tee -a tables.md
}

if have perf && have python3; then
    echo '{"demangle_cxx": false, "timing_samples": 1000, "sampling": {"active": true}}' >adaptive.json
    echo '{"demangle_cxx": false, "timing_samples": "off", "sampling": {"active": true}}' >model.json
    echo '{"demangle_cxx": false, "timing_samples": 1000, "sampling": {"active": true}, "timing": "budget"}' >budget.json
    $CC -O2 -c "$programs/spent.c" -o spent.o
    for program in hydro.cpp particles.cpp words.cpp json.cpp matrices.cpp waves.f90 sparse.f90; do build_sampled "${program%.*}" of_ours $program; done
    of_debian lua lua5.4
    of_debian bzip2 bzip2
    of_debian fasttree fasttree
    of_debian minisat minisat2
    of_debian libsvm libsvm
    make_inputs
    for name in $built; do
        sample "$name" adaptive
        sample "$name" model
        sample "$name" budget
    done
    figures_of adaptive 'plain hooks'
    figures_of model 'plain hooks without samples'
    figures_of budget 'budget of 3 %'
    # By default as many as cost little, which depends on the machine.
    $CC -O1 "$programs/sampled_blocks.c" -o sampled_blocks
    echo '{"sampling": {"active": true}}' >default.json
    for _ in 1 2 3 4 5; do
        VFTR_CONFIG=$PWD/default.json ./words 1 >ignored
        "$builddir/vftr" dump --skip_samples --show_records words_0.vfd | awk -v cost="$(./sampled_blocks)" '/^CPU samples, each of/ { print 100 * cost / $5; exit }'
    done | median >part
    figure 'CPU time that samples take by default' "$(cat part)" '<=0.2' '%'
    rm -rf ./*vfd ./*.log vftrace_symbols
else
    left_out 'profiles beside a sampling profiler' 'there is no perf (Debian: linux-perf) or no python3'
fi
