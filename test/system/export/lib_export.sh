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
needs_mpi() { [ -n "${MPICC:-}" ] || skip "no MPI"; }

# export_as FORMAT ARGUMENTS…: what it prints is in the file `exported`.
export_as() { "$vftr" export --format="$1" "${@:2}" >exported 2>export.err || fail "vftr export --format=$1 ${*:2}: $(cat export.err)"; }
