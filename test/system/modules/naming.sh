# SPDX-License-Identifier: BSD-3-Clause
# Every address has its right name or none, however a program is linked and whatever becomes of its files.
. "${srcdir:-.}/test/system/lib.sh"

# A program that works, and does so in a child whose recording is kept too; with an argument it kills itself at its end.
program() { # [FLAGS…]
    build linked.c "$@" <<'END'
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static int leaf(int n) { return n + 1; }
int exported(int n) { return leaf(n); }
static int work(void)
{
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += exported(i);
    return sum != 5050;
}
int main(int argc, char **argv)
{
    int status;
    (void)argv;
    pid_t child = fork();
    if (child == 0)
        return work();
    waitpid(child, &status, 0);
    if (work() != status)
        return 1;
    if (argc > 1)
        raise(SIGKILL);
    return 0;
}
END
}
expect_names() {
    report "$1"
    expect_calls report leaf 100
    expect_calls report exported 100
    expect_stack report "leaf<exported<work<main<init"
}

# From the store without the program, and from the program without a store.
expect_names_both_ways() {
    local child
    rm -rf -- *.vfd *.tmpvfd *.log vftrace_symbols
    may_be_killed=1 run ./linked kill
    child=$(ls linked_*[0-9].vfd)
    mv linked linked.away
    expect_names "$child"
    mv vftrace_symbols symbols.away
    mv linked.away linked
    expect_names "$child"
    expect_names linked_*.tmpvfd
    rm -rf -- *.vfd *.tmpvfd *.log symbols.away
}

# Acceptance: PIE, non-PIE, static, static-PIE, lld-linked.
test_functions_are_named_however_the_program_is_linked() {
    check() {
        local flags
        for flags in '-fPIE -pie' '-fno-pie -no-pie' '-fuse-ld=lld -fPIE -pie' '-fuse-ld=lld -fno-pie -no-pie' '-Wl,--build-id=none'; do
            case $flags in *lld*) have ld.lld || continue ;; esac
            # shellcheck disable=SC2086
            program $flags
            expect_names_both_ways
        done
        for linkage in static static-pie; do
            program
            expect_names_both_ways
        done
        linkage=shared
    }
    config
    with_each_compiler check
}

# Acceptance: stripped with separate debug file.
test_a_stripped_program_is_named_from_its_debug_file() {
    config
    for id in sha1 none; do
        program -Wl,--build-id=$id
        objcopy --only-keep-debug linked linked.debug
        strip -s linked
        objcopy --add-gnu-debuglink=linked.debug linked
        expect_names_both_ways
        # Without it, or with another one, it has the names that it shows to others.
        build other.c <<'END'
int main(void) { return 0; }
END
        cp other linked.debug
        run ./linked
        ! grouped_counts "$(ls linked_all.log)" | grep -q leaf || fail "a name from a foreign debug file"
        rm -rf -- *.vfd *.log vftrace_symbols
    done
}

library() { # NAME
    linkage=none build "$1.c" -shared -fPIC "${@:2}" <<END
int $1_leaf(int n) { return n; }
int entry(int n) { return $1_leaf(n) + 1; }
END
}

# Acceptance: same library at different addresses in two processes.
test_a_library_at_two_addresses_is_one_module_in_the_store() {
    config '"sampling": {"active": true}'
    library lib
    mv lib liblib.so
    build uses.c -L. -llib -Wl,-rpath,"$PWD" <<'END'
#include <stdio.h>
int entry(int);
int main(void) { printf("%p\n", (void *)entry); return entry(1) != 2; }
END
    run_well ./uses
    mv out first
    mv uses_0.vfd first.vfd
    run_well ./uses
    cmp -s first out && echo "  the library was at the same address"
    for file in first.vfd uses_0.vfd; do
        report $file
        expect_stack report 'lib_leaf<entry<main<init'
    done
    expect_same "$(ls vftrace_symbols | sed 's/.*-//' | sort | tr '\n' ' ')" "liblib.so.sym uses.sym " "files in the store"
}

# Acceptance: library replaced on disk during the run: never the new file's names.
test_a_library_that_was_replaced_never_has_the_new_names() {
    local id way
    config '"sampling": {"active": true}'
    # Its code lies where that of the old one does.
    build replaces.c -ldl <<'END'
#include <dlfcn.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int (*entry)(int) = (int (*)(int))dlsym(dlopen("./used.so", RTLD_NOW), "entry");
    int before = argc > 2 ? entry(1) : 2;
    if (system(argv[1]) != 0)
        return 1;
    return entry(1) != 2 || before != 2;
}
END
    for id in sha1 none; do
        library old -Wl,--build-id=$id
        library new -Wl,--build-id=$id
        for way in 'mv new.so used.so' 'rm used.so' 'mv used.so kept.so; cp new.so used.so'; do
            for when in before after; do
                cp old used.so
                cp new new.so
                if [ $when = before ]; then run_well ./replaces "$way"; else run_well ./replaces "$way" first; fi
                cp new used.so
                for log in replaces_all.log report; do
                    [ $log = replaces_all.log ] || report replaces_0.vfd
                    ! stacks_of $log | grep -q new_ || fail "$id, $way: $(stacks_of $log)"
                    stacks_of $log | grep -q '^\(old_leaf<entry\|used.so+0x[0-9a-f]*<used.so+0x[0-9a-f]*\)<main<init$' ||
                        fail "$id, $way: $(stacks_of $log)"
                done
                rm -rf -- *.vfd *.log vftrace_symbols kept.so
            done
        done
    done
}

test_a_program_that_deletes_or_replaces_itself_keeps_its_names() {
    local id way
    config
    for id in sha1 none; do
        for way in 'rm away' 'cp other other.new; mv other.new away'; do
            build away.c -Wl,--build-id=$id <<'END'
#include <stdlib.h>
static int leaf(int n) { return n; }
int main(int argc, char **argv) { (void)argc; return system(argv[1]) != 0 || leaf(1) != 1; }
END
            build other.c -Wl,--build-id=$id <<'END'
static int wrong(int n) { return n; }
int main(int argc, char **argv) { (void)argv; return wrong(argc); }
END
            run_well ./away "$way"
            expect_stack away_all.log 'leaf<main<init'
            rm -f -- *.vfd *.log
        done
    done
}

# Acceptance: path with spaces, newline, " (deleted)".
test_paths_may_be_odd() {
    local path
    program
    # The name of the results follows from that of the program.
    config '"outfile_basename": "odd"'
    for path in 'a b/c d' $'new\nline/p\n' 'p (deleted)' '(deleted)/p (deleted)' 'back\012slash' $'\xff\xfe'; do
        mkdir -p "$(dirname "$path")"
        cp linked "$path"
        rm -rf -- odd* vftrace_symbols
        may_be_killed=1 run "./$path" kill
        expect_names "$(ls odd_*[0-9].vfd)"
        expect_names odd_*.tmpvfd
        rm "$path"
        expect_names "$(ls odd_*[0-9].vfd)"
        rm -r vftrace_symbols
        report odd_*.tmpvfd
        expect_no_stack report leaf
        cp linked "${path% (deleted)}.other"
    done
}

# Acceptance: exec while recording is paused: the child resolves.
test_a_program_executed_during_a_pause_is_named() {
    config
    program
    build pauses.c <<'END'
#include <unistd.h>
#include <vftrace.h>
static void before(void) { vftrace_pause(); }
int main(void)
{
    before();
    execl("./linked", "linked", (char *)0);
    return 1;
}
END
    run_well ./pauses
    for log in $(grep -l 'leaf' -- *.log); do
        expect_stack "$log" 'leaf<exported<work<main<init'
    done
    expect_at_least "$(grep -l 'leaf' -- *.log | wc -l)" 1 "logs of the executed program"
    report pauses_*.tmpvfd
    expect_stack report 'before<main<init'
}

# A folder of its own with a program and its libraries in it (chroot) seldom has one.
test_without_proc_the_functions_of_the_executable_have_their_names() {
    unshare -Urm sh -c 'mount -t tmpfs none /proc' 2>/dev/null || skip 'no mounts of its own'
    config
    build without.c <<'END'
static void leaf(void) {}
int main(void)
{
    for (int i = 0; i < 10; i++)
        leaf();
    return 0;
}
END
    local path
    for path in "$PWD/without" ./without; do
        run_well unshare -Urm sh -c 'mount -t tmpfs none /proc && exec "$1"' sh "$path"
        expect_calls without_all.log leaf 10
        rm without_all.log
    done
}

# Issue: unresolved functions of different modules of one file name are added up.
test_plugins_of_one_file_name_without_symbols_are_kept_apart() {
    config
    mkdir -p a b
    for folder in a b; do
        printf 'int entry_of_%s; static __attribute__((noinline)) void hidden(void) { __asm__(""); } void (*entry)(void) = hidden;\n' $folder >plugin.c
        $cc -shared -fPIC -O0 -finstrument-functions -Wl,--build-id=sha1 plugin.c -o $folder/plugin.so || fail "no plugin"
        strip $folder/plugin.so
    done
    build calls_both.c -ldl <<'END'
#include <dlfcn.h>
static void call(const char *path, int times)
{
    void *plugin = dlopen(path, RTLD_NOW);
    void (**entry)(void) = dlsym(plugin, "entry");
    while (times-- > 0)
        (*entry)();
}
int main(int argc, char **argv)
{
    (void)argv;
    call("./a/plugin.so", 3);
    if (argc < 2)
        call("./b/plugin.so", 5);
    return 0;
}
END
    run_well ./calls_both
    grouped_counts calls_both_all.log | grep 'plugin.so' | sort >names
    expect_same "$(cut -f1 names | xargs)" "3 5" "calls of the plugins' functions: $(cat names)"
    [[ $(cut -f2 names | grep -cE '^plugin.so\{[0-9a-f]{8}\}\+0x[0-9a-f]+$') == 2 ]] || fail "not told apart: $(cat names)"
    "$vftr" report calls_both_all.vfd >again
    grouped_counts again | grep 'plugin.so' | sort >names_again
    diff names names_again || fail "the report says something else"
    # There is nothing to tell apart.
    run_well ./calls_both one
    grouped_counts calls_both_all.log | grep -qE '^3.plugin.so\+0x[0-9a-f]+$' || fail "not the short name: $(grouped_counts calls_both_all.log)"
}

run_tests
