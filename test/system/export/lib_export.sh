# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests of vftr export have in common, on top of lib.sh and, where there is MPI, of lib_mpi.sh.
if [ -n "${MPICC:-}" ]; then
    . "${srcdir:-.}/test/system/mpi/lib_mpi.sh"
else
    . "${srcdir:-.}/test/system/lib.sh"
fi
needs_mpi() { [ -n "${MPICC:-}" ] || skip "no MPI"; }

# export_as FORMAT ARGUMENTS…: what it prints is in the file `exported`.
export_as() { "$vftr" export --format="$1" "${@:2}" >exported 2>export.err || fail "vftr export --format=$1 ${*:2}: $(cat export.err)"; }
