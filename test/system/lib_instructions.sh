# SPDX-License-Identifier: BSD-3-Clause
#
# What tests that count instructions have in common, on top of lib.sh: the table of bounds, and which builds they are for.

table=$srcdir/test/system/instructions.table
too_many='more instructions than the bound: make it cheaper, or say in src/README.md why it is worth them'

# The bounds are those of a library that was built as they say.
for_this_build() {
    local compiler
    have valgrind || skip "no valgrind"
    [ "$(uname -m)" = x86_64 ] || skip "the bounds are those of x86-64"
    grep -q '^CXXFLAGS = .*-O2' "$builddir/Makefile" || skip "the bounds are those of a library built with -O2"
    compiler=$($cxx --version 2>/dev/null | head -1)
    [[ $compiler == *g++* ]] && [ "$($cxx -dumpversion)" = "$(sed -n 's/^# gcc //p' "$table")" ] ||
        skip "the bounds are those of gcc $(sed -n 's/^# gcc //p' "$table"), this is $compiler"
}

# bound_of ROW: what the table allows.
bound_of() {
    awk -v row="$1" '$1 == row { print $2; found = 1 } END { exit !found }' "$table" || fail "no bound for $1"
}
