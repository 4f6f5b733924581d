# SPDX-License-Identifier: BSD-3-Clause
#
# What the scripts about the first table of a log share, on top of lib.sh: a program's source of CPU time, and the table's cells.

breakdown_of() { sed -n '/^Where the time went/,/^$/p' "$1"; }
# cell ACTIVITY COLUMN: of the file $log.
cell() { breakdown_of "$log" | awk -F'|' -v name="$1" -v c="$2" '{ gsub(/^ +| +$/, "", $2) } $2 == name { gsub(/ /, "", $(c + 1)); print $(c + 1) }'; }
# expect_between VALUE LEAST MOST WHAT
expect_between() { awk -v v="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(v != "" && v >= a && v <= b) }' || fail "$4: is '$1', not from $2 to $3: $(breakdown_of "$log")"; }

# burn(seconds): CPU time of the thread, however many others share its core.
burn='#include <time.h>
static void burn(double seconds)
{
    struct timespec from, to;
    volatile double x = 0;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    do {
        for (int i = 0; i < 10000; ++i) x += i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    } while (to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) * 1e-9 < seconds);
}'
