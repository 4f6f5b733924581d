# SPDX-License-Identifier: BSD-3-Clause
# The table of a verb's options is what --help, the manual page and shells show of them.
. "${srcdir:-.}/test/system/lib.sh"

verbs() { "$vftr" --help | sed -n 's/^  \([a-z][a-z+]*\)  .*/\1/p'; }
options_of_help() { "$vftr" "$1" --help | sed -n 's/^  \(-[^ ].*\)/\1/p' | sed 's/  .*//' | grep -oE '(^|, )--?[a-zA-Z][a-z_-]*' | sed 's/^, //' | sort -u; }
options_of_page() {
    sed 's/\\-/-/g; s/\\f[A-Z]//g' "$srcdir/share_src/man/vftr-$1.1" | awk 'headed && /^\.B/ {print} {headed = /^\.T[PQ]/}' |
        grep -oE '(^|[ ",])--?[a-zA-Z][a-z_-]*' | sed 's/^[ ",]*//' | sort -u
}

test_manual_pages_have_the_options_of_the_table() {
    local verb
    for verb in $(verbs); do
        case $verb in
        config | fc | c++) continue ;; # the page of config is made from its options; the others are the page of cc
        ab) options_of_help ab | comm -23 - <(options_of_help diff | grep -vx -e -o -e --output -e -h -e --help -e --color -e -q -e --quiet) >of_help ;;
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
    expect_same "$(offered recover -)" "--force --color= --quiet --help" "for options"
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
    expect_same "$(offered ps '')" :folders "for a folder"
    expect_same "$(offered ps sub '')" "" "behind the only operand"
    expect_same "$(offered scaling one -- two -- '')" :recordings "behind the second --"
    expect_same "$(offered report --rank '')" "" "for a number"
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
    expect_same "$(offered ctl 12 stop '')" "" "behind a command without an operand"
    expect_same "$(offered config schema '')" "" "behind an action without an operand"
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

test_processes_that_are_recorded_are_completed() {
    config
    build waits.c <<'END'
#include <stdio.h>
int main(void) { return getchar() == EOF; }
END
    mkfifo input
    ./waits <input >out 2>err &
    local pid=$! end=$((SECONDS + 60))
    exec 3>input
    until [ -n "$(offered ctl "$pid")" ]; do [ $SECONDS -lt $end ] || fail "not offered: $(ls) $(cat err)"; done
    expect_same "$("$vftr" complete 1 top '' | tail -1)" "$pid"$'\twaits' "for a process"
    echo >&3
    exec 3>&-
    wait $pid || fail "$(cat err)"
    expect_same "$(offered ctl "$pid")" :recordings "when it has ended"
}

# Command lines that end with a word to be completed, and what becomes of them where there is one answer.
lines_to_complete() {
    mkdir -p bin sub zsh_functions && ln -sf "$vftr" bin/vftr && touch 'with blank.vfd' b_0.tmpvfd other.txt
    cat <<'END'
vftr rep|vftr report
vftr report --fo|vftr report --format=
vftr report --format=j|vftr report --format=json
vftr report --format j|vftr report --format json
vftr export --format=folded,callg|vftr export --format=folded,callgrind
vftr report b_|vftr report b_0.tmpvfd
vftr report with|vftr report with\ blank.vfd
vftr html --output=oth|vftr html --output=other.txt
vftr run --output=su|vftr run --output=sub/
vftr config explain sampling.act|vftr config explain sampling.active
vftr diff --normalise=calls:rela|vftr diff --normalise=calls:relax_row
vftr ctl 12 exclude rela|vftr ctl 12 exclude relax_row
END
}

# bash gives a function the words and takes its answers; readline does the rest.
test_bash_completes() {
    lines_to_complete >lines
    recording
    cat >complete.bash <<'END'
. "$1"
compopt() { options+=" $*"; }
complete -p vftr | grep -q -- '-F _vftr vftr' || echo "no function for vftr"
while IFS='|' read -r line wanted; do
    # As readline breaks a line: at blanks, and at = and :, which are words by themselves.
    COMP_WORDS=() options='' rest=$line
    while [ -n "$rest" ]; do
        part=${rest%%[ =:]*}
        [ -z "$part" ] || COMP_WORDS+=("$part")
        rest=${rest#"$part"}
        case $rest in [=:]*) COMP_WORDS+=("${rest:0:1}") ;; esac
        rest=${rest#?}
    done
    COMP_LINE=$line COMP_POINT=${#line} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    last=${COMP_WORDS[COMP_CWORD]}
    _vftr
    case $options in *filenames*) # which readline quotes, and ends with a slash
        printf -v 'COMPREPLY[0]' %q "${COMPREPLY[0]}"
        [ ! -d "${COMPREPLY[0]}" ] || COMPREPLY[0]+=/ ;;
    esac
    [ "${line%"$last"}${COMPREPLY[*]}" = "$wanted" ] || echo "$line: ${line%"$last"}${COMPREPLY[*]}"
    case $wanted in *=) [[ $options = *nospace* ]] || echo "$line: a blank comes behind it" ;; esac
done <lines
COMP_LINE='vftr report $(>ran) --nosuch' COMP_CWORD=3 COMP_WORDS=(vftr report '$(>ran)' --nosuch)
_vftr
END
    PATH=$PWD/bin:$PATH bash complete.bash "$srcdir/share_src/completion/bash/vftr" >wrong 2>&1
    [ ! -s wrong ] || fail "$(cat wrong)"
    [ ! -e ran ] || fail "a command in the line was run"
}

test_zsh_completes() {
    have zsh || skip "no zsh"
    lines_to_complete >lines
    recording
    cp "$srcdir/share_src/completion/zsh/_vftr" zsh_functions
    # The shell itself, on a terminal of its own: each line is typed, with a tab, and ^G writes down what has become of it.
    cat >complete.zsh <<'END'
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'PS1=; fpath=($PWD/zsh_functions $fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep no_auto_menu'
zpty -w shell 'tell() { print -r -- "$BUFFER" >>became; BUFFER=; }; zle -N tell; bindkey "^G" tell'
while IFS='|' read -r line wanted; do zpty -w -n shell "$line"$'\t\a'; done <lines
zpty -w -n shell $'vftr report $(>ran) --tre\t\a' # (of the word itself zsh makes what it is replaced by)
zpty -w shell exit
while zpty -r shell answer; do :; done
END
    PATH=$PWD/bin:$PATH HOME=$PWD timeout -k 5 "$run_limit" zsh -f complete.zsh </dev/null >said 2>&1 || fail "$(cat said)"
    sed 's/ $//' became >lines_of_zsh
    [ ! -e ran ] || fail "a command in the line was run"
    diff <(sed 's/.*|//' lines && echo 'vftr report $(>ran) --tree') lines_of_zsh >wrong || fail "wanted (<) and got (>): $(cat wrong)"
}

test_fish_completes() {
    have fish || skip "no fish"
    lines_to_complete >lines
    recording
    # Of fish one learns the words that it offers, which are not quoted.
    while IFS='|' read -r line wanted; do
        wanted=${wanted#"${line% *} "}
        printf '%s|%s\n' "$line" "${wanted//\\/}"
    done <lines >words
    cat >complete.fish <<'END'
source $argv[1]
while read -d '|' line wanted
    set -l offered (complete -C $line | string replace -r '\t.*' '')
    test "$offered" = "$wanted"; or echo "$line: $offered, not $wanted"
end <words
complete -C 'vftr report (>ran) --nosuch'
END
    PATH=$PWD/bin:$PATH HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD timeout "$run_limit" fish --no-config complete.fish "$srcdir/share_src/completion/fish/vftr.fish" >wrong 2>&1
    [ ! -s wrong ] || fail "$(cat wrong)"
    [ ! -e ran ] || fail "a command in the line was run"
}

run_tests
