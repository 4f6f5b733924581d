// SPDX-License-Identifier: BSD-3-Clause
//
// OpenMP of GNU's compilers is seen where the program's calls of libgomp go to libvftrace first. A compiler names its
// runtime last, so that they do; who names it on the command line may have it before libvftrace. LLVM's runtime tells
// of itself, wherever it stands.
#include "config_tools/doctor/doctor.hpp"

#include "config_tools/doctor/loaded_files.hpp"
#include "config_tools/own_name.hpp"

namespace vftr::cli {
namespace {

constexpr const char* OpenmpBeginnings[] = {"GOMP_parallel",
                                            "GOMP_parallel_start",
                                            "GOMP_parallel_reductions",
                                            "GOMP_parallel_sections",
                                            "GOMP_parallel_loop_dynamic",
                                            "GOMP_parallel_loop_guided",
                                            "GOMP_parallel_loop_runtime",
                                            "GOMP_parallel_loop_nonmonotonic_dynamic",
                                            "GOMP_parallel_loop_nonmonotonic_guided",
                                            "GOMP_parallel_loop_nonmonotonic_runtime",
                                            "GOMP_parallel_loop_maybe_nonmonotonic_runtime"};

bool tells_of_itself(const LoadedFile& runtime) { return runtime.gives("__kmpc_fork_call"); }

// Who takes a call that begins a region, of whatever object, in place of libvftrace; nullptr: nobody.
const LoadedFile* taker_before(const LoadedFile& vftrace, const LoadedFiles& files) {
    for (const char* name : OpenmpBeginnings)
        for (const LoadedFile& file : files.all())
            if (!file.vftrace && file.wants(name) && vftrace.gives(name))
                if (const LoadedFile* taker = files.giver(name); taker && taker != &vftrace && !tells_of_itself(*taker))
                    return taker;
    return nullptr;
}

} // namespace

void check_openmp(const Program& program, const std::vector<LoadedObject>& objects, Findings& findings) {
    LoadedFiles files(program, objects);
    const LoadedFile* vftrace = files.vftrace();
    const LoadedFile* taker = vftrace ? taker_before(*vftrace, files) : nullptr;
    if (taker)
        findings.problem(taker->text(program) + " stands before libvftrace in the search order, so no OpenMP is seen",
                         "name -lvftrace before -lgomp on the linker's command line, or start with " +
                             own_command("run"));
}

} // namespace vftr::cli
