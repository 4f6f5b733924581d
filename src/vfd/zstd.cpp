// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/zstd.hpp"

#ifdef HAVE_ZSTD
#include <dlfcn.h>

namespace vftr::vfd {

namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

// A statically linked program, in which dlsym finds nothing, would load a C library beside its own.
bool load_into(Zstd& zstd) {
    void* library = ::dlsym(RTLD_DEFAULT, "dlsym") ? ::dlopen("libzstd.so.1", RTLD_LAZY | RTLD_LOCAL) : nullptr;
    bool complete = library != nullptr;
#define VFTR_ZSTD(function) complete = complete && find(library, #function, zstd.function);
#include "vfd/zstd.def"
#undef VFTR_ZSTD
    return complete;
}

struct Loaded {
    Zstd zstd{};
    bool complete = load_into(zstd);
};

} // namespace

const Zstd* Zstd::load() {
    static const Loaded loaded;
    return loaded.complete ? &loaded.zstd : nullptr;
}

} // namespace vftr::vfd
#endif
