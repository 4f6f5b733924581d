// SPDX-License-Identifier: BSD-3-Clause
//
// MPI functions are recorded where the program's calls go to libvftrace first, and where it was built for the program's
// MPI library. The libraries' version numbers tell families apart: 12 is MPICH's binary interface (MPICH, Intel,
// MVAPICH, Cray), 40 Open MPI's.
#include "config_tools/doctor/loaded_files.hpp"
#include "config_tools/own_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace vftr::cli {
namespace {

constexpr const char* MpiBeginnings[] = {"MPI_Init",      "MPI_Init_thread",  "MPI_Session_init",    "mpi_init_",
                                         "mpi_init_f08_", "mpi_init_thread_", "mpi_init_thread_f08_"};

// The number behind ".so.", -1: none.
int version_number(std::string_view soname) {
    std::size_t mark = soname.find(".so.");
    if (mark == soname.npos || mark + 4 >= soname.size() || !std::isdigit(static_cast<unsigned char>(soname[mark + 4])))
        return -1;
    return std::atoi(std::string(soname.substr(mark + 4)).c_str());
}

// The last of the names that the library loads MPI by: "libmpi_mpifh.so.40 libmpi.so.40 ". Empty: built without MPI.
std::string mpi_built_for(const symbols::ElfFile& vftrace) {
    std::string last;
    symbols::for_each_string(vftrace, 8, [&](std::string_view text) {
        if (!text.starts_with("lib") || text.find("mpi") == text.npos || text.find(".so.") == text.npos)
            return false;
        text = text.substr(0, text.find_last_not_of(' ') + 1);
        last = text.substr(text.rfind(' ') + 1); // npos + 1 is 0
        return version_number(last) >= 0;
    });
    return last;
}

bool is_mpi_library(const LoadedFile& file) {
    return file.object && !file.vftrace && file.gives("PMPI_Init") && file.gives("MPI_Init");
}

// By what some object of the program begins with MPI; nullptr: none does.
const char* beginning(const LoadedFiles& files) {
    for (const char* name : MpiBeginnings)
        for (const LoadedFile& file : files.all())
            if (!file.vftrace && file.wants(name))
                return name;
    return nullptr;
}

void check_family(const LoadedFile& vftrace, const LoadedFile& library, const Program& program, Findings& findings) {
    std::string built_for = mpi_built_for(*vftrace.file);
    std::string used = symbols::linkage_of(*library.file).soname;
    if (built_for.empty())
        findings.problem("this libvftrace was built without MPI: the ranks are recorded as programs of their own",
                         "build it with configure --with-mpi");
    else if (version_number(built_for) != version_number(used))
        findings.problem(program.path + " uses " + used + ", libvftrace was built for " + built_for,
                         "each MPI needs a build of its own (configure --with-mpi)");
    else
        findings.ok("the MPI library, " + used + ", is of the kind that libvftrace was built for");
}

// The family of the mpirun that has started this process, by what it puts into the environment; nullptr: none, or not
// known.
struct Launcher {
    const char* name;
    int version;
};
const Launcher* launcher() {
    static constexpr Launcher OpenMpi{"Open MPI", 40}, Mpich{"MPICH", 12};
    if (std::getenv("OMPI_COMM_WORLD_RANK"))
        return &OpenMpi;
    return std::getenv("PMI_RANK") && !std::getenv("SLURM_JOB_ID") ? &Mpich : nullptr;
}

// Nothing in the program shows which MPI library it is to have, but what has started it may.
void check_left_out(const LoadedFile& vftrace, const Program& program, Findings& findings) {
    std::string built_for = mpi_built_for(*vftrace.file);
    const Launcher* started_by = launcher();
    if (started_by && !built_for.empty() && started_by->version != version_number(built_for))
        findings.problem(std::string("it is started by the mpirun of ") + started_by->name +
                             ", libvftrace was built for " + built_for,
                         "each MPI needs a build of its own (configure --with-mpi)");
    else
        findings.ok("the linker has left the MPI library out of " + program.path + "; libvftrace loads " + built_for);
}

} // namespace

void check_mpi(const Program& program, const std::vector<LoadedObject>& objects, Findings& findings) {
    LoadedFiles files(program, objects);
    const auto& all = files.all();
    auto library = std::find_if(all.begin(), all.end(), is_mpi_library);
    const LoadedFile* vftrace = has_vftrace_inside(program) ? &all.front() : files.vftrace();
    const char* begins = beginning(files);
    if (!vftrace || (library == all.end() && !begins))
        return;
    if (library == all.end()) {
        check_left_out(*vftrace, program, findings);
        return;
    }
    check_family(*vftrace, *library, program, findings);
    const LoadedFile* taker = begins ? files.giver(begins) : vftrace;
    if (taker && taker != vftrace && vftrace->gives(begins))
        findings.problem(taker->text(program) +
                             " stands before libvftrace in the search order, so no call of MPI is seen",
                         "name -lvftrace before the MPI libraries on the linker's command line, or start with " +
                             own_command("run"));
}

} // namespace vftr::cli
