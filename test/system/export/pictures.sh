# SPDX-License-Identifier: BSD-3-Clause
#
# Each viewer that has a window draws exports of one job, examples/heat_hybrid.c on two ranks with two threads each. The pictures of share_src/doc/viewers.md are
# what it draws, and so are those of vftr html and vftr tui: with PICTURES=FOLDER they are written there.
. "${srcdir:-.}/test/system/export/lib_export.sh"

needs_mpi
export PYTHONDONTWRITEBYTECODE=1

# Its files, which are those of one run for all viewers.
recorded_job() {
    if [ ! -e "$shared/heat_hybrid_all.vfd" ]; then
        cp "$srcdir/examples/heat_hybrid.c" .
        optimise=-O2 build_mpi heat_hybrid -fopenmp -lm
        config '"sampling": {"active": true, "sample_interval": 0}, "openmp": {"active": true}'
        OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive ranks_well 2 ./heat_hybrid
        cp -r heat_hybrid heat_hybrid.c vftrace_symbols ./*.vfd "$shared/"
    fi
    cp -rp "$shared/." .
}

# picture NAME: what was drawn in the file, which is a PNG that is not of one colour.
picture() {
    expect_same "$(head -c 8 "$1" | od -An -tx1 | tr -d ' ')" 89504e470d0a1a0a "begin of $1"
    expect_at_least "$(wc -c <"$1")" 4000 "bytes of $1"
    [ -z "${PICTURES:-}" ] || cp "$1" "$PICTURES/"
}

# drawn VIEWER WHAT NAME TEXT…: the picture of what a page shows, which has these texts.
drawn() {
    have chromium || skip "no Chromium"
    have python3 || skip "no python3"
    python3 "$srcdir/test/system/export/pictures.py" "$1" "$2" "$3" "${SPEEDSCOPE:-}" >shown 2>err
    case $? in
    0) ;;
    77) skip "this Chromium has another $1" ;;
    *) fail "$(tail -3 err)" ;;
    esac
    for text in "${@:4}"; do
        grep -qF -- "$text" shown || fail "no '$text' in: $(head -c 2000 shown)"
    done
    picture "$3"
}

test_speedscope_draws_the_timeline_of_a_rank() {
    [ -d "${SPEEDSCOPE:-}" ] || skip "no speedscope"
    needs RAPIDJSON
    recorded_job
    export_as speedscope --from=0.4 --to=0.42 heat_hybrid_?.vfd
    drawn speedscope heat_hybrid_all.speedscope.json speedscope.png "rank 0, thread 0"
}

test_a_browser_draws_the_flame_graph() {
    recorded_job
    export_as flamegraph heat_hybrid_all.vfd
    drawn page "file://$PWD/heat_hybrid_all.svg" flamegraph.png relax MPI_Allreduce
}

test_devtools_draw_the_timeline() {
    needs RAPIDJSON
    recorded_job
    export_as chrome --from=0.4 --to=0.42 heat_hybrid_?.vfd
    drawn devtools heat_hybrid_all.trace.json devtools.png $'18\xc2\xa0ms'
}

test_pprof_draws_a_flame_graph() {
    local go port
    has PROTOZERO && has ZLIB || skip "built without protozero or zlib"
    have python3 || skip "no python3"
    find_go
    [ -n "$go" ] || skip "no go"
    recorded_job
    export_as pprof --each-rank heat_hybrid_?.vfd
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("localhost", 0)); print(s.getsockname()[1])')
    cat >serve.py <<'END'
import subprocess, sys, time, urllib.request
server = subprocess.Popen([sys.argv[1], 'tool', 'pprof', f'-http=localhost:{sys.argv[2]}', '-no_browser', 'heat_hybrid_all.pb.gz'], start_new_session=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
for _ in range(600):
    try:
        urllib.request.urlopen(f'http://localhost:{sys.argv[2]}/').read()
        break
    except OSError:
        time.sleep(0.1)
print(server.pid)
END
    server=$(HOME=$PWD GOFLAGS='' PPROF_TMPDIR=$PWD python3 serve.py "$go" "$port" 2>served) || fail "$(cat served)"
    # shellcheck disable=SC2064
    trap "kill -- -$server" EXIT
    drawn page "http://localhost:$port/ui/flamegraph" pprof.png relax MPI_Allreduce
}

test_graphviz_draws_the_call_graph() {
    have dot || skip "no graphviz"
    recorded_job
    export_as dot --min-share=1 heat_hybrid_all.vfd
    dot -Tplain heat_hybrid_all.dot >drawn 2>err || fail "$(cat err)"
    grep -q '^node .*MPI_Allreduce' drawn || fail "no MPI_Allreduce: $(cat drawn)"
    dot -Tpng -Gdpi=60 heat_hybrid_all.dot >graphviz.png 2>err || fail "$(cat err)"
    picture graphviz.png
}

# Issue: kcachegrind under Xvfb once
test_kcachegrind_draws_callers_and_callees() {
    local i
    for i in kcachegrind Xvfb xwininfo import dbus-run-session; do have $i || skip "no $i"; done
    recorded_job
    export_as callgrind --lines heat_hybrid_all.vfd
    mkdir -p home/.config run
    chmod 700 run
    printf '[TipOfDay]\nRunOnStart=false\n' >home/.config/kcachegrindrc
    cat >in_window <<'END'
kcachegrind -qwindowgeometry 1280x640+0+0 heat_hybrid_all.callgrind &
for i in $(seq 600); do
    xwininfo -root -tree >windows
    ! grep -qF 'heat_hybrid_all.callgrind [heat_hybrid]' windows || break
    sleep 0.1
done
for i in $(seq 60); do # it draws when it has time for it
    sleep 1
    import -window root kcachegrind.png
    [ "$(wc -c <kcachegrind.png)" -lt 40000 ] || break
done
kill $!
END
    xvfb-run -a -s '-screen 0 1280x640x24' env LC_ALL=C.UTF-8 HOME="$PWD/home" XDG_RUNTIME_DIR="$PWD/run" dbus-run-session -- sh ./in_window >shown 2>err
    ! grep '^Loading ' err || fail "kcachegrind complains of the file"
    grep -qF 'heat_hybrid_all.callgrind [heat_hybrid]' windows || fail "no window of the file: $(cat windows err)"
    picture kcachegrind.png
}

# Issue: README begins with pictures
# around FUNCTION: "from=NS&to=NS", 20 ms around the call in the middle of all: a busy machine may take longer than that for what is between two calls.
around() {
    "$vftr" export --format=events -o - heat_hybrid_?.vfd | awk -F, -v name="$1" '
        $7 == name { at[n++] = $4 }
        END { begin = at[int(n / 2)] - 1e7; printf "from=%.0f&to=%.0f", begin > 0 ? begin : 0, begin + 2e7 }'
}

test_a_browser_draws_the_page() {
    has HTML || skip "built without vftr html"
    recorded_job
    export_as html heat_hybrid_?.vfd
    drawn page "file://$PWD/heat_hybrid_all.html" page.png "What matters" "MPI_Allreduce"
    drawn page "file://$PWD/heat_hybrid_all.html#view=timeline&$(around MPI_Allreduce)" timeline.png "messages" "MPI_Allreduce"
}

test_a_terminal_draws_the_call_tree() {
    local i
    has NCURSESW || skip "built without ncurses"
    for i in xterm Xvfb import tmux; do have $i || skip "no $i"; done
    recorded_job
    cat >in_window <<'END'
in_tmux() { env -u TMUX tmux -L "$server" "$@"; }
shows() { in_tmux capture-pane -p | grep -qF -- "$1"; }
in_tmux -f /dev/null new-session -d -x 110 -y 26 "$vftr tui --view tree heat_hybrid_all.vfd"
in_tmux set-option -g status off
until shows '+ main' || ! in_tmux list-sessions; do sleep 0.1; done
in_tmux send-keys +
until shows 'exchange_rows' || ! in_tmux list-sessions; do sleep 0.1; done
xterm -b 8 -fa Monospace -fs 10 -geometry 110x26+0+0 -e "tmux -L $server attach" &
for i in $(seq 600); do
    sleep 0.1
    import -window root terminal.png
    [ "$(wc -c <terminal.png)" -lt 20000 ] || break
done
in_tmux capture-pane -p >shown
in_tmux kill-server
END
    server=pictures.$BASHPID vftr=$vftr timeout "$run_limit" xvfb-run -a -s '-screen 0 906x450x24' env LC_ALL=C.UTF-8 HOME="$PWD" sh ./in_window >said 2>err
    grep -q 'exchange_rows' shown || fail "it shows: $(cat shown err)"
    picture terminal.png
}

run_tests
