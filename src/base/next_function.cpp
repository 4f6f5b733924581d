// SPDX-License-Identifier: BSD-3-Clause
#include "base/next_function.hpp"

#include <dlfcn.h>

extern "C" {
// Weak references, which a static link need not resolve.
void* dlopen(const char* file, int mode) noexcept __attribute__((weak));
void* dlsym(void* handle, const char* name) noexcept __attribute__((weak));
int dladdr(const void* address, Dl_info* info) noexcept __attribute__((weak));
char* dlerror() noexcept __attribute__((weak));
}

namespace vftr::base {

namespace {

bool is_ours(const void* function) {
    Dl_info there, here;
    return dladdr(function, &there) == 0 || dladdr(reinterpret_cast<const void*>(&next_function), &here) == 0 ||
           there.dli_fbase == here.dli_fbase;
}

} // namespace

void* first_function(const char* name) noexcept {
    // dlopen(nullptr) does not count references, so there is nothing to close.
    void* program = dlsym && dlopen ? dlopen(nullptr, RTLD_LAZY) : nullptr;
    void* first = program ? dlsym(program, name) : nullptr;
    if (!first && dlerror)
        dlerror();
    return first;
}

void* next_function(const char* name) noexcept {
    if (!dlsym || !dladdr)
        return nullptr;
    if (void* next = dlsym(RTLD_NEXT, name))
        return next;
    void* first = first_function(name);
    return first && !is_ours(first) ? first : nullptr;
}

} // namespace vftr::base
