# SPDX-License-Identifier: BSD-3-Clause
# Trouble with files, limits or the configuration never harms the program.
. "${srcdir:-.}/test/system/lib.sh"

# leaf is called as often as the argument says; the sum goes to stdout.
program() {
    build prog.c "$@" <<'END'
#include <stdio.h>
#include <stdlib.h>
static int leaf(int n) { return n & 1; }
static int work(int n) { int sum = 0; while (n--) sum += leaf(n); return sum; }
int main(int argc, char **argv)
{
    printf("%d\n", work(argc > 1 ? atoi(argv[1]) : 1000));
    return 3;
}
END
}
expect_untouched() {
    expect_status 3
    expect_same "$(cat out)" "$1" "output of the program"
}
every_event='"sampling": {"active": true, "sample_interval": 0}'

test_an_unwritable_directory_is_one_warning() {
    [ "$(id -u)" != 0 ] || have setpriv || skip "root can write everywhere"
    mkdir closed
    chmod 555 closed
    chmod 755 . .. 2>/dev/null
    program
    config '"output_directory": "closed"'
    # As root, without the right to write everywhere.
    if [ "$(id -u)" = 0 ]; then
        run setpriv --bounding-set=-dac_override --inh-caps=-dac_override ./prog
    else
        run ./prog
    fi
    expect_untouched 500
    expect_at_most "$(grep -c . err)" 8 "lines on stderr"
    expect_at_least "$(grep -c closed err)" 1 "lines that name the directory"
}

test_a_missing_directory_is_told_once() {
    program
    config '"output_directory": "missing"'
    run ./prog
    expect_untouched 500
    expect_said_once '^Error: .*output_directory'
    # The option keeps its default.
    expect_calls prog_all.log leaf 1000
}

test_a_read_only_working_directory_is_one_warning() {
    [ -d /proc/self ] || skip "no /proc"
    local here=$PWD
    program
    config
    cd /proc/self || skip "cannot enter /proc/self"
    status=0
    timeout 30 "$here/prog" >"$here/out" 2>"$here/err" || status=$?
    cd "$here" || exit 1
    expect_untouched 500
    expect_said_once 'vftrace: warning:'
}

test_a_full_disk_is_one_warning_and_the_profile_goes_on() {
    [ "$(id -u)" = 0 ] || skip "mounting a small file system needs root"
    mkdir disk
    mount -t tmpfs -o size=300k tmpfs disk 2>/dev/null || skip "cannot mount a tmpfs"
    trap 'umount disk' EXIT
    config "$every_event"', "output_directory": "'"$PWD"'/disk"'
    program
    run ./prog 400000
    expect_untouched 200000
    expect_at_least "$(grep -c vftrace: err)" 1 "warnings"
    expect_at_most "$(grep -c 'cannot extend' err)" 1 "warnings that the file cannot grow"
    ls -la disk
    # What fitted can be read.
    local file
    file=$(ls disk/*vfd | head -1)
    expect_file "$file"
    report "$file"
}

test_a_file_size_limit_neither_kills_nor_stops_the_program() {
    config "$every_event"
    program
    run bash -c 'ulimit -f 300; ./prog 1000000'
    expect_untouched 500000
    expect_said_once 'vftrace: warning:'
    expect_calls prog_all.log leaf 1000000
}

test_no_file_at_all_may_be_written() {
    config
    program
    # Neither our files nor, where it is one, stderr: the warning itself must not kill.
    run bash -c '(ulimit -f 0; ./prog 1000; echo "code $?") 2>&1 | cat'
    expect_same "$(grep -v vftrace: out | xargs)" '500 code 3' "output"
    mv out err
    expect_said_once 'vftrace: warning:'
    run bash -c '(ulimit -f 0; ./prog 1000 2>stderr; echo "code $?") 2>&1 | cat'
    expect_same "$(xargs <out)" '500 code 3' "output with a file for stderr"
}

test_a_memory_limit_neither_kills_nor_stops_the_program() {
    config
    program
    run bash -c 'ulimit -v 40000; ./prog 1000'
    expect_untouched 500
    for kb in 9000 12000 16000 22000; do
        linkage=none program
        mv prog bare
        linkage=shared program
        run bash -c "ulimit -v $kb; ./bare 1000"
        [ $status = 3 ] || continue
        run bash -c "ulimit -v $kb; ./prog 1000"
        [ $status != 127 ] || continue # the loader itself had no room for the library
        expect_untouched 500
    done
}

test_few_file_descriptors_do_no_harm() {
    config
    program
    run bash -c 'ulimit -n 4; ./prog 1000'
    expect_untouched 500
    build hoards.c <<'END'
#include <fcntl.h>
#include <pthread.h>
static void leaf(void) {}
static void *work(void *unused) { for (int i = 0; i < 100; i++) leaf(); return unused; }
static int hoard(void) { int last = -1, fd; while ((fd = open("/dev/null", O_RDONLY)) >= 0) last = fd; return last; }
int main(void)
{
    pthread_t thread;
    hoard();
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
END
    run bash -c 'ulimit -n 64; ./hoards'
    expect_status 0
}

test_closed_standard_streams_do_no_harm() {
    config
    program
    for closed in '>&-' '2>&-' '<&-' '>&- 2>&- <&-'; do
        status=0
        timeout 30 bash -c "./prog 1000 $closed" >out 2>err || status=$?
        expect_status 3
        expect_calls prog_all.log leaf 1000
        rm -f -- *.log *.vfd
    done
    # No file of ours may sit in the place of a closed stream, where the program's output would land in it.
    build writes.c <<'END'
#include <errno.h>
#include <unistd.h>
static int leaf(void) { return write(1, "x", 1) == -1 && errno == EBADF && write(2, "x", 1) == -1 && errno == EBADF; }
int main(void) { return leaf() ? 6 : 7; }
END
    run bash -c 'exec ./writes >&- 2>&-'
    expect_status 6
}

test_a_bad_configuration_is_told_once_and_never_fatal() {
    program
    local text
    for text in 'nonsense' '{' '{"sampling": 5}' '{"sampling": {"sample_interval": -1}}' '[]' '' \
        '{"off": "yes"}' '{"logfile_for_ranks": "5-2"}' '{"sampling": {"precise_functions": "("}}' '{"a": 1,}'; do
        printf '%s\n' "$text" >bad.json
        VFTR_CONFIG=bad.json run ./prog
        expect_untouched 500
        [ -s err ] || fail "nothing is said about $text"
        expect_at_most "$(grep -c '^Error' err)" 1 "errors told about $text: $(head -5 err)"
        expect_file prog_all.log
        rm -f -- *.log *vfd
    done
    VFTR_CONFIG=missing.json run ./prog
    expect_untouched 500
    expect_at_least "$(grep -c missing.json err)" 1 "lines that name the missing file"
    VFTR_CONFIG=/ run ./prog
    expect_untouched 500
    printf '{"samplingg": {}}' >bad.json
    VFTR_CONFIG=bad.json run ./prog
    expect_untouched 500
    expect_said_once '^Warning: "samplingg"'
    expect_said_once 'Did you mean "sampling"?'
}

test_the_basename_and_the_directory_of_the_configuration_are_used() {
    mkdir there
    config '"output_directory": "there", "outfile_basename": "mine", "sampling": {"active": true}'
    program
    run ./prog
    expect_untouched 500
    expect_calls there/mine_all.log leaf 1000
    expect_file there/mine_0.vfd
    expect_same "$(ls ./*.log ./*vfd 2>/dev/null)" "" "files beside the program"
}

test_a_program_that_changes_its_directory_has_its_files_where_it_began() {
    config
    build moves.c <<'END'
#include <unistd.h>
static void leaf(void) {}
int main(void) { leaf(); int bad = chdir("/"); leaf(); return bad; }
END
    run_well ./moves
    expect_calls moves_all.log leaf 2
}

run_tests
