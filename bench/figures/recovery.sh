# SPDX-License-Identifier: BSD-3-Clause
# Closing the recording of a killed process.

# MB per second of a command that goes over a file.
speed() {
    local TIMEFORMAT='%R' bytes
    bytes=$(stat -c %s "$1")
    shift
    { time "$@" >/dev/null; } 2>spent
    awk -v b="$bytes" '{ print b / 1e6 / ($1 + 1e-3) }' spent
}

# A timeline of 1 GiB whose process was killed.
recovery() {
    local pid file
    compile leaf
    VFTR_CONFIG=$shared/events.json ./leaf.vftrace 100000000000 >/dev/null &
    pid=$! file=leaf.vftrace_$!.tmpvfd
    until [ "$(stat -c %s "$file" 2>/dev/null || echo 0)" -ge $((1 << 30)) ]; do sleep 0.1; done
    kill -9 $pid
    wait $pid 2>/dev/null || true
    note 'reading a recording of 1 GiB (cat)' "$(speed "$file" cat "$file")" 'MB/s'
    figure 'recovery of 1 GiB' "$(speed "$file" "$builddir/vftr" recover "$file")" '>=500' 'MB/s'
    rm -rf leaf.vftrace_* vftrace_symbols
}

recovery
