# SPDX-License-Identifier: BSD-3-Clause
#
# vftr tui in a terminal of tmux, on top of lib.sh. Nothing here waits for a time: until_shown and the like look at the
# screen again and again until it has what is waited for.

have tmux || { echo "skip: no tmux" && exit 77; }
has NCURSESW || { echo "skip: built without ncurses" && exit 77; }

# terminal COLUMNS ROWS [VARIABLE=VALUE…]: a terminal with a shell in it, in a server of its own that ends with the test. Its prompt is "ready>".
# A second one of the same test is of another name, since the first server may still be ending.
terminals=0
terminal() {
    server=vftr.$BASHPID.$((++terminals)) columns=$1 rows=$2
    trap 'tmux -L "$server" kill-server 2>/dev/null' EXIT
    printf "PS1='ready> '\nPS2=\nset +o history\n" >shell.rc
    # From its begin, so that a shell that ends at once is seen to do so.
    printf 'set-option -g %s\n' 'status off' 'remain-on-exit on' 'exit-empty off' >tmux.conf
    env -u TMUX LC_ALL=C.UTF-8 tmux -L "$server" -f "$PWD/tmux.conf" new-session -d -x "$columns" -y "$rows" \
        "exec env ${*:3} bash --noprofile --rcfile '$PWD/shell.rc' -i" || fail "tmux does not start"
    tmux -L "$server" resize-window -x "$columns" -y "$rows"
    until_shown 'ready>'
}
screen() { tmux -L "$server" capture-pane -p; }
# keys KEY…: as tmux names them (Enter, Down, NPage, BTab), other words as they are.
keys() { tmux -L "$server" send-keys "$@"; }
resize() { tmux -L "$server" resize-window -x "$1" -y "$2"; }

# until CONDITION…: a command that ends well at last.
until_true() {
    local end=$((SECONDS + run_limit))
    until "$@"; do
        [ $SECONDS -lt $end ] || fail "not within $run_limit s: $*; the screen:
$(screen)"
        sleep 0.05
    done
}
shows() { screen | grep -qF -- "$1"; }
shows_not() { ! shows "$1"; }
until_shown() { until_true shows "$1"; }
until_gone() { until_true shows_not "$1"; }

# begin_tui ARGUMENT…: from the shell, until its last line is there.
begin_tui() {
    keys -l "'$vftr' tui $*"
    keys Enter
    until_shown '? help  q quit'
}
# end_tui: and the shell is there again, on the screen that was there before.
end_tui() {
    keys q
    until_gone '? help  q quit'
    keys -l 'echo back=$?'
    keys Enter
    until_shown 'back='
}
# to_view TITLE: by the key for the next one, each when the one before is shown, until it is the one that the help of the views calls so.
to_view() {
    local first before
    first=$(open_view)
    while [ "$(open_view)" != "$1" ]; do
        before=$(open_view)
        keys Tab
        until_true view_is_not "$before"
        [ "$(open_view)" != "$first" ] || fail "no view $1: $(screen)"
    done
}
view_is_not() { [ "$(open_view)" != "$1" ]; }
# cursor_at TEXT: the row under the cursor, which is in reverse, has it.
cursor_at() { tmux -L "$server" capture-pane -p -e -S 3 | grep -E $'^(\e\\[[0-9;]*m)*\e\\[[0-9;]*7m' | sed $'s/\e\\[[0-9;]*m//g' | grep -qF -- "$1"; }
# The title of the open view, which stands in reverse.
open_view() { tmux -L "$server" capture-pane -p -e -S 1 -E 1 | sed -n $'s/.*\e\\[[0-9;]*7m *[1-9]\\{0,1\\} *\\([^\e]*[^ \e]\\).*/\\1/p'; }

# exported VIEW: what the view shows, as the file VIEW.csv.
exported() {
    rm -f "$1.csv"
    keys e
    until_shown 'Write to the file: '
    keys C-u
    keys -l "$1.csv"
    keys Enter
    until_shown "was written to $1.csv"
}
figures() { python3 "$srcdir/test/system/tui_figures.py" "$@" || fail "the figures of $1 differ: $(screen)"; }

# A recording of some functions: calls_all.vfd, and what it has: calls.json.
recorded() {
    config
    build calls.c <<'END'
static volatile int n;
void leaf(void) { for (int i = 0; i < 300000; i++) n++; }
void middle(int times) { for (int i = 0; i < times; i++) leaf(); }
void other(void) { middle(2); }
void deep(int more) { if (more) deep(more - 1); else leaf(); }
int main(void) { for (int i = 0; i < 5; i++) { middle(3); other(); } deep(4); return 0; }
END
    run_well ./calls
    run_well "$vftr" report --format=json calls_all.vfd
    mv out calls.json
}
# show_calls COLUMNS ROWS [OPTION…]: that recording in vftr tui, in a terminal of this size.
show_calls() {
    recorded
    terminal "$1" "$2"
    begin_tui "${@:3}" calls_all.vfd
}
# Moves the cursor of a box on until it is at this entry.
at_entry() {
    ! tmux -L "$server" capture-pane -p -e | grep -qE $'\e\\[[0-9;]*7m(\\* |  )?'"$1"'($|[^a-zA-Z])' || return 0
    keys Down
    return 1
}
