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

run_tests
