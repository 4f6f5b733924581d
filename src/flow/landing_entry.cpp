// SPDX-License-Identifier: BSD-3-Clause
//
// _Unwind_SetIP: an exception arrives at a function that catches it, or has something to clean up. The run-time library
// of each language tells the unwinder so by this call, before anything of that function runs. What was called deeper is
// gone then; gcc has told our hooks of each function that was left, clang of none. Only in the shared library, whose
// own exceptions use an unwinder of its own (src/library.am). Programs with an unwinder of their own
// (-static-libgcc) do not come by here: then a hook notices from its stack pointer what is gone, if it does not stand
// deeper.
#include "base/compiler.hpp"
#include "record/stacks.hpp"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <unwind.h>

namespace {

using SetIp = void(_Unwind_Context*, _Unwind_Ptr);
using GetCfa = _Unwind_Word(_Unwind_Context*);

std::atomic<SetIp*> real_set_ip{nullptr};
std::atomic<GetCfa*> real_get_cfa{nullptr};

bool find_in(void* object) {
    auto* set_ip = reinterpret_cast<SetIp*>(dlsym(object, "_Unwind_SetIP"));
    if (!set_ip)
        return false;
    real_get_cfa.store(reinterpret_cast<GetCfa*>(dlsym(object, "_Unwind_GetCFA")), std::memory_order_relaxed);
    real_set_ip.store(set_ip, std::memory_order_release);
    return true;
}

// The unwinder may have been loaded for a plugin alone: then the plugin's run-time library, our caller, knows it.
void find_for(void* caller) {
    Dl_info info;
    if (find_in(RTLD_NEXT))
        return;
    if (dladdr(caller, &info) != 0)
        if (void* object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
            find_in(object);
            dlclose(object);
        }
    dlerror(); // the first try's message is not for the program
}

} // namespace

extern "C" VFTR_INTERPOSED void _Unwind_SetIP(_Unwind_Context* context, _Unwind_Ptr address) {
    SetIp* set_ip = real_set_ip.load(std::memory_order_acquire);
    if (!set_ip) {
        find_for(__builtin_return_address(0));
        if (!(set_ip = real_set_ip.load(std::memory_order_acquire)))
            std::abort(); // the call would not have got this far without us either
    }
    // At this moment, the stack pointer of the function at the call that is left.
    if (GetCfa* get_cfa = real_get_cfa.load(std::memory_order_relaxed))
        vftr::record::arrive_at(get_cfa(context));
    set_ip(context, address);
}
