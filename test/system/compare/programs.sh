# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests of comparisons have in common: programs in two versions, and their recordings.

# two_versions: before and after. In after, solve is called solve_all, work has moved below a new layer, leaf is called twice
# as often, busy works a hundred times as long, fresh is new and stale is gone. Nobody who calls these does more himself.
two_versions() {
    cat >version.c <<'END_OF_C'
static volatile double sum;
void leaf(void) { sum += 1; }
void busy(void) { for (long n = FACTOR * 1000000L; n--;) sum += 1; }
void work(void) { for (int i = 0; i < 5 * CALLS; ++i) leaf(); }
#ifdef NEW
void solve_all(void) { work(); }
void fresh(void) { sum += 1; }
void layer(void) { solve_all(); }
#else
void solve(void) { work(); }
void stale(void) { sum += 1; }
#endif
int main(void) {
    busy();
#ifdef NEW
    fresh(); fresh();
    for (int i = 0; i < 3; ++i) layer();
#else
    stale(); stale(); stale();
    for (int i = 0; i < 3; ++i) solve();
#endif
    return 0;
}
END_OF_C
    build before.c -DFACTOR=1 -DCALLS=1 <version.c
    build after.c -DFACTOR=100 -DCALLS=2 -DNEW <version.c
}

# record PROGRAM FOLDER…: a run for each folder.
record() {
    local folder
    for folder in "${@:2}"; do
        mkdir -p "$folder"
        VFTR_OUTPUT_DIRECTORY=$folder run_well ./"$1"
    done
}

# diffed ARGUMENT…: what it prints is in `out`; it ends well.
diffed() {
    run "$vftr" diff "$@"
    [ "$status" = 0 ] || fail "exit code $status of vftr diff $*: $(cat err)"
}

# expect_comparisons FILE…: they fit the schema of comparisons, which tells when a member is missing, has another type, or is not documented.
expect_comparisons() {
    python_with jsonschema
    "$python" - "$srcdir/share_src/vftrace-diff.schema.json" "$@" >complaints 2>&1 <<'END_OF_PYTHON' || fail "$(head -5 complaints)"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
check = jsonschema.Draft202012Validator(schema)
check.check_schema(schema)
complaints = [f'{name}: {list(error.absolute_path)}: {error.message[:300]}' for name in sys.argv[2:]
              for error in check.iter_errors(json.load(open(name)))]
print('\n'.join(complaints))
sys.exit(bool(complaints))
END_OF_PYTHON
}

# row_of NAME: the cells of its row in `out` with one blank between them; "": there is none. Of a call path NAME is "f<main<init".
row_of() {
    awk -F'|' -v name="$1" '
        { cell = $10; gsub(/^ +| +$/, "", cell) }
        NF >= 11 && cell == name { gsub(/ *\| */, "|"); print substr($0, 2, length($0) - 2) }' out
}
# cell NAME COLUMN: 1 base, 2 new, 3 difference, 4 ratio, 5 interval, 6 and 7 calls, 8 verdict, 10 remark.
cell() { row_of "$1" | cut -d'|' -f"$2"; }
expect_row() { [ -n "$(row_of "$1")" ] || fail "no row of $1: $(cat out)"; }
expect_no_row() { [ -z "$(row_of "$1")" ] || fail "there is a row of $1: $(row_of "$1")"; }
