# SPDX-License-Identifier: BSD-3-Clause
# Reads the table of threads. Sourced.

# thread_rows LOG TITLE…: the columns of those titles, a row a line.
thread_rows() {
    local log=$1
    shift
    awk -F'|' -v titles="$(printf '%s|' "$@")" '
        function trim(s) { gsub(/^ +| +$/, "", s); return s }
        /^Threads$/ { on = 1; next }
        on && /^\|/ && !wanted {
            wanted = split(titles, title, "|") - 1
            for (i = 1; i <= wanted; ++i)
                for (f = 2; f < NF; ++f)
                    if (trim($f) == title[i])
                        at[i] = f
            next
        }
        on && /^\|/ { for (i = 1; i <= wanted; ++i) printf "%s%s", at[i] ? trim($at[i]) : "(no column)", i < wanted ? "|" : "\n" }
        on && !/^[|+]/ { exit }' "$log"
}

# stack_of LOG STID: the call path of that id.
stack_of() { sed -n "s/^ *STID$2  *//p" "$1"; }
