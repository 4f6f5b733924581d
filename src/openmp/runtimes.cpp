// SPDX-License-Identifier: BSD-3-Clause
#include "openmp/runtimes.hpp"

#include "record/modules/loaded_object.hpp"

namespace vftr::openmp {

Range object_range(const void* address) {
    record::LoadedObject object;
    if (!record::find_loaded_object(reinterpret_cast<std::uint64_t>(address), object))
        return {};
    return {static_cast<std::uintptr_t>(object.start), static_cast<std::uintptr_t>(object.end - object.start)};
}

namespace {
void set(detail::SharedRange& shared, const void* address) {
    const Range range = object_range(address);
    shared.low.store(range.low, std::memory_order_relaxed);
    shared.size.store(range.size, std::memory_order_relaxed);
}
} // namespace

void leave_to_ompt(const void* address) {
    set(detail::of_ompt, address);
    set(detail::of_ours, reinterpret_cast<const void*>(&leave_to_ompt));
}

} // namespace vftr::openmp
