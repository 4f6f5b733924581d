# SPDX-License-Identifier: BSD-3-Clause
# vftr html --serve: the page from a local server, and who gets it. The page as a file: html.sh.
. "${srcdir:-.}/test/system/export/lib_html.sh"

# serve OPTION… FILE…: a server of the page; its address is in `address`, without the / at its end.
serve() {
    rm -f served
    timeout -k 60 "$run_limit" "$vftr" html --serve "$@" >served 2>serve.err &
    server=$!
    trap 'kill $server 2>/dev/null' EXIT # where the test fails
    until [ -s served ] || ! kill -0 $server 2>/dev/null; do sleep 0.02; done
    [ -s served ] || fail "no address: $(cat serve.err)"
    address=$(sed 's,/$,,' served)
}

# Until the server says that nothing more is to come.
until_it_has_ended() {
    until curl -s "$address/state" >state && grep -q '"running": false' state; do
        kill -0 $server 2>/dev/null || fail "the server is gone: $(cat serve.err)"
        sleep 0.1
    done
}
# One signal is enough.
end_server() {
    kill $server
    status=0
    wait $server 2>/dev/null || status=$?
    expect_status 143
}

# Contract: vftr html --serve: the same page from a local server that answers zooms from the files
test_a_served_page_has_the_same_figures_and_more_detail() {
    needs_page
    config '"sampling": {"active": true, "sample_interval": 0}'
    build detailed.c <<'END'
#define N __attribute__((noinline))
static N void brief(void) {}
static N void longer(void) { volatile int s = 0; for (int i = 0; i < 30000000; i++) s = s + i; }
static N void many(void) { for (int i = 0; i < 100; i++) brief(); }
int main(void)
{
    longer();
    many();
    longer();
    return 0;
}
END
    run_well ./detailed
    html detailed_0.vfd
    export_as events -o events detailed_0.vfd
    serve detailed_0.vfd
    local row="[...document.querySelectorAll('#view table tbody tr')].map(row => [...row.cells].map(cell => cell.innerText).join('|')).join('\n')"
    local from to
    read -r from to <<<"$(awk -F, '$7 == "many" { print $4, $4 + $5 }' events)"
    page run.html '#view=functions' "$cells('function')" "$cells('calls')" "$cells('exclusive')"
    mv seen expected
    page "$address/" '#view=functions' "$cells('function')" "$cells('calls')" "$cells('exclusive')"
    expect_same "$(cat seen)" "$(cat expected)" "functions of the served page and of one from disk"
    page "$address/" '#view=timeline' "$row" "document.querySelector('p[role=status]').innerText" "#view=timeline&from=$from&to=$to" \
        "new Promise(end => { const look = () => /brief.*100$/m.test(document.querySelector('#view table').innerText) ? end('brief 100') : setTimeout(look, 20); look(); })" \
        "#view=flame&from=$from&to=$to" \
        "new Promise(end => { const canvas = document.querySelector('canvas'), box = canvas.getBoundingClientRect(), look = () => {
            canvas.dispatchEvent(new MouseEvent('mousemove', {clientX: box.left + 20, clientY: box.top + 70}));
            const told = document.getElementById('tip')?.innerText ?? '';
            /^brief/.test(told) ? end(told.replaceAll('\n', '|')) : setTimeout(look, 20); }; look(); })"
    ! sed '/looking closer/q' seen | grep -q '^brief' || fail "calls of a nanosecond are in the first picture: $(cat seen)"
    grep -q 'become visible when looking closer' seen || fail "the page does not say what it has not: $(cat seen)"
    expect_same "$(tail -2 seen | head -1)" 'brief 100' "calls of brief, looked at closely"
    tail -1 seen | grep -qE '^brief[|].*[|]100 calls, STID' || fail "brief in the flame graph of that part: $(tail -1 seen)"
    end_server
}

# Contract: 127.0.0.1 only, a random token in the URL, wrong tokens and other Host headers refused with a clear status
test_a_server_answers_nobody_without_its_token() {
    needs HTML
    have curl || skip "no curl"
    build_steps
    serve steps_all.vfd
    local port=${address#http://127.0.0.1:}
    port=${port%/*}
    grep -qE '^http://127[.]0[.]0[.]1:[0-9]+/[0-9a-f]{32}/$' served || fail "the address: $(cat served)"
    status_of() { curl -s -o body -w '%{http_code}' "$@"; }
    expect_same "$(status_of "$address/")" 200 "the page"
    ! grep -q 'http:\|https:' body || fail "the page has an address"
    expect_same "$(status_of "$address/state")" 200 "its state"
    expect_same "$(cat body)" '{"state": 0, "running": false}' "its state"
    expect_same "$(status_of "$address/data")" 200 "its data"
    gzip -dc <body | head -c 8 >unpacked
    expect_same "$(cat unpacked)" vftrace1 "its data"
    expect_same "$(status_of "http://127.0.0.1:$port/")" 403 "no token"
    expect_same "$(status_of "http://127.0.0.1:$port/$(printf %032d 0)/")" 403 "another token"
    expect_same "$(status_of "${address%?}/")" 403 "a part of the token"
    expect_same "$(status_of -H 'Host: example.org' "$address/data")" 403 "another host"
    expect_same "$(status_of -H "Host: example.org:$port" "$address/data")" 403 "another host"
    expect_same "$(status_of -H "Host:" "$address/data")" 403 "no host"
    expect_same "$(status_of -H "Host: localhost:$port" "$address/state")" 200 "localhost"
    expect_same "$(status_of "$address/nothing")" 404 "something else"
    expect_same "$(status_of -X POST "$address/")" 405 "a POST"
    expect_same "$(status_of "$address/timeline?from=1")" 400 "a part without its end"
    expect_same "$(status_of "$address/timeline?from=1&to=2&shortest=0&state=7")" 404 "a part of other data"
    expect_same "$(status_of -H "X: $(printf %020000d 0)" "$address/")" 431 "a large request"
    expect_same "$(curl -s -I "$address/" | tr -d '\r' | sed -n 's/^Cache-Control: //p')" no-store "whether copies are kept"
    ! curl -s -o body --max-time 5 "http://[::1]:$port/" || fail "it listens on other addresses"
    grep -qi "^ *[0-9]*: 0100007F:$(printf %04X "$port") 00000000:0000 0A" /proc/net/tcp || fail "it does not listen on 127.0.0.1 alone: $(cat /proc/net/tcp)"
    # A connection that asks for nothing keeps nobody waiting.
    exec 9<>"/dev/tcp/127.0.0.1/$port"
    expect_same "$(status_of --max-time 20 "$address/state")" 200 "its state, beside an idle connection"
    exec 9>&-
    expect_refused 1 'no port to listen on' "$vftr" html --serve --port="$port" steps_all.vfd
    end_server
    expect_refused 2 '--port needs a number' "$vftr" html --serve --port=0 steps_all.vfd
    expect_refused 2 '--port goes with --serve' "$vftr" html --port=80 steps_all.vfd
    expect_refused 2 '--serve writes no file' "$vftr" html --serve -o x.html steps_all.vfd
}

# Contract: follows a running program
test_a_served_page_follows_a_running_program() {
    needs_page
    have curl || skip "no curl"
    mkdir all
    config '"output_directory": "all"'
    build long.c <<'END'
#include <stdio.h>
__attribute__((noinline)) static void step(void) {}
int main(void)
{
    step();
    puts("one");
    fflush(stdout);
    getchar();
    for (int i = 0; i < 41; i++) step();
    puts("two");
    fflush(stdout);
    getchar();
    return 0;
}
END
    mkfifo input
    ./long <input >said 2>said.err &
    local program=$!
    exec 8>input
    until grep -qs one said || ! kill -0 $program 2>/dev/null; do sleep 0.02; done
    serve all
    echo >&8
    page "$address/" '#view=functions' "new Promise(end => { const look = () => { const text = $cells('calls'); /(^|[|])42([|]|$)/.test(text) ? end('42 calls') : setTimeout(look, 50); }; look(); })"
    expect_same "$(cat seen)" '42 calls' "calls of step, once it has made them"
    echo >&8
    exec 8>&-
    wait $program
    # Then the merged profile is there instead of the recording, and nothing more is to come.
    until_it_has_ended
    page "$address/" '#view=functions' "$cells('calls')"
    grep -qE '(^|[|])42([|]|$)' seen || fail "calls at the end: $(cat seen)"
    end_server
    # Of a file that is gone, the page stays as it was.
    mkfifo again
    ./long <again >said.again 2>said.err &
    program=$!
    exec 8>again
    until grep -qs one said.again || ! kill -0 $program 2>/dev/null; do sleep 0.02; done
    serve all/long_*.tmpvfd
    printf '\n\n' >&8
    exec 8>&-
    wait $program
    until_it_has_ended
    grep -q 'the page stays as it is' serve.err || fail "what is said of a file that is gone: $(cat serve.err)"
    expect_same "$(curl -s -o body -w '%{http_code}' "$address/data")" 200 "the data"
    end_server
}

run_tests
