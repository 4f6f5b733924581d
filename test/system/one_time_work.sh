# SPDX-License-Identifier: BSD-3-Clause
# What the recorder does once for each function, at the begin and at the end: it is overhead, and no function's time.
. "${srcdir:-.}/test/system/lib.sh"

seconds_of() { sed -n "s/^ *$1: *\([0-9.]*\) s\( .*\)\?$/\1/p" "$2"; }
own_seconds_of() { awk -F'|' -v name="$1" '{ gsub(/ /, "", $6) } $6 == name { print $3 + 0; exit }' "$2"; } # FUNCTION LOG: of the runtime profile

functions=10000
build_many() {
    {
        echo 'static volatile double sum;'
        for ((i = 0; i < functions; i++)); do echo "__attribute__((noinline)) void step_$i(int n) { sum += n * $i; }"; done
        echo '__attribute__((noinline)) void work(void) {'
        for ((i = 0; i < functions; i++)); do echo "step_$i($i);"; done
        echo '} int main(void) { work(); return 0; }'
    } >many.c
    build many -g0
}

# Issue: an exclude filter's one-time work counts as application time: 3000 functions called once by work, excluded: work 0.80 s and Overhead 0.00 s
test_what_functions_cost_once_is_overhead_and_not_their_callers_time() {
    check() { # WHAT CONFIGURATION
        local log=many_all.log work overhead once application
        config "$2"
        run_well ./many
        work=$(own_seconds_of work $log) once=$(seconds_of "One-time work" $log) overhead=$(seconds_of Overhead $log) application=$(seconds_of "Application time" $log)
        awk -v w="$work" -v o="${once:-0}" -v all="$overhead" -v a="$application" 'BEGIN { exit !(o > 3 * w && o > a && o <= all) }' ||
            fail "$1 ($cc): work took $work s; one-time work $once s of $overhead s, application $application s"
        rm -f many_all.* ./*.vfd
    }
    each() {
        build_many
        check "a filter by an expression" '"filter": {"exclude": {"functions": "^step_[0-9]+$"}}'
        check "without patching" '"filter": {"exclude": {"functions": "^step_[0-9]+$"}, "live_patching": false}'
        check "a filter by names" '"filter": {"exclude": {"functions": "^(main|step_1.*|step_2.*|step_3.*|step_4.*|step_5.*|step_6.*|step_7.*|step_8.*|step_9.*|step_0)$"}}'
        check "no filter" '"max_recursion": 4'
    }
    with_each_compiler each
}

# A program that has no more to do than to begin and to end is all overhead, whatever of it the log knows.
test_begin_and_end_are_overhead() {
    config
    build short.c <<'END'
int main(void) { return 0; }
END
    run_well ./short
    local log=short_all.log
    awk -v t="$(seconds_of "Total runtime" $log)" -v a="$(seconds_of "Application time" $log)" 'BEGIN { exit !(t <= 0.02 || a < t / 2) }' ||
        fail "of $(seconds_of "Total runtime" $log) s $(seconds_of "Application time" $log) s are the application's"
}

run_tests
