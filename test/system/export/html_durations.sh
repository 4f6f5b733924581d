# SPDX-License-Identifier: BSD-3-Clause
# The page of vftr html: how long single calls take, where the program recorded it.
. "${srcdir:-.}/test/system/export/lib_html.sh"

# Issue: histograms of call durations with percentiles in the views
test_call_paths_have_the_durations_of_json() {
    needs_page
    build_steps
    config
    sed -i 's/"profile_table": {/&"show_distribution": true, /' config.json
    run_well "$shared/steps"
    html steps_all.vfd
    page run.html '#view=functions&by=path&sort=call+path' "$cells('shortest call')" "$cells('median')" "$cells('90 %')" "$cells('99 %')" "$cells('longest call')"
    for name in shortest median p90 p99 longest; do
        # A blank where it is not known, as of the root.
        of_json "'|'.join(str(c.get('${name}_call_ns', '')) for c in p['call_paths'])"
    done >expected
    paste -d'\n' seen expected | python3 -c "
import sys
units = {'ns': 1, 'µs': 1e3, 'ms': 1e6, 's': 1e9}
lines = [line.rstrip('\n').split('|') for line in sys.stdin]
assert len(lines) == 10 and len(lines[0]) > 4, lines
for shown, exact in zip(lines[::2], lines[1::2]):
    assert len(shown) == len(exact) and exact[0] == shown[0] == '', (shown, exact)
    for cell, ns in zip(shown[1:], exact[1:]):
        number, unit = cell.split()
        assert abs(float(number) * units[unit] - int(ns)) <= 0.06 * units[unit], (cell, ns)
" || fail "the page has: $(cat seen), and JSON: $(cat expected)"
}

run_tests
