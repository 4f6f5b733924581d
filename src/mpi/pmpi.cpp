// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/pmpi.hpp"

#include "base/errno_preserved.hpp"
#include "base/message.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string_view>
#include <unistd.h>

// A static program has no dynamic linker, and no second definition that could be found.
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose

namespace vftr::mpi {
namespace {

struct Search {
    const char* symbol;
    void* address;
};

// Searches one loaded object, even if it was loaded with RTLD_LOCAL, so that other objects cannot see its symbols.
int search_object(dl_phdr_info* info, std::size_t, void* data) {
    auto& search = *static_cast<Search*>(data);
    if (!info->dlpi_name || !*info->dlpi_name)
        return 0;
    void* object = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!object)
        return 0;
    search.address = dlsym(object, search.symbol);
    dlclose(object);
    return search.address != nullptr;
}

// True for "PMPI_Send", false for "PMPI_SEND" and "pmpi_send_".
bool is_c(const char* symbol) {
    return std::strncmp(symbol, "PMPI_", 5) == 0 &&
           std::any_of(symbol + 5, symbol + std::strlen(symbol), [](char c) { return c >= 'a'; });
}

// If the linker has left the MPI library out, nothing in the program shows which MPI it wants; but the environment may
// show which mpirun has started it.
void warn_of_other_mpirun() {
#ifdef OPEN_MPI
    static std::atomic<bool> said{false};
    if (std::getenv("PMI_RANK") && !std::getenv("OMPI_COMM_WORLD_RANK") && !std::getenv("SLURM_JOB_ID") &&
        !said.exchange(true))
        base::warn("this libvftrace was built for Open MPI, the job was started by another one's mpirun");
#endif
}

// Linkers leave out a library that a program does not need (--as-needed). A program that takes every MPI function from
// vftrace seems not to need the MPI library. Each library is loaded by the name that programs refer to it by, the last
// on the linker's command line first: those before it (Fortran) need those after it (C).
void* load_and_find(const char* symbol) {
    warn_of_other_mpirun();
    void* address = nullptr;
    for (std::string_view names = MPI_SONAMES; !names.empty() && !address;) {
        const auto blank = names.rfind(' ');
        const std::string_view last = names.substr(blank + 1); // npos + 1 is 0
        char name[128];
        if (!last.empty() && last.size() < sizeof name) {
            name[last.copy(name, last.size())] = '\0';
            if (dlopen(name, RTLD_LAZY | RTLD_GLOBAL))
                address = dlsym(RTLD_DEFAULT, symbol);
        }
        names = names.substr(0, blank == names.npos ? 0 : blank);
    }
    const bool sound = is_c(symbol) || (fortran_sentinels_agree && fortran_sentinels_agree());
    return sound ? address : nullptr;
}

#ifdef OPEN_MPI
constexpr const char* OwnFamily = "Open MPI";
constexpr const char* OtherFamily = "MPICH";
constexpr const char* OthersMark = "MPIR_F08_MPI_IN_PLACE";
#else
constexpr const char* OwnFamily = "MPICH";
constexpr const char* OtherFamily = "Open MPI";
constexpr const char* OthersMark = "ompi_mpi_comm_world";
#endif

} // namespace

// Handles are addresses in one family and numbers in the other, so no argument could be passed on.
void refuse_other_mpi() {
    if (!find_loaded(OthersMark))
        return;
    base::warn("this libvftrace was built for ", OwnFamily, ", the program uses ", OtherFamily,
               " and is ended here; each MPI needs a build of its own (configure --with-mpi)");
    _exit(127); // the dynamic linker's status for a missing symbol
}

void* find_loaded(const char* symbol) {
    if (!dlsym || !dlopen || !dlclose)
        return nullptr;
    const base::ErrnoPreserved preserved;
    Search search{symbol, dlsym(RTLD_DEFAULT, symbol)};
    if (!search.address)
        dl_iterate_phdr(search_object, &search);
    return search.address;
}

void* find_or_null(const char* symbol) {
    void* address = find_loaded(symbol);
    if (address || !dlsym || !dlopen)
        return address;
    const base::ErrnoPreserved preserved;
    if (*symbol == 'P' || *symbol == 'p')
        address = dlsym(RTLD_NEXT, symbol + 1);
    if (!address)
        address = load_and_find(symbol);
    return address;
}

void* find(const char* symbol) {
    void* address = find_or_null(symbol);
    if (!address) {
        base::warn("the program calls ", symbol + 1,
                   ", but its linker has left the MPI library out; -Wl,--no-as-needed keeps it");
        _exit(127); // the dynamic linker's status for a missing symbol
    }
    return address;
}

} // namespace vftr::mpi
