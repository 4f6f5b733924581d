// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/libdw.hpp"

#ifdef HAVE_LIBDW
#include <dlfcn.h>

namespace vftr::symbols {

namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

// The files are opened with our libelf and read with that one. A statically linked program has none to be found.
bool load_into(Libdw& libdw) {
    void* ours = ::dlsym(RTLD_DEFAULT, "elf_begin");
    void* library = ours ? ::dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL) : nullptr;
    if (library == nullptr || ::dlsym(library, "elf_begin") != ours)
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
