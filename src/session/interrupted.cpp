// SPDX-License-Identifier: BSD-3-Clause
//
// Programs call exit in signal handlers. That is not allowed, but it goes well, as what runs at exit hardly ever
// allocates; we do. So the stack is searched for a function of the allocator beyond the signal's frame. The search costs
// microseconds, and nothing where no signal is blocked, as it is in a handler.
#include "session/interrupted.hpp"

#include "base/signal_mask.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <malloc.h>
#include <unwind.h>

extern "C" const void* _Unwind_Find_FDE(void* address, void* bases); // libgcc's

namespace vftr::session {

namespace {

constexpr int MostFrames = 256; // in the handler and its callees, and as many that it interrupted

struct Search {
    std::uintptr_t allocator[8]; // where its functions begin
    int frames = 0;
    bool signal = false, found = false;
};

template <class F>
std::uintptr_t address_of(const char* name, F* linked) {
    void* place = dlsym(RTLD_DEFAULT, name); // the program's own, where it has one
    return place ? reinterpret_cast<std::uintptr_t>(place) : reinterpret_cast<std::uintptr_t>(linked);
}

_Unwind_Reason_Code look_at(_Unwind_Context* context, void* data) {
    auto& search = *static_cast<Search*>(data);
    int interrupted = 0;
    _Unwind_GetIPInfo(context, &interrupted);
    if (interrupted && !search.signal) {
        search.signal = true;
        search.frames = 0;
    }
    search.found = search.signal && std::ranges::count(search.allocator, _Unwind_GetRegionStart(context)) != 0;
    return search.found || ++search.frames == MostFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// An unwinder that does not find its own function ends the program.
bool tables_are_there() {
    void* bases[3];
    return _Unwind_Find_FDE(reinterpret_cast<void*>(&look_at), bases) != nullptr;
}

} // namespace

bool allocator_is_interrupted() {
    if (!base::a_signal_is_blocked() || !tables_are_there())
        return false;
    Search search{{address_of("malloc", std::malloc), address_of("free", std::free), address_of("calloc", std::calloc),
                   address_of("realloc", std::realloc), address_of("memalign", memalign),
                   address_of("aligned_alloc", std::aligned_alloc), address_of("posix_memalign", posix_memalign),
                   address_of("malloc_trim", malloc_trim)}};
    _Unwind_Backtrace(look_at, &search);
    return search.found;
}

} // namespace vftr::session
