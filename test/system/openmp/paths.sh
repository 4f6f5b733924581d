# SPDX-License-Identifier: BSD-3-Clause
#
# What is asked of logs with OpenMP, on top of lib.sh. Sourced by the scripts that do. Entries of constructs end with the line
# ("omp parallel solve:42"); the tests name them without it.

# expect_region LOG NAME CALLS: the sum over all entries of that name.
expect_region() {
    expect_file "$1"
    expect_same "$(grouped_counts "$1" | awk -F'\t' -v f="$2" '{ sub(/(\._omp_fn\.[0-9]+)?[:+][0-9a-fx]+$/, "", $2) } $2 == f { n += $1 } END { print n + 0 }')" \
        "$3" "calls of $2 in $1"
}
paths_of() { stacks_of "$1" | sed -E 's/\._omp_fn\.[0-9]+([:+])/\1/g; s/(omp [^<]*)[:+][0-9a-fx]+(<|$)/\1\2/g'; }
expect_path() { paths_of "$1" | grep -qxF -- "$2" || fail "$1 has no path $2; it has: $(paths_of "$1" | head -20)"; }
