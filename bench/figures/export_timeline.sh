# SPDX-License-Identifier: BSD-3-Clause
# Timelines in the formats of other tools.

# peak_mb COMMAND…: the most memory that it had at once in MB, without the pages of the recordings that it maps.
peak_mb() {
    local pid most=0 now
    "$@" >/dev/null &
    pid=$!
    while now=$(awk '/^RssAnon:/ { print $2 }' /proc/$pid/status 2>/dev/null) && [ -n "$now" ]; do
        [ "$now" -le $most ] || most=$now
        sleep 0.02
    done
    wait $pid
    awk -v kb=$most 'BEGIN { print kb / 1000 }'
}

# A timeline of 1344 call paths, with an event for each enter and leave. What an export does besides writing is measured by one that leaves all calls
# out.
export_timeline() {
    local calls=$1 name=$2 i
    compile tree
    VFTR_CONFIG=$shared/events.json ./tree.vftrace "$calls" >/dev/null
    for ((i = 0; i < repeat; i++)); do
        echo "$(cpu_seconds "$builddir/vftr" export --format=perfetto --functions='^none$' -o trace tree.vftrace_0.vfd)" \
            "$(cpu_seconds "$builddir/vftr" export --format=perfetto --max-size=100G -o trace tree.vftrace_0.vfd)" \
            "$(stat -c %s trace)"
    done >exports
    figure "$name to Perfetto" "$(awk -v n="$calls" '{ print 2 * n / $2 / 1e6 }' exports | median)" '>=10' 'M events/s'
    note '  only visited' "$(awk -v n="$calls" '{ print 2 * n / $1 / 1e6 }' exports | median)" 'M events/s'
    note '  time beside that of visiting' "$(awk '{ print $2 / $1 }' exports | median)" 'times'
    note '  size' "$(awk -v n="$calls" '{ print $3 / (2 * n) }' exports | median)" 'bytes/event'
    figure '  memory' "$(peak_mb "$builddir/vftr" export --format=perfetto --max-size=100G -o trace tree.vftrace_0.vfd)" '<=200' 'MB'
    rm -rf trace tree.vftrace_* vftrace_symbols
}

if grep -q '^#define HAVE_PROTOZERO 1' "$builddir/config.h"; then
    export_timeline 10000000 '20 M events'
    repeat=1 export_timeline 50000000 '100 M events' # that memory does not grow with the file
else
    left_out 'timelines for Perfetto' 'built without protozero'
fi
