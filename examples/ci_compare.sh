#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# For a CI: did this commit make the program slower? Builds a base commit and HEAD with hooks, runs both in turn (vftr ab), and ends with
# status 1 where a function is slower. In the checkout of a git repository:
#
#     ci_compare.sh BASE BUILD RUN
#
# BASE is what to compare with, such as origin/main. BUILD and RUN are command lines for a shell in the top folder of the sources; BUILD takes
# vftr-cc, vftr-c++ or vftr-fc as compilers (or $(vftr flags gcc) as flags), RUN runs the program on an input that takes a second or so:
#
#     ci_compare.sh origin/main 'make CC=vftr-cc solver' './solver small.in'
#
# As steps of a job on GitHub, which needs the history (fetch-depth: 0) to have the base:
#
#     - uses: actions/checkout@v4
#       with: { fetch-depth: 0 }
#     - run: ci_compare.sh "origin/$GITHUB_BASE_REF" 'make CC=vftr-cc solver' './solver small.in'
#     - uses: actions/upload-artifact@v4
#       if: always()
#       with: { name: recordings, path: vftr_ab }
#
# Variables: FAIL_IF (default 'slower>5%': a condition of vftr diff, one a line; a function may stand before it, as in ^solve$:slower>2%),
# RUNS (default 10), OUTPUT (the folder of the recordings, default vftr_ab). The table is printed and, on GitHub, added to the summary of the job.
# What shared machines do to times makes changes of a few percent unknown there, which is no failure; more RUNS tell more.
set -eu

[ $# = 3 ] || { echo "usage: ci_compare.sh BASE BUILD RUN" >&2; exit 2; }
base=$1 build=$2 run=$3
output=${OUTPUT:-vftr_ab}
case $output in /*) ;; *) output=$PWD/$output ;; esac
commit_of() { git rev-parse --verify --quiet "$1^{commit}" || { echo "ci_compare.sh: there is no commit $1" >&2; return 1; }; }
base=$(commit_of "$base")
new=$(commit_of HEAD)

work=$(mktemp -d)
cleaned_up() {
    for side in base new; do
        git worktree remove --force "$work/$side" 2>/dev/null || :
    done
    rm -rf "$work"
}
trap cleaned_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# built SIDE COMMIT: the sources of a commit in a folder of their own, built there.
built() {
    git worktree add --quiet --detach "$work/$1" "$2"
    (cd "$work/$1" && sh -c "$build") >"$work/$1.log" 2>&1 || {
        echo "ci_compare.sh: $1 ($2) does not build:" >&2
        tail -n 20 "$work/$1.log" >&2
        return 1
    }
}
built base "$base"
built new "$new"

# An argument for each line of FAIL_IF.
conditions=${FAIL_IF:-slower>5%}
set --
while IFS= read -r condition; do
    [ -z "$condition" ] || set -- "$@" "--fail-if=$condition"
done <<END
$conditions
END
status=0
vftr ab -n "${RUNS:-10}" --warmup=1 --output="$output" --base-cd="$work/base" --new-cd="$work/new" "$@" \
    --base sh -c "$run" --new sh -c "$run" >"$work/table" 2>"$work/failed" || status=$?
cat "$work/table"
cat "$work/failed" >&2
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    printf '### %s compared with %s\n\n```\n%s\n%s\n```\n' "$new" "$base" "$(cat "$work/table")" "$(cat "$work/failed")" >>"$GITHUB_STEP_SUMMARY"
fi
exit $status
