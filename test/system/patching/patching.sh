# SPDX-License-Identifier: BSD-3-Clause
# Patching: hook calls are taken out of the running text and put back. Programs that do so with hooks that count (toggle.cpp, work.c).
. "${srcdir:-.}/test/system/lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "skip: no text is changed on $(uname -m)" && exit 77; }
here=$srcdir/test/system/patching

# Once for all tests; they run in folders beside each other.
toggle_object() {
    [ -e ../toggle.o ] ||
        $cxx -std=c++20 -O1 -g -pthread -I"$srcdir/src" -I"$srcdir/include" -I"$builddir" -c "$here/toggle.cpp" -o ../toggle.o ||
        fail "toggle.cpp cannot be compiled"
}
# The program without functions to watch: they are a plugin's.
toggle() {
    toggle_object
    [ -e ../toggle ] || $cxx -pthread -rdynamic ../toggle.o "${core_libraries[@]}" -ldl -o ../toggle || fail "toggle cannot be linked"
    ../toggle possible || skip "it is not possible here: $(../toggle possible 2>&1)"
}
# program NAME FLAGS… [-- LINKER FLAGS…]: with the functions in it, compiled by $cc.
program() {
    local name=$1 compile=()
    shift
    while [ $# != 0 ] && [ "$1" != -- ]; do
        compile+=("$1")
        shift
    done
    shift $(($# != 0))
    toggle_object
    $cc "${compile[@]}" -finstrument-functions -c "$here/work.c" -o "$name.o" || fail "$cc cannot compile with ${compile[*]}"
    $cxx -pthread -rdynamic ../toggle.o "$name.o" "${core_libraries[@]}" -ldl "$@" -o "$name" 2>link.err || {
        cat link.err
        fail "$name cannot be linked"
    }
}
plugin() { # NAME FLAGS…
    local name=$1
    shift
    $cc "$@" -finstrument-functions -fPIC -shared "$here/work.c" -o "$name.so" || fail "$cc cannot compile with $*"
}
runs() { timeout -k 1 "$run_limit" "$@" >out 2>err || { cat out err && fail "$*: exit code $?"; }; }

every_compiler() {
    local compilers=" ${COMPILERS-gcc clang} "
    for cc in ${compilers/ clang / clang clang-16 }; do
        ! have $cc || "$@"
    done
}

# Issue: the hook call instructions of excluded functions are replaced in the running text by a no-op; -O0…-O3, -fno-plt, dlopen'ed code, clang and gcc
test_calls_of_loaded_code_are_out_and_come_back() {
    toggle
    each() {
        local flags
        for flags in -O0 -O1 -O2 -O3 '-O2 -fno-plt' '-O3 -flto' '-Os -fcf-protection -Wl,-z,ibtplt' '-O2 -Wl,-z,now' '-O1 -fuse-ld=lld' \
            '-O2 -fcf-protection=full -Wl,-z,separate-code -DIN_SECTION=".apart"' '-O2 -ffunction-sections -Wl,--gc-sections,-z,noseparate-code' \
            '-O3 -Wl,-z,max-page-size=0x200000,-z,common-page-size=0x200000,-z,separate-code'; do
            case $flags in *lld) have ld.lld || continue ;; esac
            # shellcheck disable=SC2086
            plugin "$cc" $flags
            runs ../toggle text "./$cc.so"
            runs ../toggle everywhere "./$cc.so"
        done
    }
    every_compiler each
}

# Issue: PIE/non-PIE, static
test_calls_of_the_program_itself_are_out_and_come_back() {
    toggle
    each() {
        program pie -O2 -fPIE
        runs ./pie text
        runs ./pie everywhere
        program fixed -O2 -fno-pie -- -no-pie
        runs ./fixed text
        runs ./fixed everywhere
        program unoptimised -O0 -fno-pie -- -no-pie
        runs ./unoptimised text
        program static -O2 -fno-pie -- -static -Wl,--eh-frame-hdr
        runs ./static text
        program static_pie -O1 -fPIE -- -static-pie -Wl,--no-export-dynamic # with -rdynamic no such program of clang 14 begins
        runs ./static_pie text
    }
    for cc in ${COMPILERS-gcc clang}; do
        ! have $cc || each
    done
}

# The kernel makes a copy of a page, wherever the file is.
test_text_of_a_file_system_that_is_read_only_is_changed() {
    toggle
    unshare -rm true 2>/dev/null || skip "no namespaces here"
    plugin work -O2
    program self -O2 -fPIE
    mkdir place
    # shellcheck disable=SC2016
    runs unshare -rm sh -ec 'mount -t tmpfs none place; cp "$@" place; mount -o remount,bind,ro place; touch place/new 2>/dev/null && exit 1
        ./place/toggle text ./place/work.so && exec ./place/self everywhere' sh ../toggle self work.so
}

# Issue: a patching stress test (8 threads calling functions while they are patched in and out 100,000 times)
# Each of them changes all calls of a function twice. STRESS=… for as many.
test_threads_call_functions_meanwhile() {
    toggle
    plugin work -O2
    run_limit=300 runs ../toggle stress "${STRESS:-100000}" ./work.so
}

# A forked child has its parent's text and goes its own way.
test_a_forked_child_has_the_text_as_it_was() {
    toggle
    plugin work -O2
    runs ../toggle fork ./work.so
}

# An object that is loaded to the place of one whose calls were out is another one, be it the same file.
test_objects_come_and_go() {
    toggle
    plugin one -O2
    plugin other -O0
    runs ../toggle unload ./one.so ./other.so
}

# Issue: under valgrind, sanitizers and gdb it steps aside; then it says so once
says_why() { # WORDS COMMAND…
    local words=$1 code=0
    shift
    "$@" >out 2>err || code=$?
    [ $code = 3 ] || { cat out err && fail "$*: exit code $code"; }
    [ "$(grep -c '^vftrace: warning: hook calls stay in the running program.*'"$words" err)" = 1 ] || { cat err && fail "no reason, or several"; }
}
test_it_steps_aside_under_a_tracer() {
    toggle
    $cc -O1 -x c - -o trace <<'END' || fail "cannot compile"
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **arguments)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0))
            _exit(77);
        execv(arguments[1], arguments + 1);
        _exit(2);
    }
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
        ptrace(PTRACE_CONT, pid, 0, WSTOPSIG(status) == 5 ? 0 : WSTOPSIG(status));
    return WIFEXITED(status) && count > 1 ? WEXITSTATUS(status) : 1;
}
END
    ./trace /bin/true || skip "no ptrace here"
    says_why debugger ./trace ../toggle possible
}
test_it_steps_aside_under_gdb() {
    toggle
    have gdb || skip "no gdb"
    gdb -q -nx -batch -ex run -ex 'print $_exitcode' --args ../toggle possible >out 2>err </dev/null
    grep -q 'debugger' out err || { cat out err && fail "it does not say so"; }
    grep -q '^\$1 = 3$' out || fail "it is possible under a debugger"
}
test_it_steps_aside_under_valgrind() {
    toggle
    have valgrind || skip "no valgrind"
    strip -g ../toggle -o no_debug # which this valgrind does not understand of clang
    says_why Valgrind valgrind -q ./no_debug possible
}
test_it_steps_aside_under_sanitizers() {
    toggle
    $cxx -pthread -fsanitize=address -rdynamic ../toggle.o "${core_libraries[@]}" -ldl -o asan 2>build.err || skip "no AddressSanitizer"
    says_why sanitizer ./asan possible
}

# Issue: never on pages that can't be made writable and back; never when SELinux forbids it
test_it_steps_aside_where_the_system_forbids_changed_text() {
    toggle
    $cc -O1 -x c - -o forbid <<'END' || fail "cannot compile"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
/* As a policy of the system would: memory that was written to is not executed. */
int main(int count, char **arguments)
{
    (void)count;
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog all = {sizeof program / sizeof *program, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all))
        return 77;
    execv(arguments[1], arguments + 1);
    return 2;
}
END
    ./forbid /bin/true || skip "no seccomp filters here"
    says_why forbids ./forbid ../toggle possible
}

run_tests
