# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests of the page of vftr html have in common, on top of lib_export.sh.
. "${srcdir:-.}/test/system/export/lib_export.sh"

needs_page() {
    needs HTML
    if [ "${BROWSER:-chromium}" = firefox ]; then
        have firefox || have firefox-esr || skip "no Firefox"
    else
        have chromium || skip "no Chromium"
    fi
    have python3 || skip "no python3"
}
# page FILE STEP…: see html_page.py; what it prints is in the file `seen`.
page() { python3 "$srcdir/test/system/export/html_page.py" "$@" >seen 2>err || fail "$(tail -3 err)"; }
# html FILE…: the page as run.html, and the document that its figures are compared with.
html() {
    run_well "$vftr" html -o run.html "$@"
    "$vftr" report --format=json "$@" >run.json 2>err || fail "$(cat err)"
}
# of_json EXPRESSION: of the profile `p`, by Python.
of_json() { python3 -c "import json; p = json.load(open('run.json'))['profiles'][0]; print($1)"; }

build_steps() {
    [ -e "$shared/steps_all.vfd" ] || (
        cd "$shared" || exit 1
        build steps.cpp <<'END'
#include <vftrace.h>
#define N __attribute__((noinline))
template <class T> struct Box { N void work(T n) { volatile T s = 0; for (T i = 0; i < n; i++) s = s + i; } };
N void shorter() { Box<int>().work(300000); }
N void longer() { for (int i = 0; i < 3; i++) Box<long>().work(3000000); }
N void strange()
{
    vftrace_region_begin("<img src=x onerror=document.title='script'>");
    shorter();
    vftrace_region_end("<img src=x onerror=document.title='script'>");
}
int main() { shorter(); longer(); strange(); }
END
        unset VFTR_CONFIG
        run_well ./steps
    ) || exit 1
    cp "$shared/steps_all.vfd" .
}

# The cells of a column of the table, by its title without the arrow of the order.
cells="(title => { const i = [...document.querySelectorAll('.titles > *')].findIndex(one => one.innerText.replace(/ [▲▼]/, '') === title);
    return [...document.querySelectorAll('.rows .row:not(.titles)')].sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top)).map(row => row.children[i].innerText).join('|'); })"
