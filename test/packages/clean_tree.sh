# SPDX-License-Identifier: BSD-3-Clause
#
# clean_tree.sh BUILD_FOLDER: the packages of Debian that `make deb` makes of a build, in a Debian 12 that has nothing else. lintian finds no errors in them, apt
# installs them with what they depend on, and programs are compiled and profiled there with what README says. It downloads a system of
# 300 MB, so it is no test of a build: ./check packages runs it. It needs lintian and mmdebstrap, and root or a system that lets users have namespaces of their own.
set -eu
. "${srcdir:-.}/.ci/common.sh"
srcdir=$(cd "${srcdir:-.}" && pwd)
cd "$1"

step "packages of $PWD"
quietly deb.log make deb || give_up "make deb fails"
step "lintian"
lintian --allow-root --fail-on error --profile debian deb/vftrace_*.changes || give_up "lintian finds errors"

# What is done in there; a failure of any command is one of the whole.
cat >deb/try.sh <<'END'
set -eux
export DEBIAN_FRONTEND=noninteractive LC_ALL=C HOME=/root
cd /try
apt-get -qq update
apt-get -qq install -y ./libvftrace2_*.deb ./libvftrace-dev_*.deb ./vftr_*.deb ./python3-vftrace_*.deb
: "a program in C, as README has it, with the plugin of gcc"
vftr flags gcc | grep -e -fplugin=/usr/lib/
vftr cc -O2 heat.c -lm -o heat
./heat
grep -q '1192000 .*relax_row' heat_all.log
vftr report heat_all.vfd | grep -q relax_row
vftr html heat_all.vfd
test -s heat_all.html
vftr doctor ./heat
vftr run -q -o results -- ./heat 2
vftr report results | grep -q relax_row
gcc -O2 $(vftr flags gcc) heat.c $(pkg-config --cflags --libs vftrace) -lm -o by_hand
VFTR_OFF=1 ./by_hand 2
gcc -static -finstrument-functions heat.c $(pkg-config --cflags --libs --static vftrace) -lm -o fixed
./fixed 2
: "Fortran, by the module in Debian's folder for them"
vftr fc $(pkg-config --cflags vftrace) regions.f90 -o regions
./regions
grep -q 'next prime' regions_all.log
: "two ranks of Open MPI"
vftr cc --mpi -O2 ring_mpi.c -o ring_mpi
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 ./ring_mpi
grep -q 'Nr. of MPI ranks: *2' ring_mpi_all.log
: "data frames"
python3 -c 'import vftrace; print(vftrace.read("heat_all.vfd").functions.calls["relax_row"])' | grep -x 1192000
: "manual pages and completion"
man vftr | grep -q VERB
man vftrace_check_config >/dev/null
bash -c '. /usr/share/bash-completion/completions/vftr; complete -p vftr'
: "nothing is left of them"
apt-get -qq purge -y libvftrace2 libvftrace-dev vftr python3-vftrace
! find /usr /etc /var/lib/dpkg/info -name '*vftr*' | grep .
END
# What README's programs need beside gcc, which is recommended by the package.
others=libc6-dev,pkg-config,gfortran,libelf-dev,libpcre2-dev,zlib1g-dev,libopenmpi-dev,openmpi-bin,openssh-client,man-db,bash-completion,python3-pandas
step "a Debian 12 with them; deb/clean_tree.log shows what is done there"
quietly deb/clean_tree.log mmdebstrap --variant=apt --include="$others" --customize-hook='mkdir "$1/try"' \
    --customize-hook="cp deb/*.deb deb/try.sh '$srcdir'/examples/heat.c '$srcdir'/examples/ring_mpi.c '$srcdir'/examples/regions.f90 \"\$1/try\"" \
    --customize-hook='chroot "$1" sh /try/try.sh' --format=null bookworm - || give_up "the packages do not work in a clean Debian 12 ($PWD/deb/clean_tree.log)"
step "the packages work in a clean Debian 12"
