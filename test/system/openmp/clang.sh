# SPDX-License-Identifier: BSD-3-Clause
#
# What the scripts about LLVM's OpenMP runtime share. On top of lib.sh and openmp.sh.

find_clang_with_openmp || { echo "skip: no clang whose OpenMP is seen" && exit 77; }

# expect_construct LOG DIRECTIVE CALLS: of all its places. (What clang makes of a region's text is a function that may have no name of its own.)
expect_construct() {
    expect_file "$1"
    expect_same "$(grouped_counts "$1" | awk -F'\t' -v d="omp $2 " 'index($2, d) == 1 { n += $1 } END { print n + 0 }')" "$3" "calls of omp $2 in $1"
}
# Paths without the lines of constructs.
program_paths_of() { stacks_of "$1" | sed -E 's/(omp [^<]*)[:+][0-9a-fx]+(<|$)/\1\2/g'; }
expect_program_path() {
    program_paths_of "$1" | grep -qE -- "^$2\$" || fail "$1 has no path $2; it has: $(program_paths_of "$1" | head -20)"
}
# All that was entered was left, by itself.
expect_all_left() { ! grep -E 'ignored|never returned|vanished' "$1" || fail "not all was left"; }
