# SPDX-License-Identifier: BSD-3-Clause
# Every place that opens a file for writing is on the list of src/README.md, so that none is forgotten when the rules for them change.
. "${srcdir:-.}/test/system/lib.sh"

# Issue: list all opens for writing in one place
test_every_open_for_writing_is_on_the_list() {
    (
        cd "$srcdir" || exit
        grep -rnE '\bO_(WRONLY|RDWR|CREAT|TMPFILE)\b|\bfopen\(|\bfreopen\(|\bcreat\(|\bmkstemp|ofstream|std::fstream' src config_tools --include='*.cpp' --include='*.hpp' |
            cut -d: -f1 | sort -u
    ) >found
    [ -s found ] || fail "no place found"
    sed -n '/^## Files that are opened for writing/,/^## /s/^| `\([^`]*\)`.*/\1/p' "$srcdir/src/README.md" | sort >listed
    [ -s listed ] || fail "src/README.md has no such list"
    diff found listed >differences || fail "the sources (<) and the list of src/README.md (>) differ: $(cat differences)"
}

# Issue: our descriptors land on 0-2 where the program has closed them
test_the_library_opens_files_in_one_way_only() {
    (cd "$srcdir" && grep -rnE '(^|[^a-zA-Z_:>.])::(open|openat|opendir|fopen|creat)\(|SYS_open' src --include='*.cpp' --include='*.hpp') |
        grep -vE '^src/(base/descriptor.cpp|base/system_call.hpp|vfd/path_backed_file.cpp):' >others
    [ ! -s others ] || fail "these do not open by base/descriptor.hpp: $(cat others)"
}

run_tests
