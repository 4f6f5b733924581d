# SPDX-License-Identifier: BSD-3-Clause
#
# The ways in which a program is run; bash, sourced by run. Variant V is the function as_V NAME ARGUMENTS… (- as _), which prints what the program
# prints. A subject may add its own. All but plain, vftrace and gprof run the same instrumented executable, NAME.empty, and differ by what is preloaded.
#
#   plain      not instrumented                     vftrace    linked with vftrace, defaults: what a user has
#   empty      hooks that return at once            clocks     hooks that only read the clock
#   preloaded  as vftr run starts it                off        VFTR_OFF=1
#   exact      every call is timed                  adaptive   short calls are timed in part
#   events     every enter and leave in the stream  callbacks  the same to a callback that returns at once, no file
#   uftrace    uftrace record: a full trace         gprof      -pg: call counts, and samples of the time
#   lttng, lttng-fast  LTTng-UST's cyg-profile libraries: a full trace

as_plain() { local name=$1 && shift && "./$name.plain" "$@"; }
as_empty() { local name=$1 && shift && "./$name.empty" "$@"; }
as_vftrace() { local name=$1 && shift && "./$name.vftrace" "$@"; }
as_off() { local name=$1 && shift && VFTR_OFF=1 "./$name.vftrace" "$@"; }
as_preloaded() { with_preloaded "$builddir/libvftrace.so" "$@"; }
as_clocks() { with_preloaded "$shared/libhooks_two_clocks.so" "$@"; }
as_exact() { VFTR_CONFIG=$shared/exact.json as_preloaded "$@"; }
as_adaptive() { VFTR_CONFIG=$shared/adaptive.json as_preloaded "$@"; }
as_events() { VFTR_CONFIG=$shared/events.json as_preloaded "$@"; }
as_callbacks() { LD_PRELOAD=$shared/libembed_noop.so as_vftrace "$@"; }
with_preloaded() { # LIBRARY NAME ARGUMENTS…
    local library=$1 name=$2
    shift 2
    LD_PRELOAD=$library "./$name.empty" "$@"
}

# The libraries and configurations of the variants above.
make_variants() {
    local hooks
    for hooks in hooks_empty hooks_two_clocks; do
        $CC -O2 -fPIC -shared "$programs/$hooks.c" -o "$shared/lib$hooks.so"
    done
    # What a subject reads is in the log's table by function.
    local table='"name_grouped_profile_table": {"show_table": true, "max_rows": 0}'
    echo "{$table}" >"$shared/exact.json"
    if "$builddir/vftr" config explain timing >/dev/null 2>&1; then
        echo "{\"timing\": \"exact\", $table}" >"$shared/exact.json"
        echo "{\"timing\": \"adaptive\", $table}" >"$shared/adaptive.json"
    fi
    echo '{"sampling": {"active": true, "sample_interval": 0}}' >"$shared/events.json"
}
has_adaptive() { [ -e "$shared/adaptive.json" ]; }
