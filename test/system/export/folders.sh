# SPDX-License-Identifier: BSD-3-Clause
# Formats that are folders: where there is no room for one, nothing of it is left.
. "${srcdir:-.}/test/system/export/lib_export.sh"

recorded_program() {
    if [ ! -e "$shared/prog_0.vfd" ]; then
        build prog
        config '"sampling": {"active": true, "sample_interval": 0}'
        run ./prog 20000
        expect_ending 3 10000
        mv prog_* "$shared/"
    fi
    cp "$shared"/prog_0.vfd .
}
folder_formats() {
    echo vfd3
    ! has OTF2 || echo otf2
    ! has PROTOZERO || echo perfetto --split
}

# Full at the first bytes, and in the middle of the events.
test_a_full_disk_is_one_line_and_leaves_nothing() {
    unshare -rm true 2>/dev/null || skip "no full disk without user namespaces"
    recorded_program
    mkdir small
    local format size
    while read -r format; do
        # shellcheck disable=SC2086
        "$vftr" export --format=$format -o whole prog_0.vfd || fail "$format: there is room"
        expect_at_least "$(du -sk whole | cut -f1)" 130 "kB of $format"
        rm -r whole
        for size in 4k 100k; do
            # shellcheck disable=SC2016,SC2086
            run unshare -rm sh -c 'mount -t tmpfs -o size=$1 none small && shift && "$@" 2>error
                echo $? && ls -A small && cat error' sh $size "$vftr" export --format=$format -o small/x prog_0.vfd
            expect_same "$(cat out)" $'1\nvftr: small/x: No space left on device' "$format on a disk of $size"
        done
    done < <(folder_formats)
}

test_a_limit_of_the_size_of_files_is_one_line_and_leaves_nothing() {
    recorded_program
    local format
    ls >before
    while read -r format; do
        # shellcheck disable=SC2086
        (ulimit -f 4 && "$vftr" export --format=$format -o folder prog_0.vfd) >out 2>err
        expect_same "$? $(sed 's/File is too/File too/' err)" "1 vftr: folder: File too large" "$format"
        rm out err
        expect_same "$(ls)" "$(cat before)" "files after $format"
    done < <(folder_formats)
}

# The folder has no place in a pipe, but its name is printed.
test_a_name_that_cannot_be_printed_is_one_line() {
    recorded_program
    local format
    while read -r format; do
        # shellcheck disable=SC2086
        run sh -c '"$@" >/dev/full' sh "$vftr" export --format=$format prog_0.vfd
        expect_same "$status $(cat err)" "1 vftr: cannot write to standard output: No space left on device" "$format"
    done < <(folder_formats)
}

run_tests
