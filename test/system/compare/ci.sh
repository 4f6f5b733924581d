# SPDX-License-Identifier: BSD-3-Clause
# The recipe for a CI, examples/ci_compare.sh, in a repository of git as a job has it.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/compare/programs.sh"

# repository: in the folder checkout, a program whose second commit has a function that does ten times as much. The commands of an installation are in PATH.
repository() {
    needs BOOST_MATH
    have git || skip "no git"
    export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
    git config --global user.name nobody
    git config --global user.email nobody@example.org
    mkdir commands checkout
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$vftr" >commands/vftr
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec "%s" cc "$@"\n' "$vftr" >commands/vftr-cc
    chmod +x commands/*
    PATH=$PWD/commands:$PATH
    cd checkout || fail "no folder"
    git init -q
    cat >solver.c <<'END_OF_C'
#include <stdio.h>
static volatile double sum;
__attribute__((noinline)) void busy(long n) { while (n--) sum += 1; }
__attribute__((noinline)) void others(long n) { while (n--) sum += 1; }
int main(void) { FILE *input = fopen("small.in", "r"); long n = 0; if (!input || fscanf(input, "%ld", &n) != 1) return 1; busy(n); others(n); return 0; }
END_OF_C
    printf 'solver: solver.c\n\t$(CC) -O1 solver.c -o solver\n' >Makefile
    echo 1000000 >small.in
    git add .
    git commit -qm first
    git branch before
    sed -i 's/busy(n);/busy(10 * n);/' solver.c
    git commit -qam second
}
compared_in_ci() { run env RUNS=6 "$srcdir/examples/ci_compare.sh" "$@"; }
# What a job has beside the checkout stays as it was.
expect_nothing_left() {
    expect_same "$(git worktree list | wc -l)" 1 "working trees"
    expect_same "$(git status --short)" "${1:-}" "files"
}

test_a_commit_that_is_slower_fails_and_one_that_is_not_passes() {
    repository
    export GITHUB_STEP_SUMMARY=$PWD/../summary TMPDIR=$PWD/../temporary
    mkdir ../temporary
    FAIL_IF=$'^busy$:slower>100%\n^others$:slower>1000%' compared_in_ci before 'make CC=vftr-cc solver' ./solver
    expect_status 1
    grep -q '^vftr ab: ^busy$:slower>100%: busy (+' err || fail "it says: $(cat err)"
    ! grep -q others err || fail "the other function is blamed: $(cat err)"
    expect_same "$(cell busy 8)" slower "the verdict of busy"
    grep -q '| *slower | *busy |' ../summary && grep -q '^vftr ab: ^busy' ../summary || fail "the summary of the job is: $(cat ../summary)"
    expect_same "$(echo vftr_ab/*/*.vfd | wc -w)" 12 "recordings that are kept"
    rm -r vftr_ab out err
    expect_nothing_left
    expect_same "$(ls ../temporary)" "" "temporary files"
    FAIL_IF='slower>1000%' compared_in_ci HEAD 'make CC=vftr-cc solver' ./solver
    expect_status 0
}

test_what_does_not_build_or_is_not_there_fails_in_a_few_lines() {
    repository
    compared_in_ci nowhere 'make CC=vftr-cc solver' ./solver
    expect_status 1
    expect_same "$(cat err)" "ci_compare.sh: there is no commit nowhere" "what it says of a base that is not there"
    echo 'int main(void) { return missing; }' >solver.c
    git commit -qam broken
    compared_in_ci before 'make CC=vftr-cc solver' ./solver
    expect_status 1
    grep -q "^ci_compare.sh: new ($(git rev-parse HEAD)) does not build:" err && grep -q missing err || fail "it says: $(cat err)"
    compared_in_ci before
    expect_status 2
    rm out err
    expect_nothing_left
    expect_no_file vftr_ab
}

run_tests
