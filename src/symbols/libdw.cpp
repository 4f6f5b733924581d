// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/libdw.hpp"

#ifdef HAVE_LIBDW
#include "base/optional_library.hpp"

namespace vftr::symbols {

namespace {

struct Loaded {
    Libdw libdw{};
    bool complete;

    // The files are opened with the libelf of vftrace and read with that of libdw, so both must be the same.
    Loaded() {
        base::OptionalLibrary library("libdw.so.1", "elf_begin");
#define VFTR_LIBDW(function) library.find(#function, libdw.function);
#include "symbols/libdw.def"
#undef VFTR_LIBDW
        complete = library.complete() && library.shares("elf_begin");
    }
};

} // namespace

const Libdw* Libdw::load() {
    static const Loaded loaded;
    return loaded.complete ? &loaded.libdw : nullptr;
}

} // namespace vftr::symbols
#endif
