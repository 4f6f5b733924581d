// SPDX-License-Identifier: BSD-3-Clause
#include "base/optional_library.hpp"

#include "base/own_descriptors.hpp"

#include <dlfcn.h>

namespace vftr::base {

OptionalLibrary::OptionalLibrary(const char* name, const char* needed) : handle_(nullptr) {
    if (::dlsym(RTLD_DEFAULT, needed))
        with_own_descriptors([&] { handle_ = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL); });
    complete_ = handle_ != nullptr;
}

bool OptionalLibrary::shares(const char* function) const {
    return handle_ != nullptr && ::dlsym(handle_, function) == ::dlsym(RTLD_DEFAULT, function);
}

void* OptionalLibrary::address_of(const char* name) {
    void* address = handle_ ? ::dlsym(handle_, name) : nullptr;
    complete_ = complete_ && address != nullptr;
    return address;
}

} // namespace vftr::base
