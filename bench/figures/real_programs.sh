# SPDX-License-Identifier: BSD-3-Clause
# Real programs.

# Of the examples and, where Debian's source packages can be fetched, of those.
. "$source/test/system/real_programs/programs.sh"
variants="plain empty clocks $ours$peers"
sources=${REAL_PROGRAMS:-$builddir/real_programs}
real=
[ "$repeat" -le 3 ] || repeat=3

# The flags and what is linked, of a variant's executable.
flags_of() { case $1 in plain) ;; empty) echo -finstrument-functions ;; gprof) echo -pg ;; esac; }
libraries_of() {
    echo "$PWD/spent.o"
    [ "$1" != empty ] || echo "-L$shared -lhooks_empty -Wl,-rpath,$shared"
}

# build_each NAME COMMAND…: NAME.plain, NAME.empty and NAME.gprof, each by COMMAND VARIANT EXECUTABLE.
build_each() {
    local name=$1 variant
    shift
    for variant in plain empty gprof; do
        [ $variant != gprof ] || has gprof || continue
        "$@" $variant "$name.$variant" >"build.log" 2>&1 || { left_out "$name" 'it cannot be built'; return 0; }
    done
    real+=" $name"
}
# shellcheck disable=SC2046
example() { # SOURCE VARIANT EXECUTABLE
    $(compiler_of "$1") -O2 $(flags_of "$2") "$1" -o "$3" $(libraries_of "$2") -lm
}
lua() { # VARIANT EXECUTABLE
    build_lua "$sources/lua5.4" "-O2 $(flags_of "$1")" "$(flags_of "$1") $(libraries_of "$1" | xargs)" && cp "$sources/lua5.4/src/lua" "$2"
}
bzip2() {
    make -C "$sources/bzip2" -s clean &&
        make -C "$sources/bzip2" -s bzip2 CC="$CC -O2 $(flags_of "$1")" CFLAGS="-D_FILE_OFFSET_BITS=64" LDFLAGS="$(libraries_of "$1" | xargs)" &&
        cp "$sources/bzip2/bzip2" "$2"
}

# What they are run with.
arguments_of() { case $1 in lua) echo "$source/examples/bench.lua" ;; bzip2) echo -9 -c numbers ;; esac; }

build_all() {
    local package
    $CC -O2 -c "$programs/spent.c" -o spent.o
    seq 300000 >numbers
    build_each heat example "$source/examples/heat.c"
    build_each cpp_containers example "$source/examples/cpp_containers.cpp"
    for package in lua5.4 bzip2; do
        if fetch_source $package "$sources"; then build_each ${package%5.4} ${package%5.4}; else left_out ${package%5.4} 'its sources cannot be fetched (no network)'; fi
    done
}

# Calls of instrumented functions in a run, by the exact profile.
calls_of() {
    # shellcheck disable=SC2046
    once "$1" exact $(arguments_of "$1") >ignored
    awk -F'|' '/Grouped by function name/ { on = 1 } on && NF > 6 && $2 + 0 > 0 { n += $2 } END { print n }' ./*_all.log
    clean_up
}
clean_up() { rm -rf ./*vfd ./*.log ./*.data gmon.out vftrace_symbols spent; }

# Lines "program repetition variant ns kB bytes".
measure_real() {
    local name i variant bytes
    for name in $real; do
        calls_of "$name" >"calls.$name"
        for ((i = 0; i < repeat; i++)); do
            for variant in $variants; do
                # shellcheck disable=SC2046
                once "$name" "$variant" $(arguments_of "$name") >ignored
                bytes=$(bytes_written "$variant")
                awk -v at="$name $i $variant" -v b="${bytes:-0}" '{ print at, $1, $3, b }' spent
                clean_up
            done
        done
    done >costs
}

# middle PROGRAM 'EXPRESSION': the median over the repetitions; t, kb, b as by variant; calls is the number of calls.
middle() {
    awk -v w="$1" -v calls="$(cat "calls.$1")" '
        function value() { return '"$2"' }
        $1 == w && $2 != last && n { print value(); n = 0 }
        $1 == w { t[$3] = $4; kb[$3] = $5; b[$3] = $6; last = $2; n++ }
        END { if (n) print value() }' costs | median
}

# Else what is not of a call counts: the noise of the rest of the program, what a file has besides events.
many_calls() { [ "$(cat "calls.$1")" -gt 1000000 ]; }

table_of_programs() {
    local name variant
    for name in $real; do
        printf '%s: %.2f million calls, %.0f ms without any recorder.\n\n' "$name" "$(awk '{ print $1 / 1e6 }' "calls.$name")" "$(middle "$name" 't["plain"] / 1e6')"
        printf '| %s | times the run time | ns per call more | bytes per call | MiB more |\n|---|---:|---:|---:|---:|\n' "$name"
        for variant in ${variants#plain }; do
            printf '| %s | %.2f | %s | %s | %.1f |\n' "$variant" "$(middle "$name" "t[\"$variant\"] / t[\"plain\"]")" \
                "$(! many_calls "$name" || printf %.1f "$(middle "$name" "(t[\"$variant\"] - t[\"plain\"]) / calls")")" \
                "$(case $variant in events | compressed | uftrace | lttng*) printf %.2f "$(middle "$name" "b[\"$variant\"] / calls")" ;; esac)" \
                "$(middle "$name" "(kb[\"$variant\"] - kb[\"plain\"]) / 1024")"
        done
        printf '\n'
    done
}

build_all
measure_real
table_of_programs | tee tables.md
for name in $real; do
    many_calls "$name" || continue
    figure "every event, bytes, $name" "$(middle "$name" 'b["events"] / calls')" '<=5' 'B/call'
done
