# SPDX-License-Identifier: BSD-3-Clause
# vftr config: exit codes, streams, and that its outputs fit each other.
. "${srcdir:-.}/test/system/lib.sh"

test_the_default_config_has_no_problems() {
    run "$vftr" config default
    expect_status 0
    cp out default.json
    run "$vftr" config check default.json
    expect_status 0
    expect_same "$(cat out)" "default.json: 0 errors, 0 warnings" "output of check"
}

test_warnings_alone_are_no_failure() {
    printf '{\n  "samplingg": {}\n}\n' >c.json
    run "$vftr" config check c.json
    expect_status 0
    expect_same "$(head -2 out)" 'Warning: "samplingg" is not a valid vftrace option.
         Did you mean "sampling"?' "advice"
    expect_same "$(tail -1 out)" "c.json: 0 errors, 1 warning" "last line"
}

# Issue: optional zstd; a ring mode (keep_last); min_duration
test_options_that_do_nothing_are_warned_of_by_the_check_and_not_by_a_run() {
    printf '{"sampling": {"active": false, "keep_last": "10 s",\n"compress": true},\n"filter": {"min_duration": 1}, "nosuch": 1}\n' >c.json
    run "$vftr" config check c.json
    expect_status 0
    expect_same "$(grep -c '^Warning: "[a-z._]*" does nothing: it is about timelines' out)" 3 "warnings"
    expect_same "$(grep -o 'line [0-9]*' out | tr '\n' ' ')" "line 1 line 2 line 3 line 3 " "places, in the order of the file"
    printf '{"sampling": {"active": true, "keep_last": "10 s", "compress": true}}\n' >c.json
    run "$vftr" config check c.json
    expect_status 0
    expect_same "$(head -1 out)" 'Warning: sampling.compress: not together with sampling.keep_last; the timeline is not compressed.' "what the run says too"
    echo 'int main(void) { return 0; }' >none.c
    build none
    printf '{"sampling": {"keep_last": "10 s", "sample_interval": 0}}\n' >c.json
    VFTR_CONFIG=c.json run_well ./none
    expect_same "$(cat err)" "" "what a run says"
}

test_every_error_is_shown_and_the_exit_code_is_1() {
    printf '{\n  "off": 1,\n  "sampling": {"sample_interval": -1, "activ": true},\n  "logfile_for_ranks": "5-2"\n}\n' >c.json
    run "$vftr" config check c.json
    expect_status 1
    expect_same "$(grep -c '^Error: ' out)" 3 "errors"
    expect_same "$(grep -o 'line [0-9]*, column [0-9]*' out | tr '\n' ';')" \
        'line 2, column 10;line 3, column 35;line 3, column 39;line 4, column 25;' "places"
    expect_same "$(tail -1 out)" "c.json: 3 errors, 1 warning" "last line"
    expect_same "$(cat err)" "" "stderr"
}

test_a_missing_file_is_an_error_of_its_own() {
    echo '{}' >good.json
    run "$vftr" config check missing.json good.json
    expect_status 1
    expect_same "$(grep "error.*," out)" "missing.json: 1 error, 0 warnings
good.json: 0 errors, 0 warnings" "summaries"
}

test_wrong_usage_gives_2() {
    for arguments in "" "check" "nosuch" "default x" "schema x" "explain a b" "--man default" "--nosuch"; do
        # shellcheck disable=SC2086
        run "$vftr" config $arguments
        expect_same "$status" 2 "exit code of vftr config $arguments"
        [ -s err ] && [ ! -s out ] || fail "vftr config $arguments: usage errors go to stderr"
    done
}

test_explain_tells_of_one_option_or_advises() {
    run "$vftr" config explain sampling.sample_interval
    expect_status 0
    grep -q 'Default: 0.005' out || fail "no default: $(cat out)"
    run "$vftr" config explain sampling.sample_intervall
    expect_status 1
    grep -q 'Did you mean "sampling.sample_interval"?' err || fail "no advice: $(cat err)"
}

test_the_default_config_fits_the_schema() {
    python3 -c 'import jsonschema' 2>/dev/null || skip "there is no jsonschema for python3"
    "$vftr" config schema >schema.json
    "$vftr" config default >default.json
    python3 - <<'END' || fail "the schema refuses the defaults, or takes a wrong value"
import json, jsonschema
schema = json.load(open("schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
check = jsonschema.Draft202012Validator(schema)
check.validate(json.load(open("default.json")))
for wrong in ({"off": 1}, {"offf": True}, {"mpi": {"collate_timeout": 0}}, {"max_call_paths": 1},
              {"logfile_for_ranks": "1,,2"}, {"cuda": {"sort_table": {"column": "x"}}},
              {"hwprof": {"counters": [{"symbol": "s"}]}}):
    assert list(check.iter_errors(wrong)), wrong
END
}

test_the_man_page_names_every_option() {
    run "$vftr" config explain --man
    expect_status 0
    mv out page
    run "$vftr" config explain
    for option in $(grep '^[a-z]' out); do
        grep -qxF ".B $option" page || fail "no $option in the man page"
    done
    have groff || skip "there is no groff"
    expect_same "$(groff -k -man -ww -z page 2>&1)" "" "what groff says"
}

run_tests
