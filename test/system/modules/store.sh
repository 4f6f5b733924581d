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

run_tests
