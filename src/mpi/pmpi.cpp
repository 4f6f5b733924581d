// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/pmpi.hpp"

#include "base/message.hpp"

#include <cerrno>
#include <dlfcn.h>
#include <link.h>
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
    errno = saved;
    return search.address;
}

void* find(const char* symbol) {
    void* address = find_or_null(symbol);
    if (!address) {
        base::warn("the program calls ", symbol + 1, ", but no MPI library is linked or loaded");
        _exit(127); // as the dynamic linker does where a symbol is missing
    }
    return address;
}

} // namespace vftr::mpi
