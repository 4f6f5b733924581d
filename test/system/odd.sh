# SPDX-License-Identifier: BSD-3-Clause
# Odd circumstances: names, stacks, pipes and limits that few programs have, and that must not harm those that do.
. "${srcdir:-.}/test/system/lib.sh"

program() {
    build prog.c "$@" <<'END'
#include <stdio.h>
#include <unistd.h>
static int leaf(int n) { return n & 1; }
int main(int argc, char **argv)
{
    int sum = 0;
    if (argc > 1)
        unlink(argv[0]);
    for (int i = 0; i < 1000; i++)
        sum += leaf(i);
    printf("%d\n", sum);
    return 3;
}
END
}
expect_untouched() {
    expect_status 3
    expect_same "$(cat out)" 500 "output of the program"
}

test_a_pipe_that_nobody_writes_into_is_no_configuration_to_wait_for() {
    program
    mkfifo pipe
    VFTR_CONFIG=pipe run ./prog
    expect_untouched
    expect_said_once 'cannot be read: nothing comes out of it'
}

test_a_pipe_can_be_the_configuration() {
    program
    VFTR_CONFIG=/dev/fd/5 run ./prog 5< <(sleep 0.3; echo '{"outfile_basename": "piped"}')
    expect_untouched
    expect_silence
    expect_file piped_all.log
}

test_a_name_as_long_as_a_file_system_takes_gives_results() {
    config
    program
    local name
    name=$(printf 'n%.0s' {1..255})
    mv prog "$name"
    run "./$name"
    expect_untouched
    expect_silence
    expect_calls "$(echo n*_all.log)" leaf 1000
}

test_an_executable_that_deletes_itself_keeps_its_name() {
    config
    program
    sed -i 's/^int main/__attribute__((no_instrument_function)) &/' prog.c
    $cc -g -finstrument-functions prog.c -o prog $(link_flags) || fail "$cc"
    run ./prog now
    expect_untouched
    expect_silence
    expect_calls prog_all.log leaf 1000
}

# Exceptions within the library need its unwind tables, which gcc -static does not announce.
test_no_memory_left_at_the_end_is_one_warning() {
    for linkage in shared archive static static-pie; do
        build hoards.c <<'END'
#include <stdlib.h>
#include <sys/resource.h>
static int leaf(int n) { return n; }
int main(void)
{
    struct rlimit nothing = {0, 0};
    leaf(1);
    setrlimit(RLIMIT_DATA, &nothing);
    for (size_t size = 1 << 20; size; size /= 2)
        while (malloc(size))
            ;
    return leaf(4);
}
END
        run ./hoards
        expect_status 4
        expect_said_once 'no profile is written'
        report hoards_*.tmpvfd
        rm -f -- *vfd
    done
}

run_tests
