# SPDX-License-Identifier: BSD-3-Clause
#
# Real programs that none of us wrote, from Debian's source packages: fetched, and built with the flags of the caller.
# To be sourced (bash). The system's own package lists stay as they are: lists of our own live in the folder of the fetch.
#
#   fetch_source PACKAGE DIR     unpacks the upstream sources into DIR/PACKAGE; status 1 where there is no network
#   fetch_packages ARCH DIR PACKAGE…  unpacks binary packages of another architecture into DIR; status 1 as above
#   real_program_sources NAME    for tests (lib.sh): a copy of the sources as ./NAME, from the folder REAL_PROGRAMS, where they have been fetched, or
#                                are; without it the test is skipped
#   for_the_real_build           for tests: skips where REAL_BUILD does not say that this is the build that is to show them
#   make_it COMMAND…             for tests: a build; the test fails with its last lines
#   build_lua TREE CFLAGS LIBS   makes TREE/src/lua
#   build_minigzip TREE CFLAGS LIBS  makes TREE/minigzip: zlib, and a program that packs stdin
#   build_hpcc TREE CFLAGS LIBS [SIZE]  makes TREE/hpcc, and an input beside it: of a few seconds, or for matrices of SIZE rows

# apt_apart DIR ARCHITECTURE: makes package lists of our own in DIR/apt-ARCHITECTURE and leaves the options with which
# apt-get uses them in the array `apt`.
apt_apart() {
    local lists=$1/apt-$2 mirror from='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' 2>/dev/null |
        awk '$2 == "main" && $3 == "Debian" { print $1; exit }')
    [ -n "$mirror" ] || return 1
    mkdir -p "$lists/lists/partial" && : >"$lists/status" || return 1
    if [ "$2" = source ]; then
        echo "deb-src $from $mirror bookworm main" >"$lists/sources.list"
    else
        echo "deb $from $mirror bookworm main" >"$lists/sources.list"
    fi
    apt=(-qq -o Dir::Etc::sourcelist="$lists/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::State::lists="$lists/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=
        -o Acquire::Retries=2 -o Acquire::http::Timeout=20)
    [ "$2" = source ] || apt+=(-o APT::Architecture="$2" -o APT::Architectures="$2" -o Dir::State::status="$lists/status")
    timeout 180 apt-get "${apt[@]}" update >"$lists/log" 2>&1
}

fetch_source() {
    local package=$1 dir=$2 apt
    [ -e "$dir/$package/.complete" ] && return 0
    mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || return 1
    rm -rf "${dir:?}/$package" && mkdir -p "$dir/$package/download" && apt_apart "$dir" source || return 1
    (cd "$dir/$package/download" && timeout 180 apt-get "${apt[@]}" source --tar-only --download-only "$package" &&
        tar -xf "$package"_*.orig.tar.* -C .. --strip-components=1) >>"$dir/apt-source/log" 2>&1 || return 1
    touch "$dir/$package/.complete"
}

real_program_sources() {
    local lock
    [ -n "${REAL_PROGRAMS:-}" ] || skip "REAL_PROGRAMS is not set"
    mkdir -p "$REAL_PROGRAMS" || skip "cannot write to $REAL_PROGRAMS"
    exec {lock}>"$REAL_PROGRAMS/.lock"
    flock -w 400 "$lock"
    fetch_source "$1" "$REAL_PROGRAMS" || skip "no network: the sources of $1 cannot be fetched"
    exec {lock}>&-
    cp -a "$REAL_PROGRAMS/$1" "$1"
    rm -rf "$1/download"
}

for_the_real_build() { [ -n "${REAL_BUILD:-}" ] || skip "REAL_BUILD is not set"; }

make_it() { "$@" >make.log 2>&1 || fail "cannot build: $(tail -5 make.log)"; }

fetch_packages() {
    local architecture=$1 dir=$2 apt file
    shift 2
    [ -e "$dir/.complete" ] && return 0
    mkdir -p "$dir/download" && dir=$(cd "$dir" && pwd) && apt_apart "$dir" "$architecture" || return 1
    (cd "$dir/download" && timeout 300 apt-get "${apt[@]}" download "$@") >>"$dir/apt-$architecture/log" 2>&1 || return 1
    for file in "$dir"/download/*.deb; do dpkg -x "$file" "$dir" || return 1; done
    touch "$dir/.complete"
}

# Without the random seeds that Lua takes from addresses and the time: two runs make the same calls.
build_lua() {
    make -C "$1/src" -s clean &&
        make -C "$1/src" -s -j2 posix CC="${CC:-gcc}" MYLIBS="$3" \
            MYCFLAGS="$2 '-Dluai_makeseed(L)=42u' '-Dl_randomizePivot()=42u'"
}

# Without zlib's configure and Makefile, which build its libraries, too.
build_minigzip() {
    # shellcheck disable=SC2086
    (cd "$1" && ${CC:-gcc} -w $2 -DHAVE_UNISTD_H -I. {adler32,crc32,deflate,infback,inffast,inflate,inftrees,trees,zutil,compress,uncompr}.c \
        gz{close,lib,read,write}.c test/minigzip.c -o minigzip $3)
}

build_hpcc() {
    local tree
    tree=$(cd "$1" && pwd) || return 1
    find "$tree" \( -name '*.o' -o -name '*.a' -o -name hpcc \) -type f -delete
    cat >"$tree/hpl/Make.vftrace" <<END
SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -s
MKDIR = mkdir
RM = rm -f
TOUCH = touch
ARCH = vftrace
TOPdir = ../../..
INCdir = \$(TOPdir)/include
BINdir = \$(TOPdir)/bin/\$(ARCH)
LIBdir = \$(TOPdir)/lib/\$(ARCH)
HPLlib = \$(LIBdir)/libhpl.a
MPdir =
MPinc =
MPlib =
LAdir =
LAinc =
LAlib = -lblas
F2CDEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle
HPL_INCLUDES = -I\$(INCdir) -I\$(INCdir)/\$(ARCH)
HPL_LIBS = \$(HPLlib) \$(LAlib)
HPL_OPTS = -DHPL_CALL_CBLAS
HPL_DEFS = \$(F2CDEFS) \$(HPL_OPTS) \$(HPL_INCLUDES)
CC = mpicc
CCNOOPT = \$(HPL_DEFS) -w $2
CCFLAGS = \$(HPL_DEFS) -w $2
LINKER = mpicc
LINKFLAGS =
ARCHIVER = ar
ARFLAGS = cr
RANLIB = echo
END
    # HPCC's own Makefile hands LAlib to the linker last: our libraries follow there.
    sed -i "s|^LAlib = .*|LAlib = -lblas $3 -lm|" "$tree/hpl/Make.vftrace"
    # The names that MPI 3 removed.
    grep -rlE 'MPI_Type_struct|MPI_Address' "$tree/hpl/src" |
        xargs -r sed -i -e 's/\bMPI_Type_struct\b/MPI_Type_create_struct/' -e 's/\bMPI_Address\b/MPI_Get_address/'
    make -C "$tree" -s arch=vftrace &&
        sed -e "s/^1000  *Ns/${4:-600} Ns/" -e 's/^80  *NBs/40 NBs/' -e 's/^2  *Ps/1 Ps/' "$tree/_hpccinf.txt" >"$tree/hpccinf.txt"
}
