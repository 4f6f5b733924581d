# SPDX-License-Identifier: BSD-3-Clause
# A program with more rights than who started it does nothing for its caller that the caller could not do himself.
. "${srcdir:-.}/test/system/lib.sh"

# set_user_id PROGRAM: a copy as root's, with the set-user-ID bit. as_nobody COMMAND...: runs it as a user without rights.
set_user_id() {
    [ "$(id -u)" = 0 ] || skip "only root can give a program his rights"
    have setpriv || skip "no setpriv"
    chmod 755 . ..
    chmod 4755 "$1"
    setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$PWD/$1" || skip "another user cannot reach $PWD"
    ! findmnt -nT . -o OPTIONS 2>/dev/null | grep -q nosuid || skip "set-user-ID bits do not count here"
}
as_nobody() { run setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

# Issue: set-user-ID programs trust the caller's environment (VFTR_CONFIG=/etc/shadow prints a root-only line)
test_a_set_user_id_program_reads_and_writes_nothing_for_its_caller() {
    linkage=archive build prog
    set_user_id prog
    mkdir -m 777 open
    echo 'root:secret:line' >secret
    chmod 600 secret
    export VFTR_CONFIG=$PWD/secret VFTR_OUTPUT_DIRECTORY=$PWD/open VFTR_EXEC_TRACE_PATH=$PWD/open/trace VFTR_SAMPLING=yes
    as_nobody ./prog
    expect_ending 3 500
    expect_same "$(cat err)" '' 'stderr'
    expect_same "$(find . -newer prog -name 'prog*' ! -name prog; ls open)" '' 'files that were written'
}

# Issue: messages about a file never quote lines of a file that the real user cannot read
test_a_message_quotes_nothing_of_a_file_that_the_caller_cannot_read() {
    linkage=archive build prog
    set_user_id prog
    echo 'root:secret:line' >secret
    chmod 640 secret
    # Rights that do not come with AT_SECURE: the real user is another one.
    run setpriv --ruid=65534 env VFTR_CONFIG="$PWD/secret" ./prog
    expect_status 3
    ! grep -q 'secret:line\|root:' err || fail "it quotes the file: $(cat err)"
}

# A set-user-ID program that becomes root as a whole and then starts ./tool, or a shell command, in each of the ways.
becomes_root() {
    linkage=archive build tool.c <<<'void leaf(void) {} int main(void) { leaf(); return 0; }'
    linkage=$1 build root.cpp <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int, char** argv, char** envp) {
    char* tool[] = {const_cast<char*>("./tool"), nullptr};
    char* show[] = {const_cast<char*>("/usr/bin/env"), nullptr};
    char** command = std::strcmp(argv[2], "show") == 0 ? show : tool;
    if (setgid(0) != 0 || setuid(0) != 0)
        return 9;
    if (std::strcmp(argv[1], "system") == 0)
        return std::system(command[0]);
    if (std::strcmp(argv[1], "execv") == 0)
        return execv(command[0], command);
    if (std::strcmp(argv[1], "envp") == 0)
        return execve(command[0], command, envp);
    pid_t pid = 0;
    int status = 1;
    return posix_spawn(&pid, command[0], nullptr, nullptr, command, environ) != 0 || waitpid(pid, &status, 0) != pid ? 8 : status;
}
END
}

# Issue: a set-user-ID program that becomes root fully hands the caller's VFTR_* variables on
test_the_callers_variables_do_not_reach_what_a_set_user_id_program_starts() {
    local way
    with_linkage() {
        linkage=$1
        becomes_root "$1"
        set_user_id root
        rm -rf private rows.csv
        mkdir -m 700 private
        echo row >rows.csv
        chmod 600 rows.csv
        for way in system execv envp spawn; do
            # As the tool would do for root himself.
            export OTHER=kept VFTR_CONFIG=$PWD/secret VFTR_OUTPUT_DIRECTORY=$PWD/private VFTR_EXEC_TRACE_PATH=$PWD/rows.csv VFTR_SAMPLING=yes
            linkage=none as_nobody ./root $way show
            expect_same "$(grep -E '^(OTHER|VFTR_)' out)" OTHER=kept "variables that a program gets by $way ($linkage)"
            linkage=none as_nobody ./root $way tool
            expect_status 0
            expect_same "$(cat err)" '' "stderr by $way ($linkage)"
            expect_same "$(ls -A private)" '' "files in the folder of root's"
            expect_same "$(cat rows.csv)" row "the file of root's"
            unset OTHER VFTR_CONFIG VFTR_OUTPUT_DIRECTORY VFTR_EXEC_TRACE_PATH VFTR_SAMPLING
        done
    }
    echo 'root:secret:line' >secret
    chmod 600 secret
    with_linkage archive
    with_linkage shared
    [ ! -e "$builddir/libvftrace.a" ] || with_linkage static
    linkage=none
    # What it would be: of a program that has these variables from root himself, the tool takes them.
    VFTR_CONFIG=$PWD/secret run ./tool
    grep -q vftrace err || fail 'the tool reads no configuration at all'
}

# administrator COMMAND: runs `prog` as nobody where what COMMAND has put into the folder of secure.json is all that there is. It finds
# that folder in `sysconf`; its file systems are its own.
administrator() {
    rm -rf results
    mkdir results
    run unshare -m sh -c '
        mount -t tmpfs -o mode=755 none "$2" || exit 77
        sysconf=$3
        mkdir -p "$sysconf" || exit 77
        cd "$sysconf" && mkdir vftrace && echo "$4" >vftrace/secure.json && eval "$1" || exit 78
        cd "$5" && exec setpriv --reuid=65534 --regid=65534 --clear-groups ./prog' \
        sh "$1" "$over" "$sysconf" "{\"output_directory\": \"$PWD/results\"}" "$PWD"
    [ $status != 77 ] || skip 'no file systems of its own'
    expect_ending 3 500
}

# Issue: secure.json is believed though it is a hard link, or in a folder that others can write to
test_what_others_can_have_changed_is_no_configuration_of_set_user_id_programs() {
    local sysconf over why
    linkage=archive build prog
    set_user_id prog
    have unshare || skip "no unshare"
    sysconf=$(prefix=$(sed -n 's/^prefix = //p' "$builddir"/Makefile) && eval "echo $(sed -n 's/^sysconfdir = //p' "$builddir"/Makefile)")
    over=$sysconf
    case $sysconf in /?*) ;; *) fail "the folder of secure.json is '$sysconf'" ;; esac
    until [ -d "$over" ]; do over=${over%/*}; done
    [ -n "$over" ] || skip "only / is there of $sysconf"
    [ "$(find / /tmp -maxdepth 0 -user root | wc -l)" = 2 ] || skip "/ is not root's"
    administrator true
    [ ! -s err ] || skip "this machine's folders can be written by others: $(cat err)"
    [ -s results/prog_all.log ] || fail "what the administrator allows is not done: $(ls results)"
    refused() { # WHY COMMAND
        administrator "$2"
        expect_same "$(grep -c . err)" 1 "number of lines of: $(cat err)"
        expect_said_once "^Error: vftrace does not believe $sysconf/vftrace/secure.json, so nothing is recorded: $sysconf.*$1"
        expect_same "$(ls results)" '' 'files that were written'
    }
    refused 'secure.json has another name (a hard link)' 'ln vftrace/secure.json other'
    refused 'secure.json can be written by others than root' 'chmod 664 vftrace/secure.json'
    refused 'secure.json is a symbolic link' 'mv vftrace/secure.json . && ln -s ../secure.json vftrace/'
    refused 'secure.json does not belong to root' 'chown 65534 vftrace/secure.json'
    refused 'vftrace can be written by others' 'chmod 1777 vftrace'
    refused 'vftrace is a symbolic link' 'mv vftrace other && ln -s other vftrace'
    refused ' can be written by others than root' 'chmod 777 .'
    refused ' does not belong to root' 'chown 65534 .'
    administrator 'chmod 1777 .'
    expect_same "$(cat err)" '' stderr
    [ -s results/prog_all.log ] || fail "above, the sticky bit is enough: $(ls results)"
    # Without a file, and with one that has mistakes, nothing is said.
    administrator 'rm vftrace/secure.json'
    expect_same "$(cat err; ls results)" '' 'stderr and files'
    administrator 'echo "{\"output_directory\": 3}" >vftrace/secure.json'
    expect_same "$(cat err; ls results)" '' 'stderr and files'
}

run_tests
