# SPDX-License-Identifier: BSD-3-Clause
# The table of a verb's options is what --help, the manual page and shells show of them.
. "${srcdir:-.}/test/system/lib.sh"

verbs() { "$vftr" --help | sed -n 's/^  \([a-z][a-z+]*\)  .*/\1/p'; }
options_of_help() { "$vftr" "$1" --help | sed -n 's/^  \(-[^ ].*\)/\1/p' | sed 's/  .*//' | grep -oE '(^|, )--?[a-zA-Z][a-z_-]*' | sed 's/^, //' | sort -u; }
options_of_page() {
    sed 's/\\-/-/g; s/\\f[A-Z]//g' "$srcdir/share_src/man/vftr-$1.1" | awk 'headed && /^\.B/ {print} {headed = /^\.TP/}' |
        grep -oE '(^|[ ",])--?[a-zA-Z][a-z_-]*' | sed 's/^[ ",]*//' | sort -u
}

test_manual_pages_have_the_options_of_the_table() {
    local verb
    for verb in $(verbs); do
        case $verb in
        config | fc | c++) continue ;; # the page of config is made from its options; the others are the page of cc
        ab) options_of_help ab | comm -23 - <(options_of_help diff | grep -vx -e -o -e --output -e -h -e --help) >of_help ;;
        doctor) { options_of_help doctor && echo --probe; } | sort >of_help ;; # which users have no need of
        *) options_of_help "$verb" >of_help ;;
        esac
        options_of_page "$verb" >of_page
        expect_at_least "$(wc -l <of_page)" 1 "options of the page of $verb"
        diff of_help of_page >differences || fail "vftr $verb: help (<) and manual page (>) differ: $(grep '^[<>]' differences)"
    done
}

# offered LINE WORD…: what is offered in place of the last word of a command line, without help texts, in one line.
offered() { "$vftr" complete $(($# - 1)) "$@" | cut -f1 | paste -sd' '; }

test_verbs_options_and_values_are_completed() {
    expect_same "$(offered rep)" report "for a verb"
    expect_same "$(offered compl)" "" "for the verb of shells"
    expect_same "$(offered help wa)" waits "behind help"
    expect_same "$(offered recover -)" "--force --help" "for options"
    expect_same "$(offered report --form)" "--format=" "for an option with a value"
    expect_same "$(offered report --format=)" "--format=json --format=csv" "for the value of an option"
    expect_same "$(offered report --format j)" json "for a value behind a blank"
    expect_same "$(offered export --format=folded,callg)" "--format=folded,callgrind" "for a list"
    expect_same "$(offered export --table=lighter)" "--table=lighter_pairs" "for a table"
    expect_same "$(offered diff --normalise=)" "--normalise=time --normalise=calls:" "for a word, and the begin of a value"
    expect_same "$(offered diff -o out --weak -- --b)" :recordings "behind --"
    expect_same "$(offered run -o '')" :folders "for a folder"
    expect_same "$(offered run -q '')" :commands "for a command"
    expect_same "$(offered run ls --w)" :files "among the arguments of a command"
    expect_same "$(offered ab --base ./a --new '')" :commands "for the second command"
    expect_same "$(offered ab --base)" "--base-env= --base-config= --base-cd= --base" "for a word of the usage"
    expect_same "$(offered report --config=x '')" :recordings "for a recording"
    expect_same "$(offered html --output=)" :files "for a file"
    expect_same "$(offered cc --m)" --mpi "for a compiler's wrapper"
    expect_same "$(offered no_verb x)" "" "for a verb that there is not"
    expect_same "$(offered doctor --pro)" "" "for an option that users have no need of"
}

test_actions_and_options_of_the_configuration_are_completed() {
    expect_same "$(offered config '')" "default check explain schema" "for the action of config"
    expect_same "$(offered config check '')" :files "for a configuration"
    expect_same "$(offered config explain timing_)" "timing_error timing_samples" "for an option"
    expect_same "$(offered config explain sampling.act)" sampling.active "for an option in a section"
    expect_same "$(offered config explain samplin | cut -d' ' -f1)" sampling "for a section"
    expect_same "$(offered filter '')" suggest "for the action of filter"
    expect_same "$(offered filter suggest '')" :recordings "behind the action of filter"
    expect_same "$(offered ctl 12 s)" "start stop snapshot status" "for a command"
    expect_same "$(offered ctl 12 timing b)" "budget budget=" "for a timing"
    # What completion offers is taken.
    local action timing
    for action in $(offered config ''); do
        run "$vftr" config "$action" "$srcdir/none"
        ! grep -q 'is needed, not' err || fail "config does not know $action: $(cat err)"
    done
    for timing in $(offered ctl 12 timing ''); do
        run "$vftr" ctl none timing "${timing/%=/=0.1}"
        ! grep -q 'no such timing' err || fail "ctl does not know $timing: $(cat err)"
    done
    expect_at_least "$(offered tui --view= | wc -w)" 10 "views"
}

# Of a program with the functions that the tests ask for, made once for all of them.
recording() {
    local made
    made=$(dirname "$PWD")/calls_all.vfd
    if [ ! -e "$made" ]; then
        config
        build calls.c <<'END'
static void relax_row(void) {}
static void reload(void) {}
int main(void) { relax_row(); reload(); return 0; }
END
        run_well ./calls
        mv calls_all.vfd "$made"
    fi
    cp "$made" .
}

test_functions_of_a_recording_are_completed() {
    recording
    expect_same "$(offered report --histogram=rel)" "--histogram=relax_row --histogram=reload" "for functions of what lies here"
    expect_same "$(offered report --histogram=^rela)" '--histogram=^relax_row$' "for a whole name"
    expect_same "$(offered diff --normalise=calls:rela)" "--normalise=calls:relax_row" "behind a word"
    mkdir elsewhere && mv calls_all.vfd elsewhere
    expect_same "$("$vftr" complete 1 report --histogram=rela elsewhere | cut -f1)" "--histogram=relax_row" "with a folder behind it"
    expect_same "$(offered report --histogram=rela)" "" "without a recording"
    echo none >broken.vfd
    expect_same "$(offered report --histogram=rela 2>&1)" "" "with a file that is none"
}

run_tests
