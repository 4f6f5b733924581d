// SPDX-License-Identifier: BSD-3-Clause
//
// Interposes _Unwind_SetIP, which is called when an exception arrives at a function that catches it or has something to
// clean up. With it, the run-time library of each language passes the address of the landing pad to the unwinder,
// before any code of that function runs. All functions that were called deeper are gone then; gcc has called a leave
// hook for each function that was left, clang for none. Only in the shared library, whose own exceptions use a private
// unwinder (src/library.am). Programs with their own unwinder (-static-libgcc) do not call this; a hook then notices
// from its stack pointer which functions are gone, unless it is deeper on the stack than one of them.
#include "base/compiler.hpp"
#include "record/stacks/stacks.hpp"

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

// The unwinder may have been loaded for a plugin only. Then it is not found in the global search order, but among the
// dependencies of the caller, which is the plugin's run-time library.
void find_for(void* caller) {
    Dl_info info;
    if (find_in(RTLD_NEXT))
        return;
    if (dladdr(caller, &info) != 0)
        if (void* object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
            find_in(object);
            dlclose(object);
        }
    dlerror(); // the program must not see the error message of the first attempt
}

} // namespace

extern "C" VFTR_INTERPOSED void _Unwind_SetIP(_Unwind_Context* context, _Unwind_Ptr address) {
    SetIp* set_ip = real_set_ip.load(std::memory_order_acquire);
    if (!set_ip) {
        find_for(__builtin_return_address(0));
        if (!(set_ip = real_set_ip.load(std::memory_order_acquire)))
            std::abort(); // without this wrapper the call would have failed, too
    }
    // At this moment, this is the stack pointer of the function at the call that is left.
    if (GetCfa* get_cfa = real_get_cfa.load(std::memory_order_relaxed))
        vftr::record::arrive_at(get_cfa(context));
    set_ip(context, address);
}
