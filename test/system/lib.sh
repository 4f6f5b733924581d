# SPDX-License-Identifier: BSD-3-Clause
#
# The harness of the system tests; bash, sourced by every script here. A script is a group of behaviours, a function
# test_<behaviour> in it is one test: run in a directory of its own, in a subshell that the first failure ends. The
# last line of a script is run_tests.
#
# From automake: srcdir, CC, CXX, FC, MPICC, NM. VFTR in the environment is the command of another build, for one that has none. CASES=<glob> in the environment runs only the tests that match.
#
# Programs are compiled by the C compiler in `cc` and the C++ compiler in `cxx`; with_each_compiler sets both to gcc
# and clang in turn, or to what COMPILERS in the environment names: of several builds, each can have the programs of its own compiler. `linkage` says how vftrace comes in: shared,
# archive (libvftrace.a in a dynamic executable), static and static-pie (all of it) or none.
set -u

builddir=$PWD
# What programs of the tests link that call the rooms themselves, in the order in which they need each other.
core_libraries=("$builddir"/lib{recorder,analysis,foundation}.a)
# An object of a unity build holds a dozen sources, and asks for what the others of these need.
built_in_units() { [ -e "$builddir/unity/recorder_1.o" ]; }
! built_in_units || core_libraries+=('-Wl,--unresolved-symbols=ignore-all')
srcdir=$(cd "${srcdir:-.}" && pwd)
case $(cd "$srcdir" && pwd) in */test/system) srcdir=${srcdir%/test/system} ;; esac
vftr=${VFTR:-$builddir/vftr}
count_calls=$builddir/libcount_calls.so
cc=${CC:-gcc} cxx=${CXX:-g++}
linkage=shared
. "$srcdir/test/support/only_this_vftrace.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs the tests
# Open MPI and hwloc look at each start for networks and devices, and set up memory for them: a third of the time of a small job, for nothing that is tested here.
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_mtl=^ofi,psm,psm2 PMIX_MCA_gds=hash HWLOC_COMPONENTS=-pci,-linuxio,-opencl,-gl,-cuda,-nvml
run_limit=300 # seconds that a program may take before it counts as hung

fail() {
    printf '  %s\n' "$*"
    exit 1
}

# The rest of the test cannot be shown here.
skip() {
    printf '  skipped: %s\n' "$*"
    exit 77
}

have() { command -v "$1" >/dev/null 2>&1; }

# has LIBRARY: whether this build knows it (ZSTD, LIBDW). needs LIBRARY: the test is of no use without.
has() { grep -q "^#define HAVE_$1 1" "$builddir/config.h"; }
needs() { has "$1" || skip "built without $1"; }
# python_with MODULE: `python` is a Python 3 that has it. (Debian's modules are those of its own python3, which need not be the first one.)
python_with() {
    for python in python3 /usr/bin/python3; do
        ! "$python" -c "import $1" 2>/dev/null || return 0
    done
    skip "there is no $1 for python3"
}
# as_if_missing LIBRARY.so.N COMMAND…: runs it where a library of this name has nothing of it.
as_if_missing() {
    local library=$1
    shift
    [ -e missing/"$library" ] || { mkdir -p missing && $cc -shared -fPIC -x c /dev/null -o missing/"$library"; } || fail "no $library"
    run env LD_LIBRARY_PATH="$PWD/missing" "$@"
}

# begin PROGRAM ARGUMENT…: starts it in the background until it prints a line (kept in `pid`: most print theirs); it waits for
# input, which end_it gives: then its exit code is in `status`.
begin() {
    [ -p in ] || mkfifo in
    rm -f ready
    timeout -k 1 "$run_limit" "$@" <in >ready 2>err.program &
    job=$!
    exec 9>in
    until [ -s ready ] || ! kill -0 $job 2>/dev/null; do sleep 0.01; done
    [ -s ready ] || fail "it does not start: $(cat err.program)"
    read -r pid <ready
}
end_it() {
    echo >&9
    exec 9>&-
    status=0
    wait $job || status=$?
}

# run_test NAME FOLDER: runs it there, with its output in FOLDER.log; sets code. TIMES in the environment is a file that gets a line for
# each: the seconds that it took, those of processor time in user and kernel mode, and which it is.
run_test() {
    local TIMEFORMAT='%1R %1U %1S'
    mkdir "$2"
    { time { (cd "$2" && "$1") >"$2.log" 2>&1; }; } 2>"$2.time"
    code=$?
    [ -z "${TIMES:-}" ] || echo "$(cat "$2.time") ${0##*test/} $1" >>"$TIMES"
}

# Runs every test_* function of the script, in the order of their definition; what one of them leaves in the folder `shared` is there for the
# next ones, which make it themselves where it is not. With AGAIN=FILE one that fails is run a second time, and
# where it passes then, FILE gets a line that says so and what it said before: where the machine has other work, a test can be late.
run_tests() {
    local work shared name code failed=0 passed=0 skipped=0
    work=$(mktemp -d) || exit 99
    shared=$work/shared
    mkdir "$shared"
    # A core dump of a program that is meant to crash must not litter the directory.
    ulimit -S -c 0
    shopt -s extdebug
    for name in $(declare -F | awk '$3 ~ /^test_/ {print $3}' |
        while read -r f; do declare -F "$f"; done | sort -k2,2n | cut -d' ' -f1); do
        [[ ${name#test_} == ${CASES:-*} ]] || continue
        run_test "$name" "$work/$name"
        if [ -n "${AGAIN:-}" ] && [ $code != 0 ] && [ $code != 77 ]; then
            run_test "$name" "$work/$name.again"
            [ $code != 0 ] || { echo "${0##*/}: $name" && sed 's/^/  /' "$work/$name.log"; } >>"$AGAIN"
        fi
        case $code in
        0) passed=$((passed + 1)) && echo "ok: $name" ;;
        77) skipped=$((skipped + 1)) && echo "skip: $name" ;;
        *) failed=$((failed + 1)) && echo "FAILED: $name" ;;
        esac
        [ $code = 0 ] || cat "$work/$name.log"
        [ $code = 0 ] || [ $code = 77 ] || [ ! -s "$work/$name/err" ] || sed 's/^/  stderr: /;20q' "$work/$name/err"
    done
    if [ -n "${KEEP:-}" ]; then echo "kept in $work"; else rm -rf "$work"; fi
    [ $failed = 0 ] || exit 1
    [ $passed = 0 ] && [ $skipped != 0 ] && exit 77
    exit 0
}

# clock.so: preloaded, each look at a clock finds it a second later, so that what is shown after a second is shown at once.
build_fast_clock() {
    echo '#include <time.h>
int clock_gettime(clockid_t id, struct timespec *now) { static long seconds; (void)id; now->tv_sec = ++seconds; now->tv_nsec = 0; return 0; }' >clock.c
    $cc -shared -fPIC clock.c -o clock.so || fail "clock.so does not build"
}

# with_each_compiler COMMAND…: runs it with cc and cxx set to each compiler that is here.
with_each_compiler() {
    for cc in ${COMPILERS-gcc clang}; do
        have $cc || continue
        cxx=${cc/gcc/g++} cxx=${cxx/clang/clang++}
        have "$cxx" || continue
        "$@"
    done
}

# The linker flags for the vftrace of the build tree.
link_flags() {
    case $linkage in
    shared) echo "-L$builddir -lvftrace -Wl,-rpath,$builddir" ;;
    archive) echo "$builddir/libvftrace.a $(archive_libs) -Wl,--no-as-needed -lcjson -ldl" ;;
    static*) echo "-$linkage $builddir/libvftrace.a $(archive_libs)" ;;
    none) ;;
    esac
}
archive_libs() { PKG_CONFIG_PATH=$builddir/share_src/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} pkg-config --static --libs-only-l vftrace | sed 's/-lvftrace//'; }

# build NAME [FLAGS…]: compiles NAME.c, NAME.cpp or NAME.F90 (here, else in programs/), instrumented, to ./NAME.
# The source may come on stdin: build NAME.c [FLAGS…] <<'END'
# instrument= build … compiles without instrumentation.
build() {
    local name=$1 source compiler
    shift
    case $name in
    *.*)
        cat >"$name"
        source=$name name=${name%.*}
        ;;
    *)
        for source in {.,"$srcdir/test/system/programs"}/"$name".{c,cpp,F90}; do
            [ ! -e "$source" ] || break
        done
        ;;
    esac
    case $source in
    *.cpp) compiler=$cxx ;;
    *.F90) compiler=${FC:-gfortran} ;;
    *) compiler=$cc ;;
    esac
    # shellcheck disable=SC2046,SC2086
    $compiler -g ${instrument--finstrument-functions} -I"$srcdir/include" -I"$builddir" -pthread ${optimise--O0} "$source" -o "$name" \
        "$@" $(link_flags) 2>build.err || {
        cat build.err
        fail "$compiler cannot build $source"
    }
}

# config '{JSON}': the configuration of the runs that follow. Without an argument: what the checks below need, which
# is the grouped table in full, and whole call stacks; more options may follow as further members: config '"sampling": {"active": true}'.
# Without CPU samples, as these are where a program happens to be, and have call paths of their own.
config() {
    local whole='"max_name_width": 0, '
    [[ ${1-} != *max_name_width* ]] || whole=""
    [[ ${1-} == *timing_samples* ]] || whole+='"timing_samples": "off", '
    [[ ${1-} == *'"stacklist"'* ]] || whole+='"stacklist": {"max_width": 0}, '
    printf '{%s"name_grouped_profile_table": {"min_percent": 0, "max_rows": 0},
"profile_table": {"max_rows": 0}%s}\n' "$whole" "${1:+, $1}" >config.json
    export VFTR_CONFIG=$PWD/config.json
}

# run COMMAND…: status, and the files out and err.
# A static program cannot read a configuration where there is no static cJSON (as in Debian): it runs with the
# defaults, and its log is made again from its profile with the configuration of the test.
run() {
    local merged program_config=${VFTR_CONFIG-}
    [[ $linkage != static* ]] || unset VFTR_CONFIG
    status=0
    timeout -k 1 "$run_limit" "$@" >out 2>err || status=$?
    if [[ $linkage == static* ]] && [ -n "$program_config" ]; then
        export VFTR_CONFIG=$program_config
        for merged in *_all.vfd; do
            [ ! -e "$merged" ] || expect_file "${merged%.vfd}.log"
            [ ! -e "$merged" ] || "$vftr" report --config "$VFTR_CONFIG" "$merged" >"${merged%.vfd}.log" || fail "vftr report"
        done
    fi
    [ $status != 124 ] && [ $status != 137 ] || [ -n "${may_be_killed:-}" ] || fail "hangs or was killed: $*"
}

# As run, and the program must end with code 0 and vftrace must have said nothing.
run_well() {
    run "$@"
    [ $status = 0 ] || fail "exit code $status of: $*"
    expect_silence
}

expect_status() { [ "$status" = "$1" ] || fail "exit code is $status, not $1"; }
# expect_ending STATUS OUTPUT: of the program, which prints nothing else.
# expect_refused CODE TEXT COMMAND…: it ends with that code and one line, which has the text.
expect_refused() {
    run "${@:3}"
    expect_status "$1"
    expect_same "$(wc -l <err)" 1 "lines for ${*:3}: $(cat err)"
    grep -qF -- "$2" err || fail "no '$2' in: $(cat err)"
}
expect_ending() {
    expect_status "$1"
    expect_same "$(cat out)" "$2" "output of the program"
}
expect_silence() { ! grep -q vftrace: err || fail "vftrace speaks: $(grep vftrace: err | head -3)"; }
expect_said_once() {
    local n
    n=$(grep -c -- "$1" err)
    [ "$n" = 1 ] || fail "stderr has $n lines with '$1', not one: $(head -5 err)"
}
expect_file() { [ -s "$1" ] || fail "there is no $1; there are: $(ls -m)"; }
expect_no_file() { [ ! -e "$1" ] || fail "there is a $1"; }
expect_same() { [ "$1" = "$2" ] || fail "$3: is '$1', not '$2'"; }
expect_at_most() { [ "$1" -le "$2" ] || fail "$3: is $1, more than $2"; }
expect_at_least() { [ "$1" -ge "$2" ] || fail "$3: is $1, less than $2"; }

# The grouped table of a log as lines "calls<TAB>function".
grouped_counts() {
    awk -F'|' '
        /Grouped by function name/ { on = 1; next }
        on && $1 == "" && $2 ~ /^ *[0-9]+ *$/ { gsub(/ /, "", $2); sub(/^ */, "", $6); sub(/ *$/, "", $6); print $2 "\t" $6; rows = 1 }
        on && rows && /^$/ { exit }' "$1"
}

# calls_of LOG FUNCTION: the calls of all functions of that name, 0 if it is not there.
calls_of() {
    expect_file "$1"
    grouped_counts "$1" | awk -F'\t' -v f="$2" '$2 == f { n += $1 } END { printf "%d\n", n }'
}
expect_calls() { expect_same "$(calls_of "$1" "$2")" "$3" "calls of $2 in $1"; }

# The call stacks of a log, one a line, without their ids.
stacks_of() { sed -n '/^Global call stacks/,/onfiguration/s/^ *STID[0-9][0-9]*  *//p' "$1"; }
expect_stack() { stacks_of "$1" | grep -qxF -- "$2" || fail "$1 has no call stack $2; it has: $(stacks_of "$1" | head -20)"; }
# stacks_at_most LOG N: the call tree is no larger than the program's, but for code without hooks in which CPU samples were taken ("[libc.so.6] memset<main<init").
stacks_at_most() { expect_at_most "$(stacks_of "$1" | grep -vc '^\[')" "$2" "call stacks in $1"; }
expect_no_stack() { ! stacks_of "$1" | grep -qE -- "$2" || fail "$1 has a call stack like $2: $(stacks_of "$1" | grep -E -- "$2" | head -3)"; }

# report FILE…: the log of recordings, as the file `report`.
report() {
    "$vftr" report ${VFTR_CONFIG:+--config "$VFTR_CONFIG"} "$@" >report 2>report.err || fail "vftr report $*: $(cat report.err)"
}

# exported_symbols OBJECT: as nm shows them; those of the system's libraries are read once in a script.
exported_symbols() {
    local list=symbols.exported
    [[ $1 != /usr/* ]] || list=$shared/exported${nm_flags-}${1//\//_}
    [[ $1 == /usr/* && -e $list ]] || "${NM:-nm}" ${nm_flags-} -D --without-symbol-versions "$1" >"$list"
    cat "$list"
}

# expect_same_counts LOG COUNTS EXECUTABLE: the log's calls per function are those that the counting library saw.
# Functions of one name are summed, and aliases (constructors C1 and C2) count as one. The log has whole names (max_name_width 0, as `config` sets it). nm_flags=-C where the log is demangled. Constructs of OpenMP are not compared.
expect_same_counts() {
    [ -s "$2" ] || fail "the counting library saw nothing"
    {
        "${NM:-nm}" ${nm_flags-} "$3"
        # Of a template that its library has too, the library's instance counts as called.
        sed -n 's/^\(.*\):[0-9a-f]* .*/\1/p' "$2" | sort -u | while read -r object; do
            exported_symbols "$object" | sed "s|^0*\([0-9a-f]\)|$object:\1|"
        done
    } >symbols
    awk -v shown=<(grouped_counts "$1") -v counted="$2" '
        $2 ~ /^[tTwWiuV]$/ {
            address = $1
            gsub(/( \[clone)? ?[.](constprop|isra|part|lto_priv)[.][0-9]+\]?/, "") # tables show the name of the function
            sub(/^0+/, "", address)
            if (!(address in name))
                name[address] = substr($0, length($1) + 4)
            alias[substr($0, length($1) + 4)] = name[address]
        }
        END {
            while (getline line < shown) {
                tab = index(line, "\t")
                function_ = substr(line, tab + 1)
                sub(/ \([^() ]+( 0x[0-9a-f]+)?(, [^() ]+)?\)$/, "", function_) # what tells it from others of its name
                if (function_ != "init" && function_ != "vftrace_pause" && function_ !~ /^omp /)
                    seen[function_ in alias ? alias[function_] : function_] += substr(line, 1, tab - 1)
            }
            while (getline line < counted) {
                split(line, word, " ")
                calls[word[1] in name ? name[word[1]] : word[1]] += word[2]
            }
            for (f in calls)
                if ((f in seen || f !~ /^\.omp_outlined/) && calls[f] != seen[f]) # clang makes functions of the text of a construct, which are the construct
                    print f ": counted " calls[f] ", in the log " seen[f] + 0
            for (f in seen)
                if (!(f in calls))
                    print f ": not counted, in the log " seen[f]
        }' symbols >differences
    [ ! -s differences ] || fail "$(wc -l <differences) functions differ from the counting library: $(head -8 differences)"
}

# Counts the calls of COMMAND with the counting library, in the file `counts`.
run_counted() {
    rm -f counts
    COUNT_CALLS_OUT=$PWD/counts LD_PRELOAD=$count_calls timeout "$run_limit" "$@" >out.counted 2>err.counted
    status=$?
}

# Runs COMMAND with both: we count the same run that the counting library does, so that a program may be recorded whose threads do not
# share their work in the same way twice. It must end well, and we say nothing.
run_counted_along() {
    rm -f counts
    COUNT_CALLS_FORWARD=yes COUNT_CALLS_OUT=$PWD/counts run_well env LD_PRELOAD="$count_calls" "$@"
}
