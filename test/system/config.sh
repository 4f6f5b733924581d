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

# Issue: options that do nothing (hwprof, cuda, openacc until they work) are silent in a run
test_a_run_says_in_one_line_which_options_take_effect_later() {
    printf '#include <unistd.h>\n#include <sys/wait.h>\nint main(void) { if (fork() == 0) _exit(0); wait(0); return 0; }\n' >parent.c
    build parent
    printf '{"hwprof": {"counters": [{"hwc_name": "a", "symbol": "s"}], "type": "papi"}, "cuda": {"show_table": true}}\n' >asks.json
    VFTR_CONFIG=asks.json run ./parent
    expect_status 0
    expect_same "$(cat err)" "vftrace: warning: cuda.show_table, hwprof.type, hwprof.counters: these options take effect in a later version; what was asked for is not recorded" "what a run says"
    VFTR_CONFIG=asks.json run "$vftr" run --quiet -- ./parent
    expect_status 0
    expect_same "$(grep -c 'later version' err)" 1 "lines of vftr run"
    run "$vftr" run --quiet --config asks.json -- ./parent
    expect_status 0
    expect_same "$(grep -c 'later version' err)" 1 "lines of vftr run --config"
    "$vftr" config default >default.json
    printf '{"hwprof": {"active": false, "show_counters": true}, "openacc": {"active": false, "max_rows": 3}, "cuda": {"show_table": false}}\n' >off.json
    printf '{"off": true, "hwprof": {"active": true}}\n' >none.json
    for config in default off none; do
        VFTR_CONFIG=$config.json run_well ./parent
        expect_same "$(cat err)" "" "what a run says of $config.json"
    done
}

# Issue: Config: 100,000 duplicates in less than a second and at most 20 lines of messages
test_many_mistakes_take_twenty_lines_at_most() {
    { echo '{"off": true'; yes ',"off":1' | head -100000; echo '}'; } >c.json
    run_limit=60
    run "$vftr" config check c.json
    expect_status 1
    expect_at_most "$(wc -l <out)" 21 "lines, with the last line"
    expect_same "$(tail -1 out)" "c.json: 100000 errors, 0 warnings" "last line"
    grep -qx 'and 99981 more problems' out || fail "it says: $(tail -3 out)"
    { echo '{'; for i in 1 2 3 4 5 6 7 8; do echo "\"nosuch$i\": 1,"; done; echo '"off": 1}'; } >c.json
    run "$vftr" config check c.json
    expect_at_most "$(wc -l <out)" 21 "lines of nine mistakes"
    expect_same "$(grep -o 'nosuch[0-9]" is not' out | wc -l)" 8 "of which each is told"
    grep -q '"off" is 1' out || fail "the last one is not told: $(cat out)"
    # Issue: "Warning: … Did you mean" and "FILE:line:column: error" of one `vftr config check` have one form
    expect_same "$(grep -c '^Warning: "nosuch[0-9]" is not a valid vftrace option' out)" 8 "warnings of one form"
    expect_same "$(grep '"off" is 1' out)" 'Error: "off" is 1. Allowed is true or false. (in c.json, line 10, column 8)' "an error in one line"
    # Issue: from 1000 on what are warnings counted as errors.
    { echo '{'; for ((i = 0; i < 1500; i++)); do echo "\"nosuch$i\": 1,"; done; echo '"off": true}'; } >c.json
    run "$vftr" config check c.json
    expect_status 0
    expect_same "$(tail -1 out)" "c.json: 0 errors, 1500 warnings" "last line of warnings alone"
}

# Issue: Config: 01 and 1. refused
test_numbers_are_those_of_json() {
    for number in 01 1. -01 -.5 1.e1 00; do
        printf '{"sampling": {"sample_interval": %s}}' "$number" >c.json
        run "$vftr" config check c.json
        expect_status 1
        grep -q "is $number: " out || fail "$number: $(cat out)"
        expect_same "$(grep -o 'column [0-9]*' out)" "column 34" "place"
    done
    for number in 0 10 0.5 1e1 1E-2; do
        printf '{"sampling": {"sample_interval": %s}}' "$number" >c.json
        run "$vftr" config check c.json
        expect_status 0
    done
}

# Issue: Config: all problems in one pass also after a syntax error where that is possible (formulas with a wrong symbol too)
test_mistakes_of_syntax_do_not_hide_what_follows() {
    cat >c.json <<'END'
{
  // what to record
  "off": False,
  "sampling": {"sample_interval": 01, "activ": true,},
  "max_recursion" 3
  'timing': "exact",
  "nosuch": [1.],
  "hwprof": {
    "counters": [{"hwc_name": 5, "symbol": "a"}],
    "observables": [{"name": "x", "formula": "a / b"}]
  },
  "outfile_basename": "x,
  "mpi": 7
END
    run "$vftr" config check c.json
    expect_status 1
    expect_same "$(tail -1 out)" "c.json: 12 errors, 2 warnings" "last line"
    expect_at_most "$(wc -l <out)" 21 "lines, with the last line"
    expect_same "$(grep -o '^c.json:[0-9]*:[0-9]*\|, line [0-9]*, column [0-9]*' out | sed 's/.*json:\|, line //; s/, column /:/' | tr '\n' ' ')" \
        "2:3 3:10 4:35 4:39 4:52 5:19 6:3 6:3 7:3 7:14 9:31 10:51 12:23 13:10 " "places"
    echo 'int main(void) { return 0; }' >none.c
    build none
    VFTR_CONFIG=c.json run ./none
    expect_status 0
    expect_same "$(tail -1 err)" "vftrace: recording goes on with the default configuration" "what a run goes on with"
}

# Issue: Config: all problems in one pass also after a syntax error where that is possible; what is no configuration harms nobody
test_no_file_hangs_the_check_or_a_run() {
    echo 'int main(void) { return 0; }' >none.c
    build none
    mkfifo fifo
    mkdir folder
    : >empty
    truncate -s 100M large
    head -c 1000000 /dev/zero | tr '\0' '[' >nested
    head -c 1000000 /dev/zero | tr '\0' '"' >quotes
    head -c 300000 /dev/zero | sed 's/\x00/\xef\xbb\xbf/g' >marks
    head -c 1000000 /dev/urandom >random
    printf '{"off": "\0"}' >null
    printf '\377\376{\0}\0' >utf16
    printf '{"outfile_basename": "\\ud800"}' >surrogate
    printf '{"outfile_basename": "\377\300\257"}' >bytes
    { echo '{'; yes '"nosuchkey": [01, True,], // no' | head -30000; echo '}'; } >mistakes
    run_limit=60
    for file in fifo folder empty large nested quotes marks random null utf16 surrogate bytes mistakes nosuch /dev/zero /dev/full /proc/self/mem; do
        run "$vftr" config check "$file"
        expect_same "$status" 1 "exit code of config check $file"
        expect_at_most "$(wc -l <out)" 21 "lines about $file"
        VFTR_CONFIG=$file run ./none
        expect_same "$status" 0 "exit code of a run with $file"
        expect_at_most "$(wc -l <err)" 21 "lines of a run with $file"
        grep -q 'recording goes on' err || fail "a run with $file says: $(cat err)"
        rm -f none_*
    done
    printf '\357\273\277{\r\n"off":\r\nfalse\r\n}\r\n' >marked
    run "$vftr" config check marked
    expect_status 0
}

# Issue: Config: a FIFO as file must not hang the program; here one whose writer sends a byte now and then
test_a_writer_that_never_ends_is_not_waited_for() {
    echo 'int main(void) { return 0; }' >none.c
    build none
    mkfifo fifo
    (while sleep 0.2; do printf ' '; done) >fifo &
    local writer=$!
    run_limit=60
    VFTR_CONFIG=fifo run ./none
    kill $writer
    expect_status 0
    grep -q 'the configuration cannot be read: its end does not come' err || fail "a run says: $(cat err)"
    (sleep 0.5; echo '{"off": true}') >fifo &
    VFTR_CONFIG=fifo run_well ./none
    expect_same "$(cat err)" "" "what a run says of a writer that takes its time"
}

# Issue: Config: caret right behind wide characters
test_the_caret_stands_right_behind_wide_and_combining_characters() {
    printf '{"outfile_basename": "\346\227\245\346\234\254e\314\201",\t"off": 1}\n' >c.json
    run "$vftr" config check c.json
    expect_status 1
    # What stands before the value has 37 columns: two characters of it are two wide, one has none.
    expect_same "$(grep -n '^ *^$' out | head -1 | cut -d: -f2 | wc -c)" $((7 + 37 + 2)) "where the caret stands"
}

# Issue: the caret one column too far right for combining marks of Thai, Hebrew and Devanagari
test_the_caret_stands_right_behind_marks_of_other_scripts() {
    local text
    for text in '\340\270\201\340\271\207' '\327\251\327\201' '\340\244\271\340\245\207' '\340\256\225\340\257\215'; do
        # shellcheck disable=SC2059
        printf "{\"outfile_basename\": \"$text\", \"off\": 1}\n" >c.json
        run "$vftr" config check c.json
        expect_status 1
        # Each is one column wide: two characters that stand in the same place.
        expect_same "$(grep -n '^ *^$' out | head -1 | cut -d: -f2 | wc -c)" $((7 + 33 + 2)) "where the caret stands behind $(grep outfile c.json)"
    done
}

# Issue: an unusable trace_path told by check and run
test_a_trace_that_cannot_be_written_is_told_by_check_and_run() {
    echo 'int main(void) { return 0; }' >none.c
    build none
    mkdir folder
    mkfifo fifo
    # Issue: those that are there and get no row were silent, and so was what nobody can make in /proc.
    for path in nosuch/trace.csv folder fifo /dev/full /proc/nope.csv /proc/self/nope.csv; do
        printf '{"processes": {"trace_path": "%s"}}' "$path" >c.json
        run "$vftr" config check c.json
        expect_status 1
        grep -q "\"processes.trace_path\" is \"$path\": " out || fail "check: $(cat out)"
        VFTR_CONFIG=c.json run ./none
        expect_status 0
        expect_said_once '"processes.trace_path" is'
    done
    printf '{"processes": {"trace_path": "folder/trace.csv"}}' >c.json
    run "$vftr" config check c.json
    expect_status 0
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

# configuration_of LOG: what stands below the line that says where it is from.
configuration_of() { sed '1,/^Vftrace .*configuration/d' "$1"; }

# Issue: Configuration: what differs from the default (`print_config`: `true` prints that, `"full"` all; both can be fed back).
test_a_log_ends_with_what_differs_from_the_default_or_with_all() {
    echo 'int main(void) { return 0; }' >some.c
    build some
    unset VFTR_CONFIG
    run_well ./some
    expect_same "$(tail -2 some_all.log)" 'Vftrace default configuration:
{}' "the default configuration"
    printf '{"profile_table": {"show_callpath": true, "max_rows": 1000}, "stacklist": {"max_width": 99}, "timing": "adaptive"}' >c.json
    cat >expected <<'END'
{
   "profile_table": {
      "show_callpath": true
   },
   "stacklist": {
      "max_width": 99
   }
}
END
    VFTR_CONFIG=c.json run_well ./some
    configuration_of some_all.log >printed.json
    cmp expected printed.json || fail "it prints $(cat printed.json)"
    VFTR_CONFIG=printed.json run_well ./some
    configuration_of some_all.log | cmp expected - || fail "it prints $(configuration_of some_all.log), fed back"
    sed 's/"timing"/"print_config": "full", "timing"/' c.json >full.json
    "$vftr" config default | sed 's/"print_config": true/"print_config": "full"/; s/"show_callpath": false,/"show_callpath": true,/; s/"max_width": 160/"max_width": 99/' |
        awk '/"mpi": {/ { in_mpi = 1 } in_mpi { sub("\"show_callpath\": true", "\"show_callpath\": false") } { print }' >expected
    VFTR_CONFIG=full.json run_well ./some
    configuration_of some_all.log >printed.json
    cmp expected printed.json || fail "it prints $(diff expected printed.json)"
    VFTR_CONFIG=printed.json run_well ./some
    configuration_of some_all.log | cmp expected - || fail "it prints $(configuration_of some_all.log), fed back"
    printf '{"print_config": false}' >off.json
    VFTR_CONFIG=off.json run_well ./some
    ! grep -q configuration some_all.log || fail "it prints one"
    printf '{"print_config": "whole"}' >bad.json
    run "$vftr" config check bad.json
    expect_status 1
    expect_same "$(head -2 out)" 'Error: "print_config" is "whole".
       Allowed is true, false or "full".' "message"
    mkdir elsewhere
    VFTR_OUTPUT_DIRECTORY=elsewhere run_well ./some
    expect_same "$(tail -4 elsewhere/some_all.log | tr -d '\n')" 'Vftrace default configuration, but for what the environment says:{   "output_directory": "elsewhere"}' "with a variable"
}

# Issue: commands `vftrace_generate_default_config`, `vftrace_check_config` as links with their behaviour. 2.0 reports on stderr, and says on
# stdout that the check is complete.
test_the_commands_of_2_0_do_what_they_did() {
    local name
    for name in vftrace_generate_default_config vftrace_check_config; do
        ln -s "$vftr" "$name"
    done
    run ./vftrace_generate_default_config --whatever it is
    expect_status 0
    "$vftr" config default | cmp - out || fail "another default configuration"
    cp out good.json
    run ./vftrace_check_config good.json
    expect_status 0
    expect_same "$(cat out)" 'Checking of config file good.json is complete' 'what it prints'
    expect_same "$(cat err)" '' 'stderr'
    echo '{"samplingg": {}}' >warned.json
    run ./vftrace_check_config warned.json
    expect_status 0
    expect_same "$(cat out)" 'Checking of config file warned.json is complete' 'what it prints of a warning'
    grep -q '"samplingg" is not a valid vftrace option' err || fail "no warning: $(cat err)"
    echo '{"off": 3}' >bad.json
    run ./vftrace_check_config bad.json
    expect_status 1
    expect_same "$(cat out)" '' 'what it prints of an error'
    grep -q '"off"' err || fail "no error: $(cat err)"
    run ./vftrace_check_config
    expect_status 1
    expect_same "$(cat err)" 'usage: vftrace_check_config <config.json>' 'without a file'
    # Issue: --help and --version were taken for files, or for nothing.
    for name in vftrace_generate_default_config vftrace_check_config; do
        run_well ./$name --help
        grep -q "^usage: $name" out || fail "$name --help: $(cat out)"
        run_well ./$name --version
        expect_same "$(cat out)" "$name ($("$vftr" --version | sed 's/vftr /vftrace /'))" "$name --version"
    done
}

run_tests
