# SPDX-License-Identifier: BSD-3-Clause
#
# What the scripts about cores that are shared with other work have in common, on top of lib.sh.

have taskset || skip "taskset is not installed"

core=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')

# beside_loops N COMMAND…: while N loops on that core never give it away.
beside_loops() {
    local others=$1 pids="" i begun
    shift
    begun=$(mktemp -d)
    for ((i = 0; i < others; i++)); do
        taskset -c "$core" bash -c ': >"$1"; while :; do :; done' loop "$begun/$i" &
        pids="$pids $!"
    done
    for ((i = 0; i < 3000; i++)); do
        [ "$(find "$begun" -type f | wc -l)" != "$others" ] || break
        sleep 0.01
    done
    rm -rf "$begun"
    # shellcheck disable=SC2064
    trap "kill $pids 2>/dev/null" EXIT # also where the command fails the test
    local code=0
    "$@" || code=$?
    # shellcheck disable=SC2086
    [ -z "$pids" ] || kill $pids
    trap - EXIT
    return $code
}

# The value of a line of a log's head.
head_value() { sed -n "s/^ *$1: *\([0-9.]*\) s\( .*\)\?\$/\1/p" "$2"; }
