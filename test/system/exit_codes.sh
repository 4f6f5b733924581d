# SPDX-License-Identifier: BSD-3-Clause
# Exit codes: one table (config_tools/exit_codes.def), the section EXIT STATUS of vftr(1), and what the verbs do are the same.
. "${srcdir:-.}/test/system/lib.sh"

verbs() { "$vftr" --help | sed -n 's/^  \([a-z][a-z+]*\)  .*/\1/p'; }
is_compiler() { case $1 in cc | c++ | fc) true ;; *) false ;; esac }
# section_of PAGE: its EXIT STATUS.
section_of() { sed -n '/^\.SH EXIT STATUS/,/^\.SH SEE/p' "$srcdir/share_src/man/$1"; }

test_the_manual_page_has_the_table() {
    sed -n 's/^VFTR_EXIT_CODE([^"]*"\([^"]*\)", "\(.*\)")$/\1\t\2/p' "$srcdir/config_tools/exit_codes.def" >of_table
    section_of vftr.1 | awk '/^\.TP/ { getline; sub(/^\.B /, ""); code = $0; getline; print code "\t" $0 }' >of_page
    expect_at_least "$(wc -l <of_table)" 6 "codes"
    diff of_table of_page >differences || fail "the table (<) and vftr(1) (>) differ: $(cat differences)"
    grep -o '"[0-9]*[^"]*", ' "$srcdir/config_tools/exit_codes.def" | sort | uniq -d >twice
    [ ! -s twice ] || fail "two codes are the same: $(cat twice)"
}

test_each_page_leads_to_the_table() {
    local verb page
    for verb in $(verbs); do
        case $verb in config | c++ | fc) continue ;; esac # the page of config is of section 5; the others are the page of cc
        page=vftr-$verb.1
        section_of "$page" | grep -A1 -x '\.BR vftr (1),' | grep -qx 'EXIT STATUS\.' || fail "$page does not name vftr(1), EXIT STATUS"
    done
}

# code_of COMMAND…: its exit code; what it says is in `said`.
code_of() {
    local code=0
    "$@" >said 2>&1 </dev/null || code=$?
    echo $code
}

test_all_verbs_use_the_codes_alike() {
    local verb
    printf 'no recording' >bad.vfd
    mkdir empty
    for verb in $(verbs); do
        expect_same "$(code_of "$vftr" "$verb" --help)" 0 "vftr $verb --help"
        is_compiler "$verb" || expect_same "$(code_of "$vftr" "$verb" --no-such-option)" 2 "vftr $verb with a wrong option"
        is_compiler "$verb" || grep -q "^vftr $verb: no such option: --no-such-option" said || fail "vftr $verb says: $(cat said)"
        case $verb in
        export) expect_same "$(code_of "$vftr" export --format=csv bad.vfd)" 1 "vftr export of no recording" ;;
        report | html | dump | waits | recover | top | tui) expect_same "$(code_of "$vftr" "$verb" bad.vfd)" 1 "vftr $verb of no recording" ;;
        filter) expect_same "$(code_of "$vftr" filter suggest bad.vfd)" 1 "vftr filter of no recording" ;;
        diff | scaling) expect_same "$(code_of "$vftr" "$verb" bad.vfd -- bad.vfd)" 1 "vftr $verb of no recordings" ;;
        ps) expect_same "$(code_of "$vftr" ps no_such_folder)" 1 "vftr ps of no folder" ;;
        ctl) expect_same "$(code_of "$vftr" ctl empty stop)" 1 "vftr ctl of nothing" ;;
        config) expect_same "$(code_of "$vftr" config check bad.vfd)" 1 "vftr config check of no configuration" ;;
        doctor) expect_same "$(code_of "$vftr" doctor ./bad.vfd)" 1 "vftr doctor of no program" ;;
        flags) expect_same "$(code_of "$vftr" flags ./no_such_compiler)" 2 "vftr flags of no compiler" ;;
        cc | c++ | fc) expect_same "$(code_of env VFTR_CXX=./no_such_compiler VFTR_FC=./no_such_compiler VFTR_CC=./no_such_compiler "$vftr" "$verb" -c x.c)" 2 "vftr $verb without a compiler" ;;
        run | ab) ;; # below
        *) fail "say here what ends vftr $verb with 1" ;;
        esac
    done
    expect_same "$(code_of "$vftr")" 2 "vftr without a verb"
    expect_same "$(code_of "$vftr" no_such_verb)" 2 "a verb that is none"
    expect_same "$(code_of "$vftr" --version)" 0 "vftr --version"
    expect_same "$(code_of bash -c "'$vftr' config default >/dev/full")" 1 "a full disk"
}

test_codes_of_vftr_run_are_those_of_shells() {
    touch not_executable
    expect_same "$(code_of "$vftr" run -q -- sh -c 'exit 3')" 3 "of the command"
    expect_same "$(code_of "$vftr" run -q -- ./not_executable)" 126 "of a file that is no program"
    expect_same "$(code_of "$vftr" run -q -- ./no_such_command)" 127 "of no command"
    # shellcheck disable=SC2016
    expect_same "$(code_of "$vftr" run -q -- sh -c 'kill -9 $$')" 137 "of a command that was killed"
    echo '{' >bad.json
    expect_same "$(code_of "$vftr" run -q -c bad.json -- true)" 2 "with a configuration that has errors"
    expect_same "$(code_of "$vftr" run)" 2 "without a command"
}

run_tests
