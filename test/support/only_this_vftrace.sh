# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced before any test: what the caller has in his environment, and what of another vftrace is installed, makes no difference to it.
export LC_ALL=C
unset "${!VFTR_@}" NO_COLOR CLICOLOR CLICOLOR_FORCE

# Tests see only what the build has made. A folder in which another vftrace has one of FILE… is taken out of the search path VARIABLE; the others stay, as
# the machine may have its compilers and libraries there.
leave_out_other_vftrace() { # VARIABLE FILE…
    local variable=$1 folder file kept=() IFS=:
    [ -n "${!variable-}" ] || return 0
    shift
    set -f
    for folder in ${!variable}; do
        for file; do [ ! -e "$folder/$file" ] || continue 2; done
        kept+=("$folder")
    done
    set +f
    if [ ${#kept[@]} = 0 ]; then unset "$variable"; else export "$variable=${kept[*]}"; fi
}
for variable in LD_LIBRARY_PATH LIBRARY_PATH; do leave_out_other_vftrace $variable libvftrace.so libvftrace.so.2 libvftrace.a; done
for variable in CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH; do leave_out_other_vftrace $variable vftrace.h vftrace.hpp vftrace_macros.h; done
leave_out_other_vftrace PKG_CONFIG_PATH vftrace.pc
[[ ${LD_PRELOAD-} != *vftrace* ]] || unset LD_PRELOAD
# LD_PRELOAD, and the Makefiles of real programs, take a path with a space for two.
[[ ${TMPDIR-} != *[![:alnum:]._/+-]* ]] || unset TMPDIR
umask 022 # what is tested of permissions is so from there
