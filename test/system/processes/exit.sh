# SPDX-License-Identifier: BSD-3-Clause
# _exit and _Exit: the recording has its end.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/header.sh"

# _exit and _Exit
test__exit_gives_the_recording_its_end_and_the_status() { config && with_each_compiler check_exit; }
check_exit() {
    build ends.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    int status = 0;
    leaf();
    if (argc == 1)
        _exit(300);
    if (argc == 2)
        _Exit(7);
    pid_t child = vfork();
    if (child == 0)
        _exit(9);
    waitpid(child, &status, 0);
    leaf();
    return WEXITSTATUS(status) + atoi(argv[1]);
}
END
    local file linkage
    for linkage in shared static; do
        for how in :44 'a:7'; do
            # shellcheck disable=SC2086
            run ./ends ${how%:*}
            expect_status "${how#*:}"
            expect_silence
            file=$(only 'ends_*.tmpvfd')
            expect_state "$file" Exited
            expect_same "$(exit_status_in "$file")" "${how#*:}" "status in $file"
            expect_same $(($(flags "$file") & 256)) 256 "flag of the status"
            report "$file"
            expect_calls report leaf 1
            rm -f -- *vfd
        done
        run ./ends 1 vfork
        expect_status 10
        expect_calls ends_all.log leaf 2
        rm -f -- *vfd *.log
    done
}

run_tests
