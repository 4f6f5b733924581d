# SPDX-License-Identifier: BSD-3-Clause
# What a budget of 3 % costs, and whether the numbers of calls lie in their intervals.

# Programs of small functions, with plain hooks and built as vftr flags says. `out` has all hook calls taken out of the program, `adaptive` counts all calls, `budget` estimates those of windowed
# functions. A number that is marked as an estimate counts as right if the number of `adaptive` lies in its interval (shown as at most 999.9 %, which is taken for any).
[ "$repeat" -le 3 ] || repeat=3
echo '{"timing": "budget", "name_grouped_profile_table": {"max_rows": 0, "min_percent": 0}, "max_name_width": 0}' >budget.json
echo '{"name_grouped_profile_table": {"max_rows": 0, "min_percent": 0}, "max_name_width": 0}' >adaptive.json
echo '{"filter": {"exclude": {"functions": ".*"}}}' >out.json
FC=${FC:-gfortran}

# build NAME SOURCE FLAGS
build_small() {
    # shellcheck disable=SC2086
    case $2 in
    *.c) $CC -O2 $3 "$programs/$2" spent.o -o "$1" ;;
    *.f90) $FC -O2 $3 "$programs/$2" spent.o -o "$1" ;;
    *) $CXX -std=c++17 -O2 $3 -I/usr/include/eigen3 "$programs/$2" spent.o -o "$1" ;;
    esac >"build_$1.log" 2>&1 || { left_out "$1" 'it cannot be built'; return 0; }
    built+=" $1"
}
# calls_in LOG: lines "calls estimated(0|1) interval% function" of the table by function.
calls_in() {
    awk -F'|' '/Grouped by function name/ { on = 1 } on && /^\| +Calls/ { for (i = 1; i <= NF; i++) if ($i ~ /Calls ±/) at = i }
        on && NF > 6 && $2 !~ /Calls/ { n = $2; e = gsub(/≈/, "", n); i = at ? $at : 0; gsub(/[ >]/, "", i); f = $6; gsub(/ /, "", f); print n + 0, e, i + 0, f } on && n != "" && /^$/ { exit }' "$1"
}
calls_to_make() {
    case $1 in
    leaf | fib) echo 500000000 ;;
    templates) echo 100000000 ;;
    esac
}
once_with() { # VARIANT PROGRAM: the ns that it used are in `spent`
    rm -f ./*_all.* spent
    # shellcheck disable=SC2046
    VFTR_CONFIG=$PWD/$1.json "./$2" $(calls_to_make "$2") >ignored 2>&1 || true
}

$CC -O2 -c "$programs/spent.c" -o spent.o
built=
links="-L$builddir -lvftrace -Wl,-rpath,$builddir"
for program in leaf.c fib.c templates.cpp words.cpp json.cpp; do build_small "${program%.*}" "$program" "-finstrument-functions $links"; done
for program in words.cpp json.cpp matrices.cpp sparse.f90 waves.f90; do
    language=g++
    [[ $program != *.f90 ]] || language=gfortran
    build_small "${program%.*}.plugin" "$program" "$("$builddir/vftr" flags $language) $links"
done

: >runs
: >numbers
for name in $built; do
    for ((i = 0; i < repeat; i++)); do
        for variant in out adaptive budget; do
            # How many calls there are does not change.
            [ $variant != adaptive ] || [ $i = 0 ] || continue
            once_with $variant "$name"
            echo "$name $i $variant $(cat spent)" >>runs
            [ $variant != adaptive ] || calls_in ./*_all.log >exact
            [ $variant != budget ] || calls_in ./*_all.log | awk -v w="$name" 'NR == FNR { exact[$4] = $1; next }
                $2 && $4 in exact { d = $1 - exact[$4]; d = d < 0 ? -d : d; print w, (d <= $3 / 100 * $1 + 1 || $3 >= 999.9), $4, $1, exact[$4], $3 }' exact - >>numbers
        done
    done
done

ratio() { # PROGRAM VARIANT
    awk -v w="$1" -v v="$2" '$1 == w { t[$2, $3] = $4 } END { for (k in t) { split(k, at, SUBSEP); if (at[2] == v) print t[k] / t[at[1], "out"] } }' runs | median
}
{
    printf '| | adaptive | budget of 3 %% | estimates | of them in their interval |\n|---|---:|---:|---:|---:|'
    for name in $built; do
        printf '\n| %s | %.2f × | %.3f × | %s |' "$name" "$(ratio "$name" adaptive)" "$(ratio "$name" budget)" \
            "$(awk -v w="$name" '$1 == w { n++; in_it += $2 } END { printf "%d | %d", n, in_it }' numbers)"
    done
    printf '\n\n'
} | tee tables.md
for name in $built; do ratio "$name" budget; done >ratios
figure 'budget of 3 %, geometric mean' "$(awk '{ s += log($1) } END { print exp(s / NR) }' ratios)" '<=1.04' times
figure 'budget of 3 %, the dearest' "$(sort -n ratios | tail -1)" '<=1.3' times
figure 'estimates within their interval' "$(awk '{ n += $2 } END { print 100 * n / NR }' numbers)" '>=95' 'of 100'
