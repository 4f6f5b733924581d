# SPDX-License-Identifier: BSD-3-Clause
#
# Other recorders of calls, as variants (variants.sh); bash, sourced by run. Each with its defaults, but that uftrace is to record neither calls of
# libraries nor scheduling, which we do not either. Of those that write by another process, that process's time is not counted.

# What is not here is left out: `peers` has those that are.
find_peers() {
    peers=
    if $CC -pg -x c - -o "$shared/pg" <<<'int main(void) { return 0; }' 2>/dev/null; then peers+=' gprof'; fi
    if have uftrace; then peers+=' uftrace'; else missing_peer uftrace uftrace; fi
    if start_lttng; then peers+=' lttng lttng-fast'; fi
}
missing_peer() { missing_peers+="$1 is left out: ${3-no package $2}. "; }
missing_peers=

as_uftrace() {
    local name=$1
    shift
    rm -rf uftrace.data
    uftrace record -d uftrace.data --no-libcall --no-event "./$name.empty" "$@" 2>uftrace.said
}

# LTTng's session daemon is ours and ends with us. As root there is one place for it on a machine.
start_lttng() {
    have lttng && have lttng-sessiond || { missing_peer LTTng lttng-tools; return 1; }
    LD_PRELOAD=liblttng-ust-cyg-profile.so true 2>&1 | grep -q . && { missing_peer LTTng liblttng-ust-dev; return 1; }
    export LTTNG_HOME=$shared/lttng
    mkdir -p "$LTTNG_HOME"
    if lttng list >/dev/null 2>&1; then
        missing_peer LTTng '' 'its session daemon runs already'
        return 1
    fi
    lttng-sessiond --no-kernel >"$LTTNG_HOME/log" 2>&1 &
    lttng_daemon=$!
    for _ in $(seq 50); do
        if lttng list >/dev/null 2>&1; then return 0; fi
        sleep 0.1
    done
    missing_peer LTTng '' 'its session daemon does not start'
    return 1
}
end_lttng() { [ -z "${lttng_daemon:-}" ] || { kill "$lttng_daemon" && wait "$lttng_daemon"; } 2>/dev/null || true; }

as_lttng() { traced_by_lttng liblttng-ust-cyg-profile.so "$@"; }
as_lttng_fast() { traced_by_lttng liblttng-ust-cyg-profile-fast.so "$@"; }
traced_by_lttng() {
    rm -rf lttng.data
    {
        lttng create bench --output="$PWD/lttng.data" &&
            lttng enable-event -u -s bench 'lttng_ust_cyg_profile*' && lttng start bench
    } >lttng.said 2>&1
    with_preloaded "$@"
    lttng destroy bench >>lttng.said 2>&1
}

as_gprof() { local name=$1 && shift && "./$name.gprof" "$@"; }
compile_for_gprof() {
    local file
    file=$(source_of "$1")
    $(compiler_of "$file") -O2 -pg "$file" -o "$1.gprof" -pthread
}

# bytes_written VARIANT: bytes of the trace that the latest run has left, nothing where it writes none.
bytes_written() {
    case $1 in
    uftrace) cat uftrace.data/*.dat | wc -c ;;
    lttng*) find lttng.data -type f ! -name metadata ! -name '*.idx' -printf '%s\n' | awk '{ n += $1 } END { print n }' ;;
    events | compressed) cat ./*_0.vfd | wc -c ;;
    esac
}
