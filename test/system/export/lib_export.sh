# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests of vftr export have in common, on top of lib.sh and, where there is MPI, of lib_mpi.sh.
if [ -n "${MPICC:-}" ]; then
    . "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
else
    . "${srcdir:-.}/test/system/lib.sh"
fi
# Sets go to the command, which Debian has beside the path; empty: there is none.
find_go() {
    local candidate
    go=
    for candidate in "$(command -v go)" /usr/lib/go-*/bin/go; do
        [ ! -x "$candidate" ] || go=$candidate
    done
}
export PYTHONDONTWRITEBYTECODE=1 # nothing is written beside the scripts
needs_mpi() { [ -n "${MPICC:-}" ] || skip "no MPI"; }

# export_as FORMAT ARGUMENTS…: what it prints is in the file `exported`.
export_as() { "$vftr" export --format="$1" "${@:2}" >exported 2>export.err || fail "vftr export --format=$1 ${*:2}: $(cat export.err)"; }

# All formats of this build.
all_formats() { "$vftr" complete 1 export --format= | sed 's/^--format=//; s/\t.*//'; }
# Formats that export_functions.py reads and this build writes: those of profiles and those of timelines. For otf2 it needs the module of libotf2.
formats_among() {
    local format
    for format; do
        case $format in
        otf2) has OTF2 && [ -n "$python_of_otf2" ] || continue ;;
        perfetto) have protoc || continue ;;
        esac
        ! all_formats | grep -qx "$format" || echo "$format"
    done
}
# Sets python_of_otf2 to a Python that has the module; empty: there is none.
find_python_of_otf2() { python_of_otf2=$(python_with otf2 >/dev/null && echo "$python"); }
formats_of_profiles() { formats_among csv folded json callgrind; }
formats_of_timelines() { formats_among events chrome speedscope vfd3 otf2 perfetto; }

# read_functions FORMAT=FILE…: the file `read` with the lines of export_functions.py.
read_functions() {
    "${python_of_otf2:-python3}" "$srcdir/test/system/export/export_functions.py" "$@" >read 2>read.err || fail "$*: $(tail -3 read.err)"
}
# expect_same_times REFERENCE FORMAT: in `read`, each function has in one format the time that it has in the other, but where that is not known. With what
# separates callers, folded stacks have commas.
expect_same_times() {
    awk -F'\t' -v reference="$1" -v format="$2" '
        $1 == reference || $1 == format {
            name = $5
            if (format == "folded") gsub(/;/, ",", name)
            key = $2 FS name
            if ($4 == "-") unknown[key]
            if ($1 == reference) known[key] += $4; else found[key] += $4
        }
        END {
            for (key in known) if (!(key in unknown) && known[key] != found[key]) print key ": " known[key] " ns, not " found[key] + 0
            for (key in found) if (!(key in unknown) && !(key in known)) print key ": not there, " found[key] " ns"
        }' read >differences
    [ ! -s differences ] || fail "times in $1 and in $2: $(head -6 differences)"
}
# expect_calls_in FORMAT: in `read`, each function has the calls that are in the file `expected`, as grouped_counts prints them. Of constructs of OpenMP a
# timeline has what each thread does, and a log how often they were met.
expect_calls_in() {
    awk -F'\t' -v format="$1" '$1 == format && $5 !~ /^omp / { calls[$5] += $3 } END { for (f in calls) if (calls[f]) print calls[f] "\t" f }' read | LC_ALL=C sort -t$'\t' -k2 >seen
    if [[ $1 == folded* ]]; then sed 's/;/,/g' expected; else cat expected; fi | LC_ALL=C sort -t$'\t' -k2 | diff - seen >differences || fail "calls of the log (<) and in $1 (>): $(head -6 differences)"
}
# read_all_formats RECORDING…: `read` has what export_functions.py finds in each format of the recording, of.FORMAT.
read_all_formats() {
    local format exports=()
    for format in $(formats_of_profiles) $(formats_of_timelines); do
        rm -rf "of.$format"
        export_as "$format" -o "of.$format" "$@"
        exports+=("$format=of.$format")
    done
    export_as folded --weight=calls -o of.folded_calls "$@"
    exports+=(folded_calls=of.folded_calls)
    [ ! -e of.speedscope ] || exports+=(speedscope_profile=of.speedscope)
    read_functions "${exports[@]}"
}
# Times of profiles are those of csv, and times of timelines those of the table of events.
expect_times_in_all_formats() {
    local format
    for format in $(formats_of_profiles | grep -vx csv); do expect_same_times csv "$format"; done
    [ ! -e of.speedscope ] || expect_same_times csv speedscope_profile
    for format in $(formats_of_timelines | grep -vx events); do expect_same_times events "$format"; done
}
expect_calls_of_profiles() {
    local format
    for format in $(formats_of_profiles); do expect_calls_in "${format/#folded/folded_calls}"; done
}
expect_calls_of_timelines() {
    local format
    for format in $(formats_of_timelines); do expect_calls_in "$format"; done
}
# expected_of LOG: its functions and their calls, as the file `expected`.
expected_of() {
    grouped_counts "$1" | awk -F'\t' '$2 !~ /^init$|^omp / && $1 != 0' >expected
    expect_at_least "$(wc -l <expected)" 2 "functions of $1"
}
# expect_functions_in_all_formats LOG RECORDING…: each function has the calls of the log, and the same time in all of them.
expect_functions_in_all_formats() {
    expected_of "$1"
    read_all_formats "${@:2}"
    expect_calls_of_profiles
    expect_calls_of_timelines
    expect_times_in_all_formats
}
