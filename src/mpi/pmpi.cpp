// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/pmpi.hpp"

#include "base/message.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string_view>
#include <unistd.h>

// A static program has neither a dynamic linker nor a second definition to find.
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlclose

namespace vftr::mpi {
namespace {

struct Search {
    const char* symbol;
    void* address;
};

// Looks into one loaded object, also if it was loaded with RTLD_LOCAL and is in nobody else's view.
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

// Linkers leave a library out that a program does not need (--as-needed), and one that takes
// MPI_Init from us and uses nothing else of MPI seems not to need it. Not for Fortran: MPI_IN_PLACE
// and its like are addresses that program and MPI library agree on when they are linked, and would
// be others now.
void* load_and_find(const char* symbol) {
    if (std::strncmp(symbol, "PMPI_", 5) != 0)
        return nullptr;
    void* address = nullptr;
    for (std::string_view names = MPI_SONAMES; !names.empty() && !address;) {
        const auto end = std::min(names.find(' '), names.size());
        char name[128];
        if (end > 0 && end < sizeof name) {
            name[names.copy(name, end)] = '\0';
            if (dlopen(name, RTLD_LAZY | RTLD_GLOBAL))
                address = dlsym(RTLD_DEFAULT, symbol);
        }
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return address;
}

} // namespace

void* find_or_null(const char* symbol) {
    if (!dlsym || !dlopen || !dlclose)
        return nullptr;
    const int saved = errno;
    Search search{symbol, dlsym(RTLD_DEFAULT, symbol)};
    if (!search.address)
        dl_iterate_phdr(search_object, &search);
    if (!search.address && (*symbol == 'P' || *symbol == 'p'))
        search.address = dlsym(RTLD_NEXT, symbol + 1);
    if (!search.address)
        search.address = load_and_find(symbol);
    errno = saved;
    return search.address;
}

void* find(const char* symbol) {
    void* address = find_or_null(symbol);
    if (!address) {
        base::warn("the program calls ", symbol + 1,
                   ", but its linker has left the MPI library out; -Wl,--no-as-needed keeps it");
        _exit(127); // as the dynamic linker does where a symbol is missing
    }
    return address;
}

} // namespace vftr::mpi
