# SPDX-License-Identifier: BSD-3-Clause
# The symbol store: names of functions once per folder, whoever needs them.
. "${srcdir:-.}/test/system/lib.sh"

sampled='"sampling": {"active": true}'

program() {
    build named.c "$@" <<'END'
static int leaf(int n) { return n + 1; }
int middle(int n) { return leaf(n); }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += middle(i);
    return sum != 55;
}
END
}
# The names that a report of one recording shows.
expect_named() {
    report "$@"
    expect_calls report leaf 10
    expect_calls report middle 10
    expect_stack report 'leaf<middle<main<init'
}
store_files() { (cd vftrace_symbols && ls -A); }

test_a_recording_and_its_store_are_fully_named_where_the_program_is_not() {
    config "$sampled"
    check() {
        for flags in -Wl,--build-id=sha1 -Wl,--build-id=none; do
            # shellcheck disable=SC2086
            program $flags
            run_well ./named
            [ "$(store_files | wc -l)" = 1 ] || fail "the store has: $(store_files)"
            rm named
            mkdir moved
            mv named_0.vfd vftrace_symbols moved
            expect_named moved/named_0.vfd
            rm -r moved/vftrace_symbols
            report moved/named_0.vfd
            expect_no_stack report 'leaf|middle|main'
            stacks_of report | grep -qx 'named+0x[0-9a-f]*<init' || fail "no addresses: $(stacks_of report)"
            rm -rf moved
        done
    }
    with_each_compiler check
}

# Acceptance: artifacts = distinct modules, whatever the number of processes; a reused folder.
test_later_runs_leave_the_store_as_it_is() {
    local before
    config "$sampled"
    program
    run_well ./named
    before=$(store_files; ls -il --time-style=full-iso vftrace_symbols; cksum vftrace_symbols/*)
    for _ in 1 2 3; do run_well ./named; done
    expect_same "$(store_files; ls -il --time-style=full-iso vftrace_symbols; cksum vftrace_symbols/*)" "$before" "the store"
    expect_named named_0.vfd
}

# Acceptance: a binary rebuilt at the same path is another module.
test_a_program_that_was_rebuilt_gets_another_file() {
    config "$sampled"
    program
    run_well ./named
    mv named_0.vfd first.vfd
    build named.c <<'END'
static int other(int n) { return n + 1; }
int middle(int n) { return other(n); }
int main(void) { return middle(1) != 2; }
END
    run_well ./named
    expect_same "$(store_files | wc -l)" 2 "files in the store"
    expect_named first.vfd
    report named_0.vfd
    expect_stack report 'other<middle<main<init'
}

test_no_store_is_written_where_no_recording_is_kept() {
    config
    program
    run_well ./named
    expect_no_file vftrace_symbols
    expect_calls named_all.log leaf 10
    rm named
    report named_all.vfd
    expect_calls report leaf 10
}

# Issue: a store that is another user's link is followed, and every *.tmp in the link's target is deleted
test_another_users_link_is_no_store() {
    [ "$(id -u)" = 0 ] || skip "only root can make a link of another user's"
    have setpriv || skip "no setpriv"
    config "$sampled"
    program
    chmod 755 . ..
    mkdir -m 777 shared # without the sticky bit, where the kernel may refuse to follow such links itself
    mkdir target
    touch target/{notes,0123456789abcdef0123}.tmp
    setpriv --reuid 65534 --regid 65534 --clear-groups ln -s "$PWD"/target shared/vftrace_symbols || skip "another user cannot write here"
    [ -e shared/vftrace_symbols/notes.tmp ] || skip "the kernel follows no link of another user"
    export VFTR_OUTPUT_DIRECTORY=$PWD/shared
    run ./named
    expect_status 0
    expect_said_once 'vftrace: warning: cannot write .*shared/vftrace_symbols.*another user.s symbolic link'
    expect_same "$(ls target | tr '\n' ' ')" '0123456789abcdef0123.tmp notes.tmp ' 'files where the link leads'
    expect_named shared/named_0.vfd
    # Where the program was killed, vftr recover writes the symbols.
    build dies.c <<<'int main(void) { __builtin_trap(); }'
    may_be_killed=1 run ./dies
    run "$vftr" recover shared/dies_*.tmpvfd
    expect_status 0
    grep -q 'vftrace_symbols: cannot write: it is another user' err || fail "it says: $(cat err)"
    expect_same "$(ls target | tr '\n' ' ')" '0123456789abcdef0123.tmp notes.tmp ' 'files where the link leads'
    # A link of the user's own is followed, and what somebody else has there stays there.
    rm shared/vftrace_symbols
    ln -s "$PWD"/target shared/vftrace_symbols
    run_well ./named
    [ "$(ls target | sed 's/.*-//' | tr '\n' ' ')" = 'named.sym notes.tmp ' ] || fail "the store has: $(ls target)"
}

# Acceptance: disk full while writing symbols: a warning, recording still readable.
test_a_store_that_cannot_be_written_costs_one_warning() {
    config "$sampled"
    program
    touch vftrace_symbols
    run ./named
    expect_status 0
    expect_said_once 'vftrace: warning: cannot write .*vftrace_symbols.*: Not a directory'
    expect_named named_0.vfd
    expect_calls named_all.log leaf 10
}

# Acceptance: disk full while writing symbols: a warning, recording still readable.
test_symbols_that_do_not_fit_cost_one_warning() {
    config "$sampled"
    build many.c <<'END'
#define F(n) int function_##n(int x) { return x + n; }
#define F10(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
#define F100(n) F10(n##0) F10(n##1) F10(n##2) F10(n##3) F10(n##4) F10(n##5) F10(n##6) F10(n##7) F10(n##8) F10(n##9)
#define F1000(n) F100(n##0) F100(n##1) F100(n##2) F100(n##3) F100(n##4) F100(n##5) F100(n##6) F100(n##7) F100(n##8) F100(n##9)
F1000(1) F1000(2) F1000(3) F1000(4) F1000(5) F1000(6)
int main(void) { return function_1000(0) - 1000; }
END
    run_well ./many
    expect_at_least "$(stat -c %s vftrace_symbols/*)" 250000 "bytes of symbols"
    rm -r vftrace_symbols
    mkdir disk
    if mount -t tmpfs -o size=1000k tmpfs disk 2>/dev/null; then
        (
            cd disk || exit
            head -c 850000 /dev/zero >rest
            run ../many
            expect_status 0
            expect_said_once 'vftrace: warning: cannot write .*vftrace_symbols.*No space left'
            expect_same "$(ls -A vftrace_symbols)" "" "left of the symbols"
            report many_0.vfd
            expect_stack report 'function_1000<main<init'
        )
        status=$?
        umount disk
        [ $status = 0 ] || exit $status
    fi
    run bash -c 'ulimit -f 200; ./many' # KiB
    expect_status 0
    expect_said_once 'vftrace: warning: cannot write .*vftrace_symbols.*File too large'
    expect_same "$(ls -A vftrace_symbols)" "" "left of the symbols"
    report many_0.vfd
    expect_stack report 'function_1000<main<init'
}

build_id_of() { readelf -n "$1" 2>/dev/null | sed -n 's/^ *Build ID: //p'; }

# Acceptance: 1000 processes: artifacts = distinct modules, size flat in the number of processes; every key referenced
# exists, no orphan files. PROCESSES=1000 by hand.
test_many_processes_share_one_copy_of_the_symbols() {
    local n=${PROCESSES:-50} size
    config
    linkage=none build lib.c -shared -fPIC -Wl,--build-id <<'END'
int lib_leaf(int n) { return n; }
int entry(int n) { return lib_leaf(n) + 1; }
END
    mv lib liblib.so
    build worker.c -L. -llib -Wl,-rpath,"$PWD" -Wl,--build-id <<'END'
int entry(int);
static int leaf(int n) { return entry(n); }
int main(void) { return leaf(1) != 2; }
END
    build driver.c -Wl,--build-id <<'END'
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
extern char **environ;
int main(int argc, char **argv)
{
    char *worker[] = {"./worker", 0};
    int left = atoi(argv[1]), running = 0, bad = 0, status;
    (void)argc;
    while (left > 0 || running > 0) {
        if (left > 0 && running < 8) {
            if (posix_spawn(0, worker[0], 0, 0, worker, environ) != 0)
                return 1;
            left--;
            running++;
        } else {
            wait(&status);
            bad += status != 0;
            running--;
        }
    }
    return bad != 0;
}
END
    may_take=$run_limit
    run_limit=600 run ./driver "$n"
    expect_status 0
    expect_silence
    run_limit=$may_take
    expect_same "$(ls vftrace_symbols | sort)" "$(printf '%s\n' "$(build_id_of worker)-worker.sym" "$(build_id_of liblib.so)-liblib.so.sym" | sort)" \
        "files in the store"
    expect_same "$(ls worker_*.vfd | wc -l)" "$n" "recordings"
    size=$(cat vftrace_symbols/* | wc -c)
    echo "  $n processes: $size bytes of symbols, $(($(cat worker_*.vfd | wc -c) / n)) bytes of recording each, $(du -sk --apparent-size . | cut -f1) KiB in all"
    rm worker liblib.so
    for file in $(ls worker_*.vfd | head -3); do
        report "$file"
        expect_stack report 'lib_leaf<entry<leaf<main<init'
    done
}

# Eight ranks at once: one intact copy.
test_ranks_share_one_copy_of_the_symbols() {
    [ -n "${MPICC:-}" ] && have "${MPIRUN:-mpirun}" || skip "no MPI"
    local flags=()
    "${MPIRUN:-mpirun}" --version 2>&1 | grep -q 'Open MPI' && flags=(--allow-run-as-root --oversubscribe)
    config "$sampled"
    cat >ranks.c <<'END'
#include <mpi.h>
static int leaf(int n) { return n; }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    leaf(1);
    MPI_Finalize();
    return 0;
}
END
    # shellcheck disable=SC2046
    $MPICC -g -finstrument-functions ranks.c -o ranks $(link_flags) || fail "cannot build"
    run "${MPIRUN:-mpirun}" -n 8 "${flags[@]}" ./ranks
    expect_status 0
    expect_silence
    expect_same "$(ls -A vftrace_symbols | sed 's/.*-//')" "ranks.sym" "files in the store"
    mv ranks away
    report ranks_*.vfd
    expect_calls report leaf 8
}

run_tests
