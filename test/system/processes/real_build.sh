# SPDX-License-Identifier: BSD-3-Clause
# A real shell, dash from Debian's sources, instrumented, runs the jobs of a parallel make: hundreds of processes by fork, vfork and exec, most
# of which end by _exit. REAL_BUILD says that this is the build that is to show it; REAL_PROGRAMS is as in real_programs.sh.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/real_programs/programs.sh"

rules=100

# Each process of a recipe that has functions of ours to call writes its own pid: the shell, its subshells (by what /proc/self is to them), and
# the tool, be it the only command of a line (vfork), or the last one of a pipeline (fork).
makefile() {
    cat >job.mk <<'END'
all: $(names:%=made/%)
	@$(note); cat $^ >made/all
made/%:
	@$(note); ($(note); i=0; while [ $$i -lt $* ]; do echo "line $$i of $@"; i=$$((i+1)); done) >$@.1; \
	./tool <$@.1 >$@.2; { $(note); cat $@.1 $@.2; } | ./tool >$@
note = read pid rest </proc/self/stat; echo $$pid >>pids
END
}

tool() {
    build tool.c <<'END'
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static int upper(int c) { return toupper(c); }
static int note(void)
{
    char line[32];
    int n = snprintf(line, sizeof line, "%d\n", (int)getpid()), fd = open("pids", O_WRONLY | O_APPEND);
    return fd < 0 || write(fd, line, n) != n;
}
int main(void)
{
    int c, failed = note();
    while ((c = getchar()) != EOF)
        putchar(upper(c));
    return failed;
}
END
}

job() { # NAME SHELL: what the job makes, in the folder NAME
    mkdir "$1" "$1/made"
    cp tool job.mk "$1"
    : >"$1/pids"
    (
        cd "$1" && run make -s -j4 -f job.mk SHELL="$2" names="$(seq -s ' ' $rules)"
        expect_status 0
        expect_same "$(cat out err)" "" "output"
    ) || exit 1
}

test_a_real_build_job_is_the_same_and_every_process_of_it_is_in_the_tree() {
    for_the_real_build
    real_program_sources dash
    config '"processes": {"logs": "first"}'
    (cd dash && ./configure -q && make -s -j2 -C src CFLAGS="-g -O1 -w") >make.log 2>&1 || fail "cannot build dash: $(tail -5 make.log)"
    cp dash/src/dash plain
    (cd dash/src && rm -f ./*.o dash && make -s -j2 CFLAGS="-g -O1 -w -finstrument-functions" LIBS="$(link_flags)") >make.log 2>&1 ||
        fail "cannot build dash: $(tail -5 make.log)"
    cp dash/src/dash instrumented
    makefile
    instrument='' linkage=none tool
    job without "$PWD/plain"
    tool
    mkdir recordings
    export VFTR_OUTPUT_DIRECTORY=$PWD/recordings
    job with "$PWD/instrumented"
    diff -r without/made with/made || fail "the job made something else"

    expect_same "$(wc -l <with/pids)" "$((1 + 5 * rules))" "processes that wrote their pid"
    report --tree --all --wide recordings
    sort -u with/pids >counted
    awk 'NR > 1 && $1 ~ /^[0-9]+$/ { print $1 }' report | sort -u >shown
    diff counted shown || fail "the tree has other processes than there were"
    ! grep -qE ' (killed|runs|open) ' report || fail "not all have ended well: $(grep -E ' (killed|runs|open) ' report | head -5)"
    expect_same "$(awk '/ process(es)?$/ && /^[A-Z]/ { n += $(NF - 1) } END { print n }' report)" "$((1 + 5 * rules))" \
        "processes in the headings"

    report --program tool recordings
    expect_calls report main $((2 * rules))
    report --program instrumented recordings
    expect_calls report main $((1 + rules))
    # One copy of the symbols of each program that stayed to its end.
    expect_same "$(cd recordings/vftrace_symbols && ls | sed 's/^[0-9a-f]*-//' | sort)" "tool.sym" "symbols"
}

run_tests
