#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# The unit tests, in two processes that have every other test each: alone, the slow tests of damaged files keep one core busy while nothing
# is left for the other. UNIT_RUNNER is what the program is run by, such as an emulator; UNIT_TESTS chooses among them, as Catch2 writes it;
# none is for builds without the program.
set -u -o pipefail
. "${srcdir:-.}/test/support/only_this_vftrace.sh"
[ "${UNIT_TESTS-}" != none ] || { echo "skip: UNIT_TESTS is none" && exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unit_tests() { ${UNIT_RUNNER-} ./unit_tests "$@"; }

chosen=(${UNIT_TESTS:+"$UNIT_TESTS"})
unit_tests "${chosen[@]}" --list-test-names-only >"$work/names"
[ -s "$work/names" ] || { echo "unit_tests has no tests"; exit 1; }
parts=(1 2)
for part in "${parts[@]}"; do
    awk -v part="$part" 'NR % 2 == part % 2' "$work/names" | sed 's/[],\\[]/\\&/g' >"$work/part.$part"
    # Where a Catch2 does not find all of them again by their names, there is one part.
    [ "$(unit_tests -f "$work/part.$part" --list-test-names-only | wc -l)" = "$(wc -l <"$work/part.$part")" ] || parts=(all)
done
processes=()
for part in "${parts[@]}"; do
    # Through a pipe: some tests set a limit to the size of files.
    if [ "$part" = all ]; then unit_tests "${chosen[@]}"; else unit_tests -f "$work/part.$part"; fi 2>&1 | cat >"$work/out.$part" &
    processes+=($!)
done
status=0
for process in "${processes[@]}"; do
    wait "$process" || status=1
done
grep -hv "^Filters: " "$work"/out.* # which would be all the names
exit $status
