// SPDX-License-Identifier: BSD-3-Clause
#include "openmp/runtimes.hpp"

#include "record/loaded_object.hpp"

namespace vftr::openmp {

Range object_range(const void* address) {
    record::LoadedObject object;
    if (!record::find_loaded_object(reinterpret_cast<std::uint64_t>(address), object))
        return {};
    return {static_cast<std::uintptr_t>(object.start), static_cast<std::uintptr_t>(object.end - object.start)};
}

void leave_to_ompt(const void* address) {
    const Range range = object_range(address);
    detail::ompt_low.store(range.low, std::memory_order_relaxed);
    detail::ompt_size.store(range.size, std::memory_order_relaxed);
}

} // namespace vftr::openmp
