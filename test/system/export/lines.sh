# SPDX-License-Identifier: BSD-3-Clause
# Source files and lines (--lines) are in every format that has a place for them, as its readers see them.
. "${srcdir:-.}/test/system/export/lib_export.sh"

needs LIBDW
have python3 || { echo "skip: no python3" && exit 77; }
find_go

recorded_program() {
    if [ ! -e "$shared/lines_0.vfd" ]; then
        build lines.c <<'END'
static int on_line_1(int n) { for (volatile int i = 0; i < 200000; i++); return n; }
int
on_line_3(int n) { return on_line_1(n) + on_line_1(n); }
int main(void) { return on_line_3(0); }
END
        config '"sampling": {"active": true, "sample_interval": 0}'
        run_well ./lines
        # The lines are asked for once, and are in the symbol store then.
        export_as csv --lines -o rows lines_0.vfd
        printf '%s\n' "main $PWD/lines.c 4" "on_line_1 $PWD/lines.c 1" "on_line_3 $PWD/lines.c 3" >places
        cp -r lines_0.vfd vftrace_symbols places "$shared/"
    fi
    cp -r "$shared"/* .
}
# expect_places WHAT: those in the file `seen`, lines of function, file and number.
expect_places() { LC_ALL=C sort -u seen | diff places - >differences || fail "of the program (<) and of $1 (>): $(head -6 differences)"; }
# Prints what an expression of Python gives for `d`, a file of JSON.
from_json() { python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
for place in eval(sys.argv[2]): print(*place)' "$@" >seen 2>err || fail "$1: $(tail -1 err)"; }

# Issue: Names in full, with module, source file and line (`--lines`, from debug information, as all viewers show them).
test_files_of_json_have_lines() {
    needs RAPIDJSON
    recorded_program
    export_as chrome --lines -o chrome lines_0.vfd
    from_json chrome '[(e["name"], e["args"]["file"], e["args"]["line"]) for e in d["traceEvents"] if e["ph"] == "X" and e["name"] != "init"]'
    expect_places chrome
    export_as speedscope --lines -o speedscope lines_0.vfd
    from_json speedscope '[(f["name"], f["file"], f["line"]) for f in d["shared"]["frames"] if f["name"] != "init"]'
    expect_places speedscope
    export_as json --lines -o json lines_0.vfd
    from_json json '[(f["function"], f["file"], f["line"]) for f in d["profiles"][0]["functions"] if f["function"] != "init"]'
    expect_places json
}

test_perfetto_has_lines_in_timelines_and_profiles() {
    local arguments
    have protoc || skip "no protoc"
    needs PROTOZERO
    recorded_program
    for arguments in --lines '--lines --no-timeline'; do
        # shellcheck disable=SC2086
        export_as perfetto $arguments -o trace lines_0.vfd
        protoc -I "$srcdir/test/support" --decode=Trace perfetto_trace.proto <trace 2>err | python3 "$srcdir/test/support/perfetto_check.py" >found 2>>err || fail "$(cat err)"
        sed -n 's/^source	//p' found | tr '\t' ' ' >seen
        expect_places "perfetto $arguments"
    done
}

test_otf2_has_lines() {
    needs OTF2
    python_with otf2
    recorded_program
    export_as otf2 --lines -o archive lines_0.vfd
    "$python" -c 'import otf2
with otf2.reader.open("archive/traces.otf2") as trace:
    for region in trace.definitions.regions:
        if region.name != "init":
            print(region.name, region.source_file, region.begin_line_number)' >seen 2>err || fail "$(tail -1 err)"
    expect_places otf2
}

test_pictures_and_pprof_have_lines() {
    recorded_program
    export_as flamegraph --lines -o svg lines_0.vfd
    # An empty main takes no time that could be drawn.
    grep -A2 '<title>' svg | tr '\n' ' ' | grep -oE '<title>[a-z_0-9]+ [^<]*calls [^<]*' | sed -nE 's,<title>([a-z_0-9]+) .*calls (/.*):([0-9]+)$,\1 \2 \3,p' >seen
    LC_ALL=C sort -u seen | comm -23 - places >differences
    [ -s seen ] && [ ! -s differences ] || fail "lines of the flame graph: $(cat seen)"
    [ -n "$go" ] || skip "no go"
    has PROTOZERO && has ZLIB || skip "built without protozero or zlib"
    export_as pprof --lines -o pb.gz lines_0.vfd
    HOME=$PWD GOFLAGS='' "$go" tool pprof -raw pb.gz 2>err | sed -nE 's,^ +[0-9]+: 0x0 M=[0-9]+ ([a-z_0-9]+) (/[^ ]*):([0-9]+)(:[0-9]+)? s=.*,\1 \2 \3,p' >seen
    expect_places pprof
}

run_tests
