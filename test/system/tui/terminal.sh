# SPDX-License-Identifier: BSD-3-Clause
# vftr tui and the terminal: its size, its settings, colours, the mouse.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/lib_tui.sh"

test_it_follows_the_size_of_the_terminal() {
    show_calls 120 40 --view functions
    local size
    for size in '80 24' '200 60' '60 10' '20 5' '10 3' '80 24'; do
        # shellcheck disable=SC2086
        resize $size
        until_true drawn_at $size
    done
    until_shown 'row 1 of 6'
    resize 200 60
    until_true drawn_at 200 60
    # The bar of the largest time is 20 cells long where there is room, and the last line is the last one of the screen.
    until_shown '████████████████████ '
    expect_same "$(screen | grep -n 'q quit' | cut -d: -f1)" 60 "last line"
    end_tui
}

# The heading is in the first line, and no line was broken.
drawn_at() {
    if [ "$2" -lt 4 ]; then screen | tail -n 1 | grep -q 'row 1'; else screen | head -n 1 | grep -q '^calls' && screen | sed -n "$2p" | grep -q 'row 1'; fi
}

# restored: the terminal's settings are those of before, and what stood on it is there again.
restored() {
    keys -l 'stty -a >after; echo settled'
    keys Enter
    until_true test -s after
    until_shown 'settled'
    cmp -s before after || fail "the settings of the terminal differ: $(diff before after)"
    shows 'before it' || fail "what stood on the screen is gone: $(screen)"
    tmux -L "$server" display-message -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag}' >state
    expect_same "$(cat state)" '0 1 0' "alternate screen, cursor, mouse"
}

prepared() {
    terminal 80 24
    keys -l 'echo before it; stty -a >before'
    keys Enter
    until_true test -s before
}

test_the_terminal_is_given_back() {
    recorded
    prepared
    begin_tui calls_all.vfd
    end_tui
    restored
}

test_a_signal_gives_the_terminal_back() {
    recorded
    prepared
    local signal number
    for signal in TERM INT HUP QUIT SEGV; do
        rm -f after
        keys -l "clear; echo before it $signal"
        keys Enter
        until_shown "before it $signal"
        begin_tui --view functions calls_all.vfd
        # Also after the files have been read again, which is done when the next key is.
        keys R Down
        until_shown 'row 2 of 6'
        pkill -"$signal" -t "$(tmux -L "$server" display-message -p '#{pane_tty}' | sed 's,/dev/,,')" vftr || fail "no vftr there"
        until_gone '? help  q quit'
        keys -l 'echo code=$?'
        keys Enter
        number=$((128 + $(kill -l $signal)))
        until_shown "code=$number"
        restored
    done
}

test_stopped_and_continued() {
    recorded
    prepared
    begin_tui --view functions calls_all.vfd
    keys C-z
    until_shown 'Stopped'
    restored
    keys -l 'fg'
    keys Enter
    until_shown '? help  q quit'
    keys Down
    until_shown 'row 2 of 6'
    end_tui
}

test_killed_where_it_is_stopped() {
    recorded
    prepared
    begin_tui --view functions calls_all.vfd
    keys C-z
    until_shown 'Stopped'
    keys -l 'jobs -p >process; kill %1'
    keys Enter
    until_true test -s process
    until_true is_gone "$(cat process)"
    keys Enter # the shell tells it before its next prompt
    until_shown 'Terminated'
    restored
}
# is_gone PID: the shell has been told of its end, too.
is_gone() { ! kill -0 "$1" 2>/dev/null; }

test_where_there_is_no_terminal_it_says_so() {
    recorded
    expect_refused 1 'must be a terminal' "$vftr" tui calls_all.vfd
    expect_refused 2 'a FILE or DIR is missing' "$vftr" tui
    expect_refused 2 'no such option' "$vftr" tui --no-such calls_all.vfd
    expect_refused 2 '--interval needs seconds' "$vftr" tui --interval 0 calls_all.vfd
    expect_refused 1 'no/such.vfd' "$vftr" tui no/such.vfd
    terminal 80 24
    keys -l "TERM=nobody '$vftr' tui calls_all.vfd; echo code=\$?; TERM= '$vftr' tui calls_all.vfd; TERM=dumb '$vftr' tui calls_all.vfd"
    keys Enter
    until_shown 'the terminal TERM=nobody is not known here'
    until_shown 'code=1'
    until_shown 'TERM is not set'
    until_shown 'cannot show a screen'
    keys -l "clear; '$vftr' tui --view waits calls_all.vfd; echo code=\$?"
    keys Enter
    until_shown 'there is no view waits'
    until_shown 'code=1'
    keys -l "clear; '$vftr' tui calls.json; echo code=\$?"
    keys Enter
    until_shown 'calls.json'
    until_shown 'code=1'
}

test_colours_leave_the_background_as_it_is() {
    show_calls 80 24 --view functions
    until_shown 'row 1 of 6'
    tmux -L "$server" capture-pane -p -e >shown
    grep -q $'\e\\[[0-9;]*32m' shown || fail "bars are not green: $(cat -v shown)"
    ! grep -qE $'\e\\[([0-9;]*;)?4[0-7](;[0-9;]*)?m' shown || fail "the background has a colour: $(cat -v shown)"
    end_tui
    keys -l "NO_COLOR=1 '$vftr' tui --view functions calls_all.vfd"
    keys Enter
    until_shown 'row 1 of 6'
    tmux -L "$server" capture-pane -p -e >shown
    ! grep -qE $'\e\\[([0-9;]*;)?3[0-7](;[0-9;]*)?m' shown || fail "colours in spite of NO_COLOR: $(cat -v shown)"
    end_tui
}

test_a_mouse_is_enough() {
    show_calls 100 24 --view functions
    click '"' '#' # a title
    until_shown 'by Calls'
    click '"' '%' # a row
    until_shown 'row 2 of 6'
    keys -l $'\e[Ma"%' # the wheel
    until_shown 'row 5 of 6'
    click '=' '"' # the view in the middle of the line of views
    until_gone 'row 5 of 6'
    end_tui
}

# click COLUMN ROW: pressed and released, as terminals report it: the button, the column and the row, each as a character from blank on.
click() {
    keys -l $'\e[M '"$1$2"
    keys -l $'\e[M#'"$1$2"
}

run_tests
