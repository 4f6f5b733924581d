# SPDX-License-Identifier: BSD-3-Clause
# Sources include what they use. With precompiled headers a compiler does not see that one is missing, and without them it sees only what no other header
# happens to bring along; so this is told from the text, for the headers in src/precompiled.hpp and all names of std.
. "${srcdir:-.}/test/system/lib.sh"

not_included() { # ROOT [OPTIONS OF awk]
    local root=$1
    shift
    find "$root/src" "$root/config_tools" -name '*.[ch]pp' | sort | xargs awk -f "$srcdir/test/includes.awk" -v root="$root" "$@" "$srcdir/test/includes.table"
}

test_sources_include_what_they_use() {
    [ "$(find "$srcdir/src" "$srcdir/config_tools" -name '*.[ch]pp' | wc -l)" -gt 500 ] || fail "there are too few sources"
    not_included "$srcdir" >out
    [ ! -s out ] || fail "$(sed "s,^$srcdir/,," out)"
}

# Each header of src/precompiled.hpp is missed where it is used and not there.
test_missing_includes_are_found() {
    local header
    not_included "$srcdir" -v blind=1 >out
    for header in $(sed -n 's/^#include <\(.*\)>/\1/p' "$srcdir/src/precompiled.hpp"); do
        grep -q "<$header>" out || fail "nobody misses <$header>"
    done
}

# A name that the table does not know is told, so that all of std are known.
test_an_unknown_name_is_told() {
    mkdir -p tree/src tree/config_tools
    echo 'int a = std::nobody_knows(b);' >tree/src/a.cpp
    not_included tree >out
    expect_same "$(cat out)" "tree/src/a.cpp: std::nobody_knows is not in includes.table" "what is said"
    # By other sources, and not within comments, texts and longer names.
    mkdir -p tree/src/room
    printf '#include "room/a.hpp"\nstd::string text = "std::vector"; // std::map\n/* std::set\nstd::deque */ int i = zstd::load(x.munmap());\n' >tree/src/a.cpp
    printf '#include <string>\n' >tree/src/room/a.hpp
    not_included tree >out
    expect_same "$(cat out)" "" "what is said of a source that misses nothing"
    printf 'int i = munmap(a, b) + O_CLOEXEC;\nint j = ::pread(1);\n' >tree/src/a.cpp
    not_included tree >out
    expect_same "$(cut -d' ' -f2- out)" "munmap without <sys/mman.h>
O_CLOEXEC without <fcntl.h>
pread without <unistd.h>" "what is said of calls and macros"
}

run_tests
