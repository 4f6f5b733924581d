# SPDX-License-Identifier: BSD-3-Clause
# posix_spawn, storms of children, and programs that we are preloaded into.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/header.sh"

spawns() {
    build spawns.c "$@" <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static void leaf(void) {}
static int finish(const char *what, int error, pid_t pid)
{
    int status = -1;
    leaf();
    if (error == 0)
        waitpid(pid, &status, 0);
    printf("%s: %d %d\n", what, error, error ? -1 : WEXITSTATUS(status));
    return error;
}
int main(void)
{
    char *cat[] = {"cat", 0}, *pwd[] = {"sh", "-c", "pwd -P; ps -o pgid= -p $$ >/dev/null; kill -s USR1 $$; exit 4", 0}, *nothing[] = {"nothing", 0};
    pid_t pid = 0;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    leaf();
    /* The child reads one file, writes another, and has no standard error. */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "input", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "output", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addclose(&actions, 2);
    finish("actions", posix_spawn(&pid, "/bin/cat", &actions, 0, cat, environ), pid);
    finish("by path", posix_spawnp(&pid, "cat", &actions, 0, cat, environ), pid);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 5, "no such file", O_RDONLY, 0);
    finish("bad action", posix_spawn(&pid, "/bin/cat", &actions, 0, cat, environ), pid);
    posix_spawn_file_actions_destroy(&actions);
    /* A blocked signal stays pending: the attributes count. */
    posix_spawnattr_init(&attributes);
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    posix_spawnattr_setsigmask(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    finish("attributes", posix_spawnp(&pid, "sh", 0, &attributes, pwd, environ), pid);
    finish("missing", posix_spawn(&pid, "./nothing", 0, 0, nothing, environ), pid);
    finish("missing by path", posix_spawnp(&pid, "nothing of this name", 0, 0, nothing, environ), pid);
    finish("directory", posix_spawn(&pid, "/", 0, 0, nothing, environ), pid);
    finish("no environment", posix_spawn(&pid, "/bin/cat", 0, 0, (char *[]){"cat", "/dev/null", 0}, 0), pid);
    finish("system", system("exit 6") ? 0 : 1, 0);
    fflush(stdout);
    FILE *pipe = popen("echo from a pipe", "r");
    char line[80] = "";
    leaf();
    fputs(fgets(line, sizeof line, pipe), stdout);
    pclose(pipe);
    return 0;
}
END
}

# Acceptance case 13
test_file_actions_attributes_and_errors_of_posix_spawn_are_the_c_librarys() { config && with_each_compiler check_spawn; }
check_spawn() {
    echo 'what is read' >input
    linkage=none
    instrument= spawns
    run ./spawns
    mv out expected
    mv output expected_output
    expect_same "$(cat expected_output)" 'what is read' "output of the action"
    for linkage in shared archive static static-pie; do
        spawns
        run_well ./spawns
        diff expected out || fail "$linkage: other results (>)"
        cmp output expected_output || fail "$linkage: the file action"
        expect_calls spawns_all.log leaf 11
        expect_same "$(ls -m ./*vfd)" ./spawns_all.vfd "files, $linkage"
        rm -f -- *vfd *.log output
    done
}

# at_start("NAME="): a value of the environment that the program was started with. What was handed on to it is not in `environ` any more.
at_start_header() {
    cat >at_start.h <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((no_instrument_function)) static const char *at_start(const char *name)
{
    static char entries[1 << 16];
    FILE *file = fopen("/proc/self/environ", "r");
    size_t size = fread(entries, 1, sizeof entries - 2, file);
    fclose(file);
    entries[size] = entries[size + 1] = 0;
    for (const char *entry = entries; *entry; entry += strlen(entry) + 1)
        if (!strncmp(entry, name, strlen(name)))
            return entry + strlen(name);
    return NULL;
}
END
}

test_spawned_programs_are_recorded_and_know_their_parent() {
    config
    at_start_header
    build child.c <<'END'
#include <unistd.h>
#include "at_start.h"
static void leaf(void) {}
int main(void)
{
    leaf();
    printf("%d %s\n", getppid(), at_start("VFTR_PARENT="));
    return 0;
}
END
    build parent.c <<'END'
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
int main(void)
{
    char *argv[] = {"child", 0}, *envp[] = {0};
    for (int i = 0; i < 3; i++) {
        if (posix_spawn(0, "./child", 0, 0, argv, envp))
            return 1;
        wait(0);
    }
    return 0;
}
END
    run_well ./parent
    local n=0 pid value
    while read -r pid value; do
        n=$((n + 1))
        [[ $value == "$pid".*.*."${pid}s$n" ]] || fail "VFTR_PARENT of child $n of $pid is $value"
    done <out
    expect_same $n 3 "children"
}

# What a shell of system() and popen() starts descends from the program; the commands do what they do without us.
test_children_of_system_and_popen_know_their_parent() { config && with_each_compiler check_shell; }
check_shell() {
    at_start_header
    build shells.c <<'END'
#include "at_start.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
static void leaf(void) {}
static void pipes(const char *command)
{
    char line[300];
    fflush(stdout);
    FILE *stream = popen(command, "r");
    while (fgets(line, sizeof line, stream))
        printf("piped: %s", line);
    printf("%d\n", WEXITSTATUS(pclose(stream)));
}
static void runs(const char *command)
{
    fflush(stdout);
    errno = 77;
    int status = system(command);
    printf("%d %d %d\n", WIFSIGNALED(status), WEXITSTATUS(status), errno);
    leaf();
}
int main(int argc, char **argv)
{
    if (argc > 1) { /* what a child is told */
        leaf();
        printf("%s\n", at_start("VFTR_PARENT=") ? at_start("VFTR_PARENT=") : "orphan");
        return 0;
    }
    runs("");
    runs("# nothing");
    runs("exit 5");
    runs("kill -9 $$");
    runs("echo \"it's $# $0 $LINENO\"; cat <<A\nhere\nA\nexit 3");
    runs("nothing_of_this_name");
    runs("for i in 1 2; do\necho $i; done | sort -r");
    char *large = malloc(200000);
    memset(large, ' ', 200000);
    strcpy(large + 199990, "exit 8");
    runs(large);
    strcpy(large + 120000, "exit 9");
    runs(large);
    printf("%d\n", system(0) != 0);
    pipes("echo a; echo b; exit 4");
    setenv("OF_THE_PROGRAM", "it's \"one\"", 1);
    runs("./shells child; echo \"$OF_THE_PROGRAM\" | tee quoted");
    pipes("cd / && exec $OLDPWD/shells child");
    return 0;
}
END
    VFTR_OFF=1 run ./shells
    mv out without
    mv err err.without
    run ./shells
    expect_status 0
    # The last lines tell of the children.
    grep -v "^$(pid_in shells_all.vfd)\\.\|^piped: $(pid_in shells_all.vfd)\\." out | diff <(grep -v orphan without) - ||
        fail "other results than without us (<)"
    diff err.without err || fail "other messages than without us (<)"
    expect_same "$(cat quoted)" "it's \"one\"" "environment of the program"
    local parent
    parent="$(pid_in shells_all.vfd).$(start_in shells_all.vfd).1.$(pid_in shells_all.vfd)s"
    expect_same "$(grep -c "^${parent}[0-9]*$\|^piped: ${parent}[0-9]*$" out)" 2 "children that know their parent: $(grep -a '\..*\.' out)"
    expect_calls shells_all.log leaf 10
    expect_same "$(ls shells_*[0-9].vfd | wc -l)" 2 "recordings of children"
    rm -f -- *vfd *.log
}

# Issue: after clearenv() there is no list of variables, and system() and popen() ended the program.
test_a_program_without_an_environment_starts_shells() { config && with_each_compiler check_bare; }
check_bare() {
    build bare.c <<'END'
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    char line[80] = "", *nothing[] = {"true", 0};
    pid_t pid;
    leaf();
    if (argc > 1)
        environ = 0;
    else
        clearenv();
    printf("system %d\n", system("exit 3") >> 8);
    FILE *stream = popen("echo from a pipe", "r");
    if (!stream || !fgets(line, sizeof line, stream))
        return 1;
    printf("popen %d %s", pclose(stream), line);
    if (posix_spawn(&pid, "/bin/true", 0, 0, nothing, environ) || waitpid(pid, 0, 0) != pid)
        return 2;
    if (fork() == 0) {
        execv("/bin/true", nothing);
        _exit(9);
    }
    wait(0);
    leaf();
    return argv[0] == 0;
}
END
    local how
    for how in "" NULL; do
        # shellcheck disable=SC2086
        run_well ./bare $how
        expect_same "$(cat out)" $'system 3\npopen 0 from a pipe' "results ${how:-after clearenv}"
        expect_calls bare_all.log leaf 2
        rm -f -- *vfd *.log
    done
    linkage=none build bare
    for how in "" NULL; do
        # shellcheck disable=SC2086
        run_well "$vftr" run -o bare_results -- ./bare $how
        expect_same "$(head -2 out)" $'system 3\npopen 0 from a pipe' "preloaded: results ${how:-after clearenv}"
        rm -rf bare_results
    done
}

test_a_programs_own_functions_of_these_names_are_its_own() { config && with_each_compiler check_own_functions; }
check_own_functions() {
    for linkage in shared archive static; do
        build own.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <spawn.h>
int execve(const char *path, char *const argv[], char *const envp[]) { return argv || envp ? 1 : path[0]; }
int execvpe(const char *file, char *const argv[], char *const envp[]) { return argv || envp ? 2 : file[0]; }
int system(const char *command) { return command[0]; }
long syscall(long number, ...) { return number + 1; }
int main(void)
{
    char *list[] = {0};
    printf("%d %d %d %ld\n", execve("x", list, list), execvpe("x", list, list), system("A"), syscall(41));
    return 0;
}
END
        run_well ./own
        expect_same "$(cat out)" '1 2 65 42' "$linkage: results"
        expect_calls own_all.log execvpe 1
        rm -f -- *vfd *.log
    done
}

# Acceptance case 18. STORM=1000 is the whole storm.
test_no_recording_of_a_storm_of_children_is_lost_or_replaced() {
    config
    build next.c <<'END'
static void next_leaf(void) {}
int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 1; i < argc; i++)
        next_leaf();
    return argc;
}
END
    build storm.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void child(int i)
{
    for (int k = 0; k <= i % 7; k++)
        leaf();
    if (i % 2)
        _exit(i % 7);
    execl("./next", "next", "of", "a storm", (char *)0);
    abort();
}
int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0, running = 0, status;
    for (int i = 0; i < count; i++) {
        pid_t pid = fork();
        if (pid == 0)
            child(i);
        printf("%d %d %s\n", pid, i % 7, i % 2 ? "Exited" : "Executed");
        fflush(stdout);
        for (++running; running > 15; --running)
            if (wait(&status) < 0 || !WIFEXITED(status))
                return 1;
    }
    while (wait(&status) > 0)
        if (!WIFEXITED(status))
            return 1;
    return 0;
}
END
    local pid more state leaves=0 executed=0 count=${STORM:-300} words
    local -A number=([Executed]=3 [Exited]=4)
    run_well ./storm "$count"
    while read -r pid more state; do
        expect_file storm_"$pid".tmpvfd
        read -r -a words < <(od -An -v -N $((at_exit_status + 4)) -w$((at_exit_status + 4)) -t u4 storm_"$pid".tmpvfd) # as header.sh has them
        expect_same "${words[at_state / 4]} ${words[at_pid / 4]}" "${number[$state]} $pid" "state and pid in storm_$pid.tmpvfd"
        [ $state = Executed ] || expect_same "${words[at_exit_status / 4]}" "$more" "exit status of $pid"
        [ $state = Exited ] || executed=$((executed + 1))
        leaves=$((leaves + more + 1))
    done <out
    expect_same "$(find . -name 'storm_*.tmpvfd' | wc -l)" "$count" "recordings of children"
    report storm_*.tmpvfd
    expect_calls report leaf $leaves
    expect_calls report child "$count"
    expect_same "$(find . -name 'next_*.vfd' | wc -l)" $executed "recordings of programs that were executed"
    report next_*.vfd
    expect_calls report next_leaf $((2 * executed))
    expect_same "$(find vftrace_symbols -name '*.sym' | grep -c '/[0-9a-f]*-next.sym$')" 1 "copies of the symbols"
}

# Programs that are not instrumented run under the preloaded library as without it.
test_a_preloaded_library_changes_nothing_for_other_programs() {
    unset VFTR_CONFIG
    cat >script <<'END'
echo "script $1"
(exit 3) || echo "subshell $?"
ls script Makefile | sort
{ sleep 0; echo background; } & wait
echo end | sed s/end/END/
nothing_of_this_name
exec sh -c 'echo "executed; $#"; kill -TERM $$' a b
END
    cat >Makefile <<'END'
all: one two
	@echo all $^
one two:
	@echo $@; sh -c 'exit 0'; true
END
    seq 3 >numbers
    local command status_without
    for command in 'sh script x' 'bash script x' 'make -j2' 'make -C /nowhere' 'env -i /bin/echo clean' 'su --version' 'true' 'false' \
        'xargs -n1 echo' 'python3 -c print(__import__("subprocess").run(["echo","x"]))'; do
        have "${command%% *}" || continue
        # shellcheck disable=SC2086
        may_be_killed=1 run $command <numbers
        status_without=$status
        sort out >out.without
        sort err >err.without
        # shellcheck disable=SC2086
        may_be_killed=1 run env LD_PRELOAD="$builddir/libvftrace.so" $command <numbers
        expect_same $status $status_without "exit code of $command"
        sort out | diff out.without - || fail "$command: other output (>)"
        sort err | diff err.without - || fail "$command: other errors (>)"
    done
    expect_same "$(find . -name '*vfd' -o -name '*.log')" '' "files"
}

run_tests
