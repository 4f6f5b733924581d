# SPDX-License-Identifier: BSD-3-Clause
# The environment of the programs that a recorded one starts.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/drive.sh"

us=$(readlink -f "$builddir/libvftrace.so")

# Without what is different for each process.
shown() { grep -Ev '^VFTR_(PARENT|HANDED_ON)=' out; }
preloaded() { LD_PRELOAD=$builddir/libvftrace.so run "$@"; }
unlinked() {
    local linkage=none
    driver
    shower
}

# Acceptance case 5
test_a_child_with_an_empty_environment_of_a_preloaded_parent_is_recorded() { config && with_each_compiler check_empty; }
check_empty() {
    local how nothing
    unlinked
    for how in fork vfork spawn; do
        for nothing in - 0; do
            preloaded ./drive $how $nothing -- ./show
            expect_status 0
            expect_silence
            expect_same "$(shown)" "LD_PRELOAD=$us
VFTR_OUTPUT_DIRECTORY=$PWD
VFTR_CONFIG=$VFTR_CONFIG" "environment, $how $nothing"
            report "$(child_of show .vfd)"
            expect_calls report leaf 3
            expect_calls "$(child_of show _all.log)" leaf 3
            expect_calls drive_all.log work 1
            rm -f -- *.log *vfd
        done
    done
}

# A program that is linked brings its own library: nothing is preloaded into its children.
test_a_linked_program_preloads_nothing_into_its_children() {
    config
    for linkage in shared archive static; do
        driver
        linkage=shared shower
        run ./drive fork - -- ./show
        expect_status 0
        [ $linkage = static ] || expect_same "$(shown)" "VFTR_OUTPUT_DIRECTORY=$PWD
VFTR_CONFIG=$VFTR_CONFIG" "environment of the child of a program with linkage $linkage"
        ! grep -q LD_PRELOAD out || fail "something is preloaded"
        expect_file "$(child_of show .vfd)"
        rm -f -- *.log *vfd
    done
}

# Acceptance case 6
test_what_a_program_sets_for_its_child_is_kept() {
    config
    unlinked
    mkdir elsewhere
    echo '{"outfile_basename": "own"}' >own.json
    VFTR_NEW=1 preloaded ./drive fork "VFTR_CONFIG=$PWD/own.json" "VFTR_OUTPUT_DIRECTORY=$PWD/elsewhere" A=1 VFTR_NEW= -- ./show
    expect_same "$(shown)" "VFTR_CONFIG=$PWD/own.json
VFTR_OUTPUT_DIRECTORY=$PWD/elsewhere
A=1
VFTR_NEW=
LD_PRELOAD=$us" "environment"
    expect_same "$(ls elsewhere | sed 's/[0-9][0-9]*/N/' | tr '\n' ' ')" "own_N.vfd own_N_all.log vftrace_symbols " "results"
    # Without copying, only what is set there.
    VFTR_NEW=1 VFTR_EXEC_PROPAGATE_ENV=no preloaded ./drive fork A=1 -- ./show
    expect_same "$(shown)" "A=1
LD_PRELOAD=$us" "environment without propagate_env"
    # And VFTR_OFF is the child's to say.
    preloaded ./drive fork VFTR_OFF=1 A=1 -- ./show
    expect_same "$(cat out)" "VFTR_OFF=1
A=1" "environment with VFTR_OFF"
}

# Acceptance case 7
test_with_follow_off_the_childs_environment_is_byte_identical() {
    local off how
    unlinked
    for off in 0 FALSE No oFf json; do
        unset VFTR_EXEC_CHAIN
        if [ $off = json ]; then config '"processes": {"follow": false}'; else config && export VFTR_EXEC_CHAIN=$off; fi
        for how in fork vfork spawn exec; do
            preloaded env
            mv out expected
            preloaded ./drive $how -- ./show
            cmp -s expected out || fail "own environment, $how, $off: $(diff expected out | head -5)"
            preloaded ./drive $how 'LD_PRELOAD= : ' A VFTR_PARENT=x A=1 =2 A -- ./show
            expect_same "$(cat out)" 'LD_PRELOAD= : 
A
VFTR_PARENT=x
A=1
=2
A' "given environment, $how, $off"
            preloaded ./drive $how - -- ./show
            expect_same "$(cat out)" "" "empty environment, $how, $off"
        done
    done
    unset VFTR_EXEC_CHAIN
    VFTR_EXEC_CHAIN=perhaps preloaded ./drive fork - -- ./show
    expect_status 0
    expect_said_once 'Warning: VFTR_EXEC_CHAIN is "perhaps"'
}

# Acceptance case 8
test_we_are_preloaded_once_and_the_others_keep_their_order() {
    config
    unlinked
    linkage=none instrument= build other.c -shared -fPIC <<<'int other;'
    cp other another
    ln -s "$us" link.so
    preloaded ./drive fork "LD_PRELOAD=$PWD/other:$us $builddir/libvftrace.so" X=1 "LD_PRELOAD=$PWD/link.so:$PWD/another" -- ./show
    expect_status 0
    expect_same "$(shown | head -2)" "LD_PRELOAD=$PWD/other:$us:$PWD/another
X=1" "environment"
    expect_same "$(grep -c LD_PRELOAD out)" 1 "entries LD_PRELOAD"
    expect_calls "$(child_of show _all.log)" leaf 3
}

# Issue: a child's LD_PRELOAD is reordered, so that AddressSanitizer, which was first in it, ends the child.
test_a_library_that_must_be_the_first_stays_it() {
    local sanitizer how list separator
    # ASan itself may only be loaded into what the build has not instrumented for it.
    sanitizer=$(gcc -print-file-name=libasan.so)
    [[ $sanitizer == /* ]] && ! grep -q fsanitize "$builddir/config.status" || skip "no libasan, or a build with a sanitizer"
    config
    unlinked
    for how in fork vfork spawn; do
        for list in "$sanitizer:$builddir/libvftrace.so" "$sanitizer $us" "$sanitizer"; do
            separator=${list:${#sanitizer}:1}
            preloaded ./drive $how "LD_PRELOAD=$list" ASAN_OPTIONS=detect_leaks=0 -- ./show
            expect_status 0
            expect_same "$(shown | head -1)" "LD_PRELOAD=$sanitizer${separator:-:}$us" "LD_PRELOAD, $how, $list"
            expect_calls "$(child_of show _all.log)" leaf 3
            rm -f -- *.log *vfd
        done
    done
}

# Acceptance case 10
test_an_environment_of_33000_entries_is_passed_on() {
    config
    local linkage how
    linkage=none instrument= build counts.c <<'END'
#include <stdio.h>
#include <string.h>
extern char **environ;
int main(void)
{
    int count = 0, entry;
    for (; count < 33000; count++)
        if (!environ[count] || sscanf(environ[count], "V%d=", &entry) != 1 || entry != count)
            return 1;
    puts(environ[33000] ? environ[33000] : "as it was");
    return 0;
}
END
    for linkage in shared archive; do
        build many.c <<'END'
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char text[33000][16], *entries[33001];
int main(int argc, char **argv)
{
    char *arguments[] = {"./counts", argv[1], 0};
    int status = argc;
    pid_t pid = 0;
    for (int i = 0; i < 33000; i++) {
        snprintf(text[i], sizeof text[i], "V%d=%d", i, i);
        entries[i] = text[i];
    }
    if (!strcmp(argv[1], "spawn")) {
        if (posix_spawn(&pid, arguments[0], 0, 0, arguments, entries))
            return 3;
    } else if (!strcmp(argv[1], "fork")) {
        if ((pid = fork()) == 0)
            _exit(execve(arguments[0], arguments, entries));
    } else if ((pid = vfork()) == 0)
        _exit(execve(arguments[0], arguments, entries));
    waitpid(pid, &status, 0);
    return status;
}
END
        for how in vfork fork spawn; do
            run_well ./many $how
            expect_calls many_all.log main 1
            # In a child of vfork there is no memory for so many.
            [ $how = vfork ] || expect_same "$(cut -c1-12 out)" VFTR_PARENT= "what the child has more, $how"
        done
    done
}

# Acceptance case 12
test_a_program_whose_results_cannot_be_written_starts_others_as_ever() {
    [ "$(id -u)" != 0 ] || have setpriv || skip "root can write everywhere"
    mkdir closed
    driver
    shower
    chmod 555 closed
    chmod 755 . .. 2>/dev/null
    config '"output_directory": "closed"'
    local how powerless=
    [ "$(id -u)" != 0 ] || powerless="setpriv --bounding-set=-dac_override --inh-caps=-dac_override"
    for how in fork vfork spawn exec; do
        # shellcheck disable=SC2086
        run $powerless ./drive $how A=1 -- ./show
        expect_status 0
        expect_same "$(grep -c A=1 out)" 1 "the child's output, $how"
    done
}

# A relative path in the environment is that of the parent's folder.
test_a_child_elsewhere_finds_the_configuration_and_the_folder() {
    mkdir results elsewhere
    echo '{"outfile_basename": "named"}' >c.json
    shower
    linkage=none instrument= build mover.c <<'END'
#include <unistd.h>
int main(int argc, char **argv) { return argc < 3 || chdir(argv[1]) || execv(argv[2], argv + 2); }
END
    linkage=shared driver
    VFTR_CONFIG=c.json VFTR_OUTPUT_DIRECTORY=results run_well ./drive fork -- ./mover elsewhere "$PWD/show"
    expect_same "$(grep -c "^VFTR_CONFIG=$PWD/c.json\$" out)" 1 "absolute configuration"
    expect_same "$(ls elsewhere)" "" "files elsewhere"
    expect_same "$(cd results && echo named_[0-9]*_all.log named_all.log | sed 's/[0-9][0-9]*/N/')" "named_N_all.log named_all.log" "results"
}

# The folder of the tree is gone, or this is another user: the working directory is no place for recordings.
test_a_child_that_cannot_write_into_the_folder_writes_nowhere() {
    mkdir results work
    shower
    linkage=none instrument= build mover.c <<'END'
#include <unistd.h>
int main(int argc, char **argv) { return rmdir(argv[1]) || chdir(argv[2]) || execv(argv[3], argv + 3); }
END
    VFTR_PARENT=1.1.0.1 VFTR_OUTPUT_DIRECTORY=$PWD/results run ./mover results work "$PWD/show"
    expect_said_once "vftrace: warning: cannot write to $PWD/results: No such file"
    expect_same "$status $(ls work)" "0 " "status and files in the working directory"
}

test_the_folder_of_the_environment_wins_over_that_of_the_configuration() {
    mkdir one two
    config '"output_directory": "one"'
    shower
    VFTR_OUTPUT_DIRECTORY=two run_well ./show
    expect_calls two/show_all.log leaf 3
    expect_same "$(ls one)" "" "files in the other"
    VFTR_OUTPUT_DIRECTORY=three run ./show
    expect_status 0
    expect_said_once 'VFTR_OUTPUT_DIRECTORY is "three"'
    expect_said_once 'Recording goes on with "output_directory": '
    expect_calls one/show_all.log leaf 3
}

# Issue: a child sees in its environment what is handed on to it
# Both in `environ` and in main's third argument; what it starts itself is recorded all the same.
test_a_child_does_not_see_what_is_handed_on_to_it() { config && with_each_compiler check_unseen; }
check_unseen() {
    local how linkage preload
    for linkage in none shared archive static; do
        preload=
        if [ $linkage = none ]; then
            preload=$builddir/libvftrace.so
            driver
        else
            local child=$linkage
            linkage=shared
            driver
            linkage=$child
        fi
        build looks.c <<'END'
#include <stdio.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv, char **envp)
{
    int i = 0;
    for (; environ[i]; i++)
        puts(environ[i]);
    for (; *envp; envp++)
        i--;
    printf("%d\n", i);
    fflush(stdout);
    if (argc > 1)
        execve(argv[1], argv + 1, environ);
    return argc > 1;
}
END
        for how in fork vfork spawn; do
            LD_PRELOAD=$preload run ./drive $how - -- ./looks ./looks
            expect_status 0
            expect_same "$(cat out)" "0
0" "what both children saw, $how, $linkage"
            # Issue: VFTR_HANDED_ON that somebody else has set is taken away from the program's environment.
            LD_PRELOAD=$preload run ./drive $how VFTR_HANDED_ON=mine -- ./looks ./looks
            expect_status 0
            expect_same "$(cat out)" "VFTR_HANDED_ON=mine
0
VFTR_HANDED_ON=mine
0" "what both children saw that were given a variable of our marker's name, $how, $linkage"
            rm -f -- *.log *vfd
            LD_PRELOAD=$preload run ./drive $how - -- ./looks ./looks
            expect_status 0
            LD_PRELOAD=$preload run ./drive $how A=1 "VFTR_X=2" "VFTR_OUTPUT_DIRECTORY=$PWD" LD_PRELOAD=libm.so.6 -- ./looks
            expect_status 0
            expect_same "$(cat out)" "A=1
VFTR_X=2
VFTR_OUTPUT_DIRECTORY=$PWD
LD_PRELOAD=libm.so.6
0" "what a child saw that was given something, $how, $linkage"
            expect_same "$(ls looks_*_all.log | wc -l)" 2 "recorded children, $how, $linkage"
            rm -f -- *.log *vfd
        done
    done
}

# Issue: a child sees in its environment what is handed on to it
test_a_program_under_run_sees_its_callers_environment_only() {
    linkage=none shower
    local lines='env | sort | grep -v "^_=\|ASAN_OPTIONS"'
    unset VFTR_CONFIG VFTR_OUTPUT_DIRECTORY
    sh -c "$lines" >expected
    run "$vftr" run -q -- sh -c "$lines; env -i ./show; env -i env; ./show >/dev/null"
    expect_status 0
    expect_same "$(grep -v 'VFTR_\|LD_PRELOAD' out)" "$(cat expected)" "environment"
    expect_same "$(ls show*.vfd | wc -l)" 2 "recorded programs: $(ls -m)"
    # Of what the caller says himself nothing is lost, also where a program between does not load us.
    VFTR_LICENSE_VERBOSE=1 run "$vftr" run -q -- sh -c 'env -i VFTR_OUTPUT_DIRECTORY=/tmp env'
    expect_same "$(cat out)" "VFTR_OUTPUT_DIRECTORY=/tmp" "what is set for the child"
    VFTR_LICENSE_VERBOSE=1 run "$vftr" run -q -- printenv VFTR_LICENSE_VERBOSE
    expect_same "$(cat out)" 1 "what the caller has set"
    VFTR_HANDED_ON=mine run "$vftr" run -q -- sh -c 'printenv VFTR_HANDED_ON; printenv VFTR_CONFIG VFTR_OUTPUT_DIRECTORY VFTR_EXEC_CHAIN VFTR_EXEC_LOGS'
    expect_same "$(cat out)" mine "what the caller has set by the name of our marker, and what it did not set"
}

run_tests
