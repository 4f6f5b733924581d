# SPDX-License-Identifier: BSD-3-Clause
#
# The ways in which a program is run; bash, sourced by run. Variant V is the function as_V NAME ARGUMENTS… (- as _), which prints what the program
# prints. A subject may add its own. All but plain, vftrace and gprof run the same instrumented executable, NAME.empty, and differ by what is preloaded.
#
#   plain      not instrumented                     vftrace    linked with vftrace, defaults: what a user has
#   empty      hooks that return at once            clocks     hooks that only read the clock
#   smallest   the smallest profiler of call paths
#   preloaded  as vftr run starts it                off        VFTR_OFF=1
#   callbacks  every event to a callback that returns at once, no file
#   uftrace, lttng, lttng-fast, gprof               peers.sh
# and by configuration (`configured`; `ours` are those that this vftrace knows)
#   exact      every call is timed                  adaptive   short calls are timed in part
#   events     every enter and leave in the stream  compressed, ring  the same with zstd, and as a ring of the last 64 MiB
#   excluded   a filter names all functions         patched    the same, and their hook calls are taken out of the running text

as_plain() { local name=$1 && shift && "./$name.plain" "$@"; }
as_empty() { local name=$1 && shift && "./$name.empty" "$@"; }
as_vftrace() { local name=$1 && shift && "./$name.vftrace" "$@"; }
as_off() { local name=$1 && shift && VFTR_OFF=1 "./$name.vftrace" "$@"; }
as_preloaded() { with_preloaded "$builddir/libvftrace.so" "$@"; }
as_clocks() { with_preloaded "$shared/libhooks_two_clocks.so" "$@"; }
as_smallest() { with_preloaded "$shared/libhooks_call_tree.so" "$@"; }
as_callbacks() { LD_PRELOAD=$shared/libembed_noop.so as_vftrace "$@"; }
with_preloaded() { # LIBRARY NAME ARGUMENTS…
    local library=$1 name=$2
    shift 2
    LD_PRELOAD=$library "./$name.empty" "$@"
}

# The libraries and configurations of the variants above.
make_variants() {
    local hooks
    for hooks in hooks_empty hooks_two_clocks hooks_call_tree; do
        $CC -O2 -fPIC -shared "$programs/$hooks.c" -o "$shared/lib$hooks.so"
    done
    ours=
    configured exact off "$(! has_option timing || echo '"timing": "exact"')"
    configured adaptive timing '"timing": "adaptive"'
    configured events sampling.active '"sampling": {"active": true, "sample_interval": 0}'
    configured compressed sampling.compress '"sampling": {"active": true, "sample_interval": 0, "compress": true}'
    configured ring sampling.keep_last '"sampling": {"active": true, "sample_interval": 0, "keep_last": "64 MiB"}'
    configured excluded filter.live_patching '"filter": {"exclude": {"functions": "."}, "live_patching": false}'
    configured patched filter.live_patching '"filter": {"exclude": {"functions": "."}, "live_patching": true}'
}
has_option() { "$builddir/vftr" config explain "$1" >/dev/null 2>&1; }
has() { [[ " $ours $peers " == *" $1 "* ]]; }

# configured VARIANT OPTION '"MEMBER": …': a variant by configuration, where there is that option. The log has the table by function, which subjects read.
configured() {
    has_option "$2" || return 0
    ours+="${ours:+ }$1"
    echo "{${3:+$3, }\"name_grouped_profile_table\": {\"show_table\": true, \"min_percent\": 0, \"max_rows\": 0}}" >"$shared/$1.json"
    eval "as_$1() { VFTR_CONFIG=$shared/$1.json as_preloaded \"\$@\"; }"
}
