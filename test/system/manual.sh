# SPDX-License-Identifier: BSD-3-Clause
#
# The commands of the manual do what it says: those of a page that stand in blocks of the language sh are run in their order, in a folder with a copy of examples/. After each of
# them, a block of the language text shows what was printed in a real run: a table there has the titles that a table has here. Numbers are others on each machine, so what
# they are to show is said in the tests.
# With PICTURES=FOLDER in the environment the pictures of the tutorial are drawn there.
. "${srcdir:-.}/test/system/lib.sh"

grep -q '^#define GCC_PLUGIN_VERSION ".' "$builddir/config.h" || { echo "skip: built without the plugin of gcc" && exit 77; }
doc=$srcdir/share_src/doc

# commands PAGE: them as a script that tells before each block where it begins. Where MPI is missing a page ends at the first command that needs it.
commands() {
    awk -v page="${1##*/}" -v mpi="${MPICC:-}" '
        /^```sh$/ { on = 1; printf "set +x; echo \"@@ %s:%d\"; set -x\n", page, FNR; next }
        /^```/ { on = 0 }
        on && !mpi && /--mpi|mpirun/ { exit }
        on' "$doc/$1"
}

# titles_of FILE: the rows between two rulers, without blanks.
titles_of() { awk '/^\+-/ { if (row != "") print row; row = ""; ruled = 1; next } { row = ruled && /^\|/ ? $0 : ""; ruled = 0; gsub(/ /, "", row) }' "$1"; }

# page NAME.md: runs it, and looks at the titles of its tables; what its commands print is in the file `printed`.
page() {
    mkdir bin
    ln -s "$vftr" bin/vftr
    ln -s "$vftr" bin/vftr-cc
    [ -z "${MPICC:-}" ] || { ln -s "$MPICC" bin/mpicc && ln -s "${MPIRUN-${MPICC/mpicc/mpirun}}" bin/mpirun; }
    cp -r "$srcdir/examples" .
    mkdir -p vftrace/share/doc/vftrace && ln -s ../../../../examples vftrace/share/doc/vftrace # as installed
    chmod -R u+w examples # of an archive that may only be read
    cp examples/*.c* .
    commands "$1" >commands.sh
    grep -q '^@@' <(sed -n 's/.*echo "//p' commands.sh) || fail "no commands in $1"
    run env HOME="$PWD" PATH="$PWD/bin:$PATH" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        BASH_XTRACEFD=7 bash -eu commands.sh 7>trace
    cat out err >printed
    [ "$status" = 0 ] || fail "$1, exit code $status of: $(tail -1 trace); it printed: $(sed -n "/^$(grep '^@@' out | tail -1 | sed 's,[/.],\\&,g')/,\$p" out | tail -20; cat err)"
    # Of a page that was cut short those that were shown until then.
    awk -v last="$(grep -c '^@@' out)" '/^```sh$/ { n++ } n <= last' "$doc/$1" >shown.md
    titles_of printed >printed.titles
    sed -n '/^```text$/,/^```$/p' shown.md >shown.text
    titles_of shown.text >shown.titles
    while read -r title; do grep -qxF -- "$title" printed.titles || fail "$1 shows a table that is not printed: $title"; done <shown.titles
}

test_the_tutorial() {
    needs HTML
    needs BOOST_MATH
    page tutorial.md
    cd tutorial || fail "it has made no folder"
    expect_same "$(grouped_counts gas_all.log | head -1)" "80000	find_neighbours" "the first row"
    stacks_of gas_all.log | grep -qxF 'find_neighbours<energy_of<total_energy<main<init' || fail "energy_of does not call"
    expect_file gas_all.html
    grep -qE '^\| .*\| *80000 \| *42000 \| *[a-z ]* \| find_neighbours ' ../printed || fail "vftr ab says: $(tail -20 ../printed)"
    [ -z "${MPICC:-}" ] || expect_same "$(calls_of heat_hybrid_all.log MPI_Allreduce)" 200 "calls of MPI_Allreduce"
    [ -z "${MPICC:-}" ] || grep -q '^| .*| wait at collective | *MPI_Allreduce |' ../printed || fail "no waits: $(tail -20 ../printed)"
    [ -z "${PICTURES:-}" ] || pictures
}
# The flame graph, without what is empty below it.
pictures() {
    export PYTHONDONTWRITEBYTECODE=1
    python3 "$srcdir/test/system/export/pictures.py" page "file://$PWD/gas_all.html#view=flame" flame.png >shown 2>err || fail "$(tail -3 err)"
    convert flame.png -bordercolor white -border 1 -trim +repage "$PICTURES/gas_flame.png" || fail "no ImageMagick"
}

test_the_page_about_slow_mpi() {
    [ -n "${MPICC:-}" ] || skip "no MPI"
    needs HTML
    needs BOOST_MATH
    page slow-mpi.md
    expect_same "$(calls_of heat_hybrid_all.log MPI_Allreduce)" 200 "calls of MPI_Allreduce"
    expect_file heat_hybrid_all.html
    grep -q '^Strong scaling from 1 rank to 2 ranks: ' printed || fail "vftr scaling says: $(tail -20 printed)"
}

# With hooks before inlining there are calls of tiny functions, which a filter takes out.
test_the_page_about_cxx() {
    page cxx-templates.md
    expect_at_least "$(sed -n 's/^Functions by what their hooks cost (20 of \([0-9]*\))$/\1/p' printed)" 100 "functions with plain hooks"
    expect_at_most "$(grouped_counts cpp_containers_all.log | wc -l)" 30 "functions with hooks after inlining"
    expect_same "$(calls_of cpp_containers_all.log '(anonymous namespace)::make_words(unsigned int)')" 1 "calls of make_words"
    # What nobody reads is not printed.
    grep -q '^Section of the configuration: its expression has [0-9]* characters' suggested || fail "the expression is printed: $(grep -A3 '^Section' suggested)"
    expect_at_most "$(awk '{ if (length($0) > most) most = length($0) } END { print most }' suggested)" 1000 "characters of a line of vftr filter suggest"
    ! grep -q '| *std::string::_M_data() const ' with_all_all.log || fail "the filter has left std::string in"
    grep -q 'my.json: 0 errors, 0 warnings' printed || fail "the filter is not right: $(cat printed)"
}

test_the_page_about_many_processes() {
    needs HTML
    page many-processes.md
    expect_same "$(grep -c '  exit 0  *gas [1-4]$' results/sh_run.log)" 4 "processes of gas in the tree"
    expect_same "$(calls_of gas.log find_neighbours)" 8000 "calls in all processes"
    expect_file results.html
}

test_the_page_about_ci() {
    needs BOOST_MATH
    page in-ci.md
    grep -q '^vftr ab: calls_change<-50%: .*energy_of ' printed || fail "it has printed: $(cat printed)"
    grep -qx 'exit code 1' printed || fail "the condition does not end it: $(cat printed)"
}

run_tests
