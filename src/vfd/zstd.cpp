// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/zstd.hpp"

#ifdef HAVE_ZSTD
#include "base/optional_library.hpp"

namespace vftr::vfd {

namespace {

struct Loaded {
    Zstd zstd{};
    bool complete;

    Loaded() {
        base::OptionalLibrary library("libzstd.so.1");
#define VFTR_ZSTD(function) library.find(#function, zstd.function);
#include "vfd/zstd.def"
#undef VFTR_ZSTD
        complete = library.complete();
    }
};

} // namespace

const Zstd* Zstd::load() {
    static const Loaded loaded;
    return loaded.complete ? &loaded.zstd : nullptr;
}

} // namespace vftr::vfd
#endif
