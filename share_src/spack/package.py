# SPDX-License-Identifier: BSD-3-Clause
#
# The recipe of vftrace for Spack 0.23 or later. It has not been run by Spack: test/system/recipes.sh compares it with configure.
#
#   spack repo create /tmp/recipes && mkdir -p /tmp/recipes/packages/vftrace     (or the folder that the first command prints)
#   cp package.py /tmp/recipes/packages/vftrace && spack repo add /tmp/recipes
#   cd FOLDER_OF_THE_RELEASE_ARCHIVE && spack install --no-checksum vftrace +mpi ^openmpi
#
# Each MPI library has an installation of its own, as Spack has them by hash: handles of Open MPI and MPICH differ.
import os

from spack.package import *


class Vftrace(AutotoolsPackage):
    """Shows where a C, C++ or Fortran program spends its time: which functions, called by whom, how often, on which MPI rank."""

    # The archive that `make dist` makes; it has the page of vftr html in it, so that no esbuild is needed.
    manual_download = True

    license("BSD-3-Clause")

    version("2.1.0")

    variant("mpi", default=True, description="Record MPI calls, of the MPI library that it is built with")
    variant("fortran", default=True, description="The Fortran module, and MPI calls of Fortran")
    variant("html", default=True, description="The page of vftr html")
    variant("tui", default=True, description="The view in the terminal, vftr tui")
    variant("compare", default=True, description="vftr diff, vftr ab and vftr scaling")
    variant("otf2", default=False, description="Write timelines as OTF2")
    variant("python", default=False, description="The Python package vftrace: data frames")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cjson")
    depends_on("elfutils")  # libelf; libdw for lines of source
    depends_on("pcre2")
    depends_on("zstd@1.4:")
    depends_on("rapidjson", type="build")  # headers, as those of Boost.Math
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    depends_on("ncurses", when="+tui")
    depends_on("boost+math", type="build", when="+compare")
    depends_on("otf2@3:", when="+otf2")
    extends("python@3.9:", when="+python")
    depends_on("py-pandas@1.3:", type="run", when="+python")

    conflicts("%gcc@:10", msg="C++20 is needed")
    conflicts("%clang@:13", msg="C++20 is needed")

    def url_for_version(self, version):
        return f"file://{os.getcwd()}/vftrace-{version}.tar.xz"

    def configure_args(self):
        args = ["--with-libdw", "--with-zstd", "--enable-precompiled-headers"]
        args += self.with_or_without("html")
        args += self.with_or_without("tui")
        args.append(f"--with-mpi={self.spec['mpi'].mpicc}" if self.spec.satisfies("+mpi") else "--without-mpi")
        if self.spec.satisfies("~fortran"):
            args.append("--disable-fortran")
        if self.spec.satisfies("~python"):
            args.append("PYTHON=:")
        return args

    # Most of libvftrace is debug information otherwise.
    install_targets = ["install-strip"]
