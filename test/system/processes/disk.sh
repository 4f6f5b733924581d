# SPDX-License-Identifier: BSD-3-Clause
# The disk is full, or its file system goes away: the program goes on, and what fitted can be read.
. "${srcdir:-.}/test/system/lib.sh"
. "${srcdir:-.}/test/system/processes/header.sh"
. "${srcdir:-.}/test/system/processes/dies.sh"

on_small_disk() {
    [ "$(id -u)" = 0 ] || skip "mounting a small file system needs root"
    mkdir disk
    mount -t tmpfs -o size=$1 tmpfs disk 2>/dev/null || skip "cannot mount a tmpfs"
}

# A full disk: what fitted is there, and can be recovered without any room.
test_a_killed_program_on_a_full_disk_leaves_what_fitted() {
    on_small_disk 60k
    trap 'umount -l disk' EXIT
    config '"sampling": {"active": true, "sample_interval": 0}, "output_directory": "'"$PWD"'/disk"'
    dies_program
    may_be_killed=1 run ./dies 9
    expect_status 137
    expect_said_once 'vftrace: warning:'
    head -c 200000 /dev/zero >disk/filler 2>/dev/null
    local file
    file=$(only 'disk/dies_*.tmpvfd')
    report "$file"
    "$vftr" recover "$file" >/dev/null 2>recover.err || fail "vftr recover: $(cat recover.err)"
    report "$(only 'disk/dies_*.vfd')"
}

# The merged profile, in which everything is, does not fit any more: then the recording stays.
test_a_disk_that_is_full_at_the_end_leaves_the_recording() {
    on_small_disk 300k
    trap 'umount -l disk' EXIT
    config '"output_directory": "'"$PWD"'/disk"'
    build fills.c <<'END'
#include <stdlib.h>
static void leaf(void) {}
int main(void)
{
    for (int i = 0; i < 100; i++)
        leaf();
    return system("head -c 400000 /dev/zero >disk/filler 2>/dev/null; true") != 0;
}
END
    run ./fills
    expect_same "$status $(ls disk)" "0 filler
fills_0.vfd" "status and files"
    expect_said_once "what was recorded is in $PWD/disk/fills_0.vfd"
    report disk/fills_0.vfd
    expect_calls report leaf 100
}

# The folder, or the file system that it is on, is gone while the program runs.
test_a_file_system_that_goes_away_does_no_harm() {
    config '"sampling": {"active": true, "sample_interval": 0}, "output_directory": "'"$PWD"'/disk"'
    local linkage how
    for how in removed unmounted; do
        rm -rf disk
        if [ $how = unmounted ]; then on_small_disk 10m; else mkdir disk; fi
        for linkage in none shared; do
            build goes.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    if (system(argv[1]) != 0)
        return 1;
    for (int i = 0; i < 1000000; i++)
        leaf();
    puts("done");
    return argc;
}
END
            if [ $linkage = none ]; then
                run ./goes true
            elif [ $how = unmounted ]; then
                run ./goes "umount -l $PWD/disk"
            else
                run ./goes "rm -rf $PWD/disk"
            fi
            expect_status 2
            expect_same "$(cat out)" done "output, $how"
        done
        # A file system that was unmounted in spite of us takes the recording in until the end, where it cannot get its name any more.
        if [ $how = unmounted ]; then
            expect_said_once 'vftrace: warning: cannot write'
        else
            expect_said_once 'vftrace: warning: cannot extend'
            # Issue: that all was lost at the end was not said.
            expect_said_once 'vftrace: warning: what was recorded is in no file (10[0-9]* calls)'
        fi
    done
    # Nor where nothing had to grow, with and without a timeline.
    for how in true false; do
        config '"sampling": {"active": '$how'}, "output_directory": "'"$PWD"'/disk"'
        mkdir disk
        build small.c <<'END'
#include <stdlib.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    for (int i = 0; i < 99; i++)
        leaf();
    return system(argv[1]) + argc - 2;
}
END
        run ./small "rm -rf $PWD/disk"
        expect_status 0
        expect_said_once 'vftrace: warning: what was recorded is in no file (100 calls)'
    done
}

run_tests
