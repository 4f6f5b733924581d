// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/libdw.hpp"

#ifdef HAVE_LIBDW
#include <dlfcn.h>

// In a statically linked program they are not there: asked for weakly, they do not come in, nor does the linker warn of them.
#pragma weak dlopen
#pragma weak dlsym

namespace vftr::symbols {

namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

// The files are opened with our libelf and read with that one.
bool has_our_libelf(void* library) {
    void* ours = ::dlsym(RTLD_DEFAULT, "elf_begin");
    return ours != nullptr && ours == ::dlsym(library, "elf_begin");
}

bool load_into(Libdw& libdw) {
    if (&::dlopen == nullptr || &::dlsym == nullptr)
        return false;
    void* library = ::dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr || !has_our_libelf(library))
        return false;
    bool complete = true;
#define VFTR_LIBDW(function) complete = complete && find(library, #function, libdw.function);
#include "symbols/libdw.def"
#undef VFTR_LIBDW
    return complete;
}

struct Loaded {
    Libdw libdw{};
    bool complete = load_into(libdw);
};

} // namespace

const Libdw* Libdw::load() {
    static const Loaded loaded;
    return loaded.complete ? &loaded.libdw : nullptr;
}

} // namespace vftr::symbols
#endif
