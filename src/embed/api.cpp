// SPDX-License-Identifier: BSD-3-Clause
//
// The public C API for callbacks (include/vftrace_callbacks.h).
#include "vftrace_callbacks.h"

#include "base/cancellation.hpp"
#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "embed/callback_names.hpp"
#include "embed/registration.hpp"
#include "embed/shutdown.hpp"
#include "embed/sink.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/recorder.hpp"
#include "session/session.hpp"

#include <algorithm>

namespace vftr::embed {

namespace {

constexpr std::size_t SmallestStruct = offsetof(vftrace_callbacks, function_enter);

bool any_set(const unsigned char* bytes, std::size_t size) {
    return std::any_of(bytes, bytes + size, [](unsigned char byte) { return byte != 0; });
}

// For a program that was compiled with a newer header: it must not ask for anything that this library does not know.
bool is_understood(const vftrace_callbacks& callbacks) {
    constexpr std::size_t known = sizeof callbacks;
    return callbacks.size >= SmallestStruct && callbacks.size <= 65536 &&
           callbacks.size % alignof(vftrace_callbacks) == 0 && callbacks.version == VFTRACE_CALLBACKS_VERSION &&
           !(callbacks.flags & ~unsigned{VFTRACE_WITH_FILES}) &&
           (callbacks.size <= known ||
            !any_set(reinterpret_cast<const unsigned char*>(&callbacks) + known, callbacks.size - known));
}

int set(const vftrace_callbacks* callbacks) {
    if (callbacks && !is_understood(*callbacks))
        return VFTRACE_INVALID;
    const record::Phase phase = record::recorder.phase.load(std::memory_order_acquire);
    if (closing.load() || phase == record::Phase::Ended)
        return VFTRACE_ENDED;
    if (callbacks && (phase == record::Phase::Off || config::off_by_environment()))
        return VFTRACE_OFF;
    record::HeldGuard guard;
    prepare_names();
    if (!replace(callbacks))
        return VFTRACE_NO_MEMORY;
    if (session::running())
        reconsider_sink();
    if (in_callback())
        return VFTRACE_PENDING;
    return session::running() && !record::embedded() ? VFTRACE_FILES_TOO : VFTRACE_OK;
}

} // namespace

} // namespace vftr::embed

extern "C" {

VFTR_PUBLIC int vftrace_set_callbacks(const struct vftrace_callbacks* callbacks) {
    vftr::base::CancellationDeferred deferred;
    const vftr::base::ErrnoPreserved preserved;
    return vftr::embed::set(callbacks);
}

VFTR_PUBLIC int vftrace_flush(void) {
    if (vftr::embed::in_callback())
        return VFTRACE_PENDING;
    vftr::base::CancellationDeferred deferred;
    const vftr::base::ErrnoPreserved preserved;
    vftr::embed::drain();
    vftr::session::flush();
    return VFTRACE_OK;
}

VFTR_PUBLIC int vftrace_shutdown(void) {
    vftr::base::CancellationDeferred deferred;
    const vftr::base::ErrnoPreserved preserved;
    return vftr::embed::shut_down();
}

VFTR_PUBLIC size_t vftrace_path_text(uint64_t path, char* buffer, size_t size) {
    const vftr::base::ErrnoPreserved preserved;
    vftr::record::HeldGuard guard;
    std::size_t length = vftr::session::running() ? vftr::embed::path_text(path, buffer, size) : 0;
    if (length == 0 && size != 0)
        buffer[0] = '\0';
    return length;
}

} // extern "C"
