// SPDX-License-Identifier: BSD-3-Clause
#include "openmp/gomp_entry.hpp"

#include "base/errno_preserved.hpp"
#include "base/message.hpp"
#include "record/timing/one_time_work_scope.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace vftr::openmp {

namespace {

bool is_ours(const void* address) { return object_range(reinterpret_cast<const void*>(&is_ours)).has(address); }

void* in_object(void* object, const char* name) {
    void* address = object ? dlsym(object, name) : nullptr;
    return address && !is_ours(address) ? address : nullptr;
}

// Finds the name as the object that contains `code`, and the objects that it needs, see it.
void* seen_from(const void* code, const char* name) {
    Dl_info info;
    link_map* map = nullptr;
    if (!dladdr1(code, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) || !map)
        return nullptr;
    void* object = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    void* address = in_object(object, name);
    // The object that was found stays loaded, because its function is kept.
    if (address && dladdr(address, &info))
        dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (object)
        dlclose(object);
    return address;
}

// LLVM's runtime announces that it knows OMPT when it is first used. That must happen before a wrapper decides which
// side records.
void wake(const void* function) {
    Dl_info info;
    void* object = dladdr(function, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    if (!object)
        return;
    auto* any = reinterpret_cast<int (*)()>(dlsym(object, "omp_get_max_threads"));
    if (any && dlsym(object, "__kmpc_global_thread_num"))
        any();
    dlclose(object);
}

constexpr const char* Library = "libgomp.so.1";

// Searches a runtime that is not visible to all objects.
void* find_local(const void* code, const char* name) {
    void* address = seen_from(code, name);
    if (!address)
        address = in_object(dlopen(Library, RTLD_LAZY | RTLD_NOLOAD), name);
    return address ? address : in_object(dlopen(Library, RTLD_LAZY | RTLD_GLOBAL), name);
}

constexpr unsigned LocalsRoom = 256;

} // namespace

void* Entry::target_of(const char* name, const void* code) {
    for (const Local* local = locals_.load(std::memory_order_acquire); local; local = local->next)
        if (local->callers.has(code))
            return local->target;
    const base::ErrnoPreserved preserved;
    const record::OneTimeWork work;
    void* const next = dlsym(RTLD_NEXT, name);
    void* const address = next ? next : find_local(code, name);
    dlerror(); // the program must not see errors of this search
    if (!address) {
        base::warn("the program calls ", name, ", but there is no ", Library,
                   " that has it; -Wl,--no-as-needed keeps the program's own");
        _exit(127); // the dynamic linker's status for a missing symbol
    }
    wake(address);
    if (next)
        everywhere_.store(next, std::memory_order_relaxed);
    else
        remember(code, address);
    return address;
}

// Two threads may do this at once; then the entry is there twice. If there is no room, the function is looked up at
// each call.
void Entry::remember(const void* code, void* target) {
    static constinit Local room[LocalsRoom];
    static constinit std::atomic<unsigned> used{0};
    if (used.load(std::memory_order_relaxed) >= LocalsRoom)
        return;
    const unsigned index = used.fetch_add(1, std::memory_order_relaxed);
    if (index >= LocalsRoom)
        return;
    const Local* first = locals_.load(std::memory_order_relaxed);
    do
        room[index] = {object_range(code), target, first};
    while (!locals_.compare_exchange_weak(first, &room[index], std::memory_order_release, std::memory_order_relaxed));
}

} // namespace vftr::openmp
