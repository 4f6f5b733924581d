# SPDX-License-Identifier: BSD-3-Clause
# What was named when the first process began means the same file for good: daemons, and programs that go elsewhere.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/drive.sh"

# Whom a test runs its program as: root as somebody without rights, too, if that one can reach the PROGRAM.
everybody() {
    echo caller
    [ "$(id -u)" != 0 ] || ! setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$PWD/$1" 2>/dev/null || echo nobody
}
# as WHO COMMAND…
as() {
    local who=$1
    shift
    if [ "$who" = caller ]; then run "$@"; else run setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; fi
}

# expect_recorded FUNCTION CALLS FILE…: in all of the recordings, which may have been made with another configuration than that of the
# checks, which `config` has made.
expect_recorded() {
    local function=$1 calls=$2 sum=0 file
    shift 2
    for file in "$@"; do
        VFTR_CONFIG=$PWD/config.json report "$file"
        sum=$((sum + $(calls_of report "$function")))
    done
    expect_same $sum "$calls" "calls of $function in $*"
}

# A program that becomes a daemon, by daemon(3) or by its own means, before its first instrumented call, but for main where main is instrumented.
# -DMAIN= are the attributes of main.
daemons() {
    build daemons.c "$@" <<'END'
#define _DEFAULT_SOURCE
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void work(void)
{
    for (int i = 0; i < 3; i++)
        leaf();
}
MAIN int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "daemon")) {
        if (daemon(0, 0) != 0)
            return 1;
    } else {
        pid_t child = fork();
        if (child > 0)
            return waitpid(child, 0, 0) != child;
        if (setsid() < 0 || chdir("/") != 0)
            return 1;
    }
    work();
    return 0;
}
END
}

# Issue: a daemon loses everything, silently: its recording goes to the folder that it has changed to.
test_a_daemon_is_recorded_in_the_folder_where_it_was_started() {
    local linkage main how who files
    mkfifo ended
    chmod 755 . ..
    config
    chmod 644 config.json
    for linkage in shared archive static; do
        for main in "" '__attribute__((no_instrument_function))'; do
            daemons "-DMAIN=$main"
            chmod 755 daemons
            for who in $(everybody daemons); do
                # The library of the build may lie where others cannot reach it.
                [ "$who" = caller ] || [ $linkage = archive ] || continue
                for how in daemon fork; do
                    rm -rf here && mkdir -m 777 here
                    cat ended >/dev/null &
                    (cd here && as "$who" ../daemons $how && echo "$status" >status) 3>ended
                    wait $! # for the daemon, the last one that has it open
                    status=$(cat here/status)
                    expect_status 0
                    ! grep vftrace: here/err || fail "vftrace speaks ($linkage, $main, $who, $how)"
                    files=$(find here -name '*vfd')
                    [ -n "$files" ] || fail "no recording, $linkage, $main, $who, $how"
                    # shellcheck disable=SC2086
                    expect_recorded leaf 3 $files
                done
            done
        done
    done
}

# moves FOLDER CHILD [PROGRAM ARGUMENT…]: goes there before its first instrumented call (main is not instrumented), calls leaf twice (CHILD is
# yes: in a forked child, else itself, no: not at all), and executes the program.
moves() {
    build moves.c "$@" <<'END'
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
    if (chdir(argv[1]) != 0)
        return 1;
    if (!strcmp(argv[2], "yes")) {
        pid_t child = fork();
        if (child > 0)
            return waitpid(child, 0, 0) != child;
    }
    if (strcmp(argv[2], "no"))
        leaf(), leaf();
    return argc > 3 ? execv(argv[3], argv + 3) : 0;
}
END
}

# Issue: a daemon loses everything, silently: its recording goes to the folder that it has changed to.
test_relative_paths_are_meant_from_where_the_first_process_began() {
    local child how
    mkdir results elsewhere
    moves
    shower
    config
    unset VFTR_CONFIG
    for child in self yes; do
        VFTR_OUTPUT_DIRECTORY=results run_well ./moves elsewhere $child
        expect_same "$(ls elsewhere)" "" "files in the folder to which it goes, $child"
        expect_recorded leaf 2 results/*.vfd
        rm results/*.*
    done
    # All that is relative, in a configuration and in the environment; the second program has to be told. It executes one, too.
    linkage=shared driver
    for how in config environment; do
        if [ $how = config ]; then
            echo '{"outfile_basename": "named", "output_directory": "results", "processes": {"trace_path": "trace.csv"}}' >relative.json
        else
            echo '{"outfile_basename": "named"}' >relative.json
            export VFTR_OUTPUT_DIRECTORY=results VFTR_EXEC_TRACE_PATH=trace.csv
        fi
        VFTR_CONFIG=relative.json run_well ./moves elsewhere no "$PWD/drive" fork -- "$PWD/show"
        expect_same "$(ls elsewhere)" "" "files in the folder to which it goes, $how"
        expect_same "$(sed -n 's/^[^,]*,exec-env-injected,[^,]*\/\([^,]*\),.*/\1/p' trace.csv | tr '\n' ' ')" "drive show " "programs in the trace, $how"
        expect_recorded leaf 3 results/*.vfd
        expect_recorded work 1 results/*.vfd
        rm results/*.* trace.csv
    done
}

# Issue: a daemon loses everything, silently: its recording goes to the folder that it has changed to.
# A configuration with mistakes is read a second time, when the recording begins.
test_a_configuration_with_mistakes_is_found_again_after_the_program_has_gone_elsewhere() {
    mkdir results elsewhere
    moves
    config
    echo '{"outfile_basename": "named", "output_directory": "results", "no_such_option": 1}' >relative.json
    VFTR_CONFIG=relative.json run ./moves elsewhere self
    expect_status 0
    expect_said_once '"no_such_option" is not a valid'
    ! grep -q "cannot be" err || fail "it looks elsewhere: $(cat err)"
    expect_same "$(ls elsewhere)" "" "files in the folder to which it goes"
    expect_recorded leaf 2 results/named_all.vfd
}

# Issue: a daemon loses everything, silently: its recording goes to the folder that it has changed to.
# vftr run is then the first process, and the program between does not load the library.
test_relative_paths_under_run_are_meant_from_its_folder() {
    mkdir results elsewhere
    linkage=none instrument= moves -static
    linkage=none shower
    echo '{"outfile_basename": "named", "output_directory": "results", "processes": {"trace_path": "trace.csv", "logs": "all"}}' >relative.json
    linkage=none driver
    run "$vftr" run -q -c relative.json -- ./moves elsewhere no "$PWD/drive" fork -- "$PWD/show"
    expect_status 0
    expect_same "$(ls elsewhere)" "" "files in the folder to which it goes"
    expect_same "$(sed -n '2,$s/^[^,]*,\([^,]*\),.*/\1/p' trace.csv | sort -u | tr '\n' ' ')" "exec-before exec-env-injected " "rows"
}

# Issue: a daemon loses everything, silently
test_a_recording_that_cannot_be_begun_is_one_line() {
    chmod 755 . ..
    linkage=archive build cannot.c <<'END'
#define _GNU_SOURCE
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
int main(void)
{
    pid_t child = fork();
    int status = 0;
    if (child > 0) {
        waitpid(child, &status, 0);
        return chmod(".", 0755) != 0 || status != 0;
    }
    if (chmod(".", 0555) != 0 || (geteuid() == 0 && (setgroups(0, 0) != 0 || setgid(65534) != 0 || setuid(65534) != 0)) || chdir("/") != 0)
        return 2;
    leaf();
    leaf();
    return 0;
}
END
    run ./cannot
    expect_status 0
    expect_said_once "cannot write to $(pwd -P): "
    expect_same "$(grep -c vftrace: err)" 1 "lines of vftrace"
}

run_tests
