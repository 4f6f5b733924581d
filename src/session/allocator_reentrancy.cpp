// SPDX-License-Identifier: BSD-3-Clause
//
// Some programs call exit in signal handlers. That is not allowed, but it usually works, as code that runs at exit
// hardly ever allocates. The library does allocate there, so it searches the stack for a function of the allocator that
// the signal has interrupted. The search takes microseconds; it is left out if no signal is blocked, since a handler
// normally has its own signal blocked. An instrumented allocator of the program calls hooks in the same state without
// any signal.
#include "session/allocator_reentrancy.hpp"

#include "base/signal_mask.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <malloc.h>
#include <unwind.h>

extern "C" const void* _Unwind_Find_FDE(void* address, void* bases); // libgcc's

namespace vftr::session {

namespace {

constexpr int MostFrames = 256; // this many in the handler and its callees, and as many among those it interrupted

std::array<std::atomic<std::uintptr_t>, 8> allocator{}; // addresses of the allocator's functions

struct Search {
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
    const std::uintptr_t function = _Unwind_GetRegionStart(context);
    search.found =
        search.signal && std::ranges::any_of(allocator, [function](const auto& entry) { return entry == function; });
    return search.found || ++search.frames == MostFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// The unwinder ends the program if it does not find the unwind tables of the function that calls it.
bool tables_are_there() {
    void* bases[3];
    return _Unwind_Find_FDE(reinterpret_cast<void*>(&look_at), bases) != nullptr;
}

} // namespace

void find_allocator() {
    if (allocator[0].load(std::memory_order_relaxed) != 0)
        return;
    const std::uintptr_t found[] = {address_of("free", std::free),
                                    address_of("calloc", std::calloc),
                                    address_of("realloc", std::realloc),
                                    address_of("memalign", memalign),
                                    address_of("aligned_alloc", std::aligned_alloc),
                                    address_of("posix_memalign", posix_memalign),
                                    address_of("malloc_trim", malloc_trim)};
    std::ranges::copy(found, allocator.begin() + 1);
    allocator[0] = address_of("malloc", std::malloc);
}

bool allocator_is_interrupted() {
    if (!base::a_signal_is_blocked() || !tables_are_there())
        return false;
    find_allocator();
    Search search;
    _Unwind_Backtrace(look_at, &search);
    return search.found;
}

bool allocator_is_on_the_stack() {
    if (!tables_are_there())
        return false;
    Search search;
    search.signal = true; // all frames count, as if the signal's frame had been passed
    _Unwind_Backtrace(look_at, &search);
    return search.found;
}

} // namespace vftr::session
