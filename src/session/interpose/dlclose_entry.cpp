// SPDX-License-Identifier: BSD-3-Clause
//
// The wrapper of dlclose, by which the recorder learns that objects may be gone (record/modules/unload.hpp). It returns
// what the C library's function returns.
#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "base/next_function.hpp"
#include "record/modules/unload.hpp"
#include "session/results/closed_names.hpp"
#include "session/session.hpp"

#include <atomic>
#include <link.h>

extern "C" {
// Weak references, which are resolved in a static link only.
int __libc_dlclose(void* handle) __attribute__((weak));
int __dlclose(void* handle) __attribute__((weak));

VFTR_INTERPOSED int dlclose(void* handle) noexcept;
}

namespace {

using Close = int(void*);

Close* real_dlclose() {
    static std::atomic<Close*> real{nullptr};
    Close* found = real.load(std::memory_order_relaxed);
    if (!found) {
        found = reinterpret_cast<Close*>(vftr::base::next_function("dlclose"));
        found = found ? found : __dlclose ? __dlclose : __libc_dlclose;
        real.store(found, std::memory_order_relaxed);
    }
    return found;
}

void before_close(void* handle) {
    if (!vftr::session::running())
        return;
    // The handle of the C library points to the dynamic linker's record of the object. It may be read here, since
    // dlclose reads it as well. The record of the program itself has an empty name; the program is never unloaded.
    if (const auto* object = static_cast<const link_map*>(handle);
        object && object->l_name && object->l_name[0] != '\0')
        vftr::session::name_closed(object->l_addr);
    vftr::record::modules_may_go();
}

void after_close() {
    if (vftr::session::running())
        vftr::record::modules_may_be_gone();
}

} // namespace

int dlclose(void* handle) noexcept {
    Close* real = real_dlclose();
    if (!real)
        return -1;
    vftr::base::preserving_errno([&] { before_close(handle); });
    const int result = real(handle);
    vftr::base::preserving_errno(after_close);
    return result;
}
