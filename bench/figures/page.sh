# SPDX-License-Identifier: BSD-3-Clause
# The page of vftr html: how long a browser takes to open one of a million call paths, and to draw its flame graph again; and the timeline of 64 threads.

# 30 steps into the tree and back, each of which draws all boxes that are wide enough, in milliseconds: what most take, and the longest.
drawings="(async () => {
    const canvas = document.querySelector('canvas'), times = [];
    for (let i = 0; i < 30; i++) {
        const begin = performance.now();
        canvas.dispatchEvent(new KeyboardEvent('keydown', {key: i % 2 ? 'ArrowUp' : 'ArrowDown'}));
        times.push(performance.now() - begin);
        await new Promise(end => requestAnimationFrame(end));
    }
    times.sort((a, b) => a - b);
    return times[15] + ' ' + times[29];
})()"

# 30 steps closer, aside and away again, each of which draws what is seen in the next frame: what the longest takes, in milliseconds.
zooms="(async () => {
    const canvas = document.querySelector('canvas'), times = [];
    for (const key of [...'+'.repeat(10), ...Array(10).fill('ArrowRight'), ...'-'.repeat(10)])
        await new Promise(end => {
            let begin = 0;
            requestAnimationFrame(() => { begin = performance.now(); });
            canvas.dispatchEvent(new KeyboardEvent('keydown', {key}));
            requestAnimationFrame(() => { times.push(performance.now() - begin); end(); });
        });
    times.sort((a, b) => a - b);
    return times[15] + ' ' + times[29];
})()"

# can_be_shown WHAT: else it is left out.
can_be_shown() {
    have chromium && grep -q '^#define HAVE_HTML 1' "$builddir/config.h" ||
        { left_out "$1" 'there is no chromium, or vftrace was built without the page' && return 1; }
}

timeline_of_64_threads() {
    local i
    can_be_shown 'timeline of 64 threads' || return 0
    compile threads
    echo '{"sampling": {"active": true, "sample_interval": 0}}' >config.json
    VFTR_CONFIG=config.json ./threads.vftrace 100000 64 >printed
    "$builddir/vftr" html --max-size=400 -o threads.html threads.vftrace_0.vfd
    for ((i = 0; i < repeat; i++)); do
        PYTHONDONTWRITEBYTECODE=1 python3 "$(dirname "$programs")/../test/system/export/html_page.py" threads.html \
            'size 2560 1440' '#view=timeline' "$zooms"
    done >samples
    figure 'timeline of 64 threads and 6 million calls, a zoom' "$(awk '{ print $1 }' samples | median)" '<=50' 'ms'
    figure '  at most' "$(awk '{ print $2 }' samples | median)" '<=100' 'ms'
    note '  its size' "$(stat -c %s threads.html | awk '{ print $1 / 1e6 }')" 'MB'
    rm ./*.vfd threads.html
}

page_of_a_million_paths() {
    local i
    can_be_shown 'page of a million call paths' || return 0
    compile paths
    echo '{"max_call_paths": 2000000}' >config.json
    VFTR_CONFIG=config.json ./paths.vftrace 2 '100 0 0' >printed
    "$builddir/vftr" html -o million.html paths.vftrace_all.vfd
    for ((i = 0; i < repeat; i++)); do
        PYTHONDONTWRITEBYTECODE=1 python3 "$(dirname "$programs")/../test/system/export/html_page.py" million.html \
            '#view=flame' 'performance.now() / 1000' "$drawings" | paste -sd' '
    done >samples
    figure 'page of a million call paths, opened' "$(awk '{ print $1 }' samples | median)" '<=2' 's'
    figure '  its flame graph, drawn again' "$(awk '{ print $2 }' samples | median)" '<=16' 'ms'
    note '  at most' "$(awk '{ print $3 }' samples | median)" 'ms'
    note '  its size' "$(stat -c %s million.html | awk '{ print $1 / 1e6 }')" 'MB'
    rm ./*.vfd million.html
}

page_of_a_million_paths
timeline_of_64_threads
