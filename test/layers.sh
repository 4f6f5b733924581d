# SPDX-License-Identifier: BSD-3-Clause
# The rooms use each other in the order of src/layers.table only: by what their sources include, and by what their objects need.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/layers_edges.sh"

table=$srcdir/src/layers.table
compared() { awk -f "$srcdir/test/layers.awk" "$@" >differences; }
# edges_of_the_build: into `edges`. Objects for the link time optimiser alone have no symbols that nm shows.
edges_of_the_build() {
    included_units "$srcdir" >edges
    [ "$(wc -l <edges)" -gt 500 ] || fail "only $(wc -l <edges) includes found"
    linked_units "$builddir" "$srcdir" >symbols
    grep -q '^symbol session/.* record/' symbols || skip "the objects show no symbols"
    cat symbols >>edges
}
# differs_by EXPRESSION: and says so.
differs_by() {
    ! compared "$table" edges || fail "no difference found where there should be: $1"
    grep -q -- "$1" differences || fail "not $1, but: $(cat differences)"
}

# Issue: the order of folders was kept by nobody
test_rooms_use_what_is_below_them() {
    edges_of_the_build
    compared "$table" edges || fail "src/layers.table and the sources differ:
$(cat differences)"
}

test_an_include_of_what_is_above_is_found() {
    edges_of_the_build
    mkdir -p copy
    cp -R "$srcdir/src" "$srcdir/config_tools" copy
    chmod -R u+w copy
    printf '#include "session/session.hpp"\n' >>copy/src/base/clock.cpp
    { included_units copy && cat symbols; } >edges
    differs_by 'base/clock includes session/session: session is above base'
    differs_by '^[0-9]* rooms use each other in a circle'
}

test_a_symbol_of_what_is_above_is_found() {
    edges_of_the_build
    mkdir -p objects/src/base objects/src/session objects/config_tools
    echo 'int planted(void); int uses_it(void) { return planted(); }' | $cc -c -x c -o objects/src/base/libfoundation_a-clock.o - || fail "no object"
    echo 'int planted(void) { return 1; }' | $cc -c -x c -o objects/src/session/session.o - || fail "no object"
    linked_units objects >planted
    cat planted >>edges
    differs_by 'base/clock needs session/session (planted): session is above base'
    # What is public may be meant for the C library.
    echo planted >objects/public_symbols.list
    linked_units objects >planted
    [ ! -s planted ] || fail "a public symbol counts: $(cat planted)"
}

test_the_sources_of_a_room_go_into_its_library() {
    local room library
    while read -r room library; do
        [ "$library" != vftr ] || continue
        grep -q "^${library}_sources" "$srcdir/src/$room/room.am" || fail "$room adds no ${library}_sources"
        ! grep -E '^(foundation|recorder|analysis)_sources' "$srcdir/src/$room/room.am" | grep -v "^${library}_" ||
            fail "$room is of $library"
    done < <(awk '$1 == "layer" { library = $2 == "both" ? "foundation" : $2 } $1 == "room" { print $2, library }' "$table")
}

test_a_library_does_not_use_another() {
    edges_of_the_build
    echo 'include report/report record/recorder' >>edges
    differs_by 'report/report includes record/recorder: report is of library analysis, record of recorder'
}

# Issue: a thread that was cancelled within a hook ended the program (base/cancellation.hpp).
test_hooks_reach_no_cancellation_points() {
    local points='accept4?|close|connect|(posix_)?fallocate(64)?|fcntl(64)?|fdatasync|fsync|msync|(clock_)?nanosleep|open(at)?(64)?|p?poll|pread(64)?|pwrite(64)?|read|readv|recv|recvmsg|select|send|sendmsg|sigsuspend|sigtimedwait|sigwait|sleep|usleep|wait(id|pid)?|write|writev|fopen(64)?|fclose|fread|fwrite|fputs|fputc|fflush|f?printf|vfprintf|pthread_join|pthread_cond_(timed)?wait|sem_(timed)?wait'
    points_of() { "${NM:-nm}" -A -g -u "$@" 2>/dev/null | awk -v points="^($points)(@.*)?$" '$NF ~ points { print $1, $NF }'; }
    edges_of_the_build
    points_of "$builddir"/src/{base,embed,flow,openmp,patch,record,vfd}/*.o >found
    [ ! -s found ] || fail "cancellation points: $(cat found)"
    echo 'int usleep(unsigned); int write_at(void) { return usleep(1); }' | $cc -c -x c -o planted.o - || fail "no object"
    points_of planted.o >found
    grep -q 'planted.o: usleep' found || fail "a planted one is not found: $(cat found)"
}

test_a_larger_knot_is_found() {
    edges_of_the_build
    printf 'include base/%s\n' 'clock base/a' 'a base/b' 'b base/c' 'c base/clock' >>edges
    differs_by '^base: [0-9]* units include each other in a circle, where 3 may'
}

test_exceptions_are_needed_and_have_reasons() {
    edges_of_the_build
    { cat "$table" && printf '%s\n' 'use base session It was so once.' 'use base report' 'knot base 9 It was so once.' \
        'upward base/clock base/message It is easier.'; } >table
    table=table
    differs_by 'base session. is no longer needed'
    differs_by 'use base report. has no reason'
    differs_by 'knot base 9.: there are only'
    differs_by 'a second table of calls upward: base/clock'
}

test_a_new_room_has_a_place() {
    edges_of_the_build
    echo 'include novel/a base/clock' >>edges
    differs_by 'no room of layers.table: novel'
    rooms=$(cd "$srcdir" && for room in src/*/; do [ ! -e "$room/room.am" ] || basename "$room"; done)
    for room in $rooms; do grep -q "^room $room " "$table" || fail "src/layers.table has no room $room"; done
}

test_the_picture_is_what_the_table_gives() {
    awk -f "$srcdir/src/architecture.awk" "$table" | diff "$srcdir/src/architecture.svg" - >differences ||
        fail "src/architecture.svg is old: awk -f src/architecture.awk src/layers.table >src/architecture.svg"
}

test_the_overview_has_the_same_order() {
    sed -n 's/^| `\([a-z]*\)\/` .*/\1/p' "$srcdir/src/README.md" >told
    sed -n 's/^room \([a-z]*\) .*/\1/p' "$table" >rooms # config_tools stands beside src/
    diff told rooms >differences || fail "the rooms of src/README.md (<) and src/layers.table (>): $(cat differences)"
}

# Builds with ThreadSanitizer leave out the unit tests that begin no thread.
test_unit_tests_that_begin_threads_are_built_with_thread_sanitizer() {
    (cd "$srcdir" && awk '/^[a-z_]+ [+]?= / { on = $1 ~ /^(one_thread_)?unit_sources$/ } on && /test\/unit/ { for (i = 1; i <= NF; i++) if ($i ~ /^test\/unit/) print $i }' src/*/room.am config_tools/room.am) >sources
    expect_at_least "$(wc -l <sources)" 100 "unit tests without threads"
    ! (cd "$srcdir" && xargs grep -lE 'std::j?thread|std::async|pthread_create|thrd_create' <"$OLDPWD/sources") >threads ||
        fail "these begin threads, and belong into threads_unit_sources: $(cat threads)"
}

run_tests
