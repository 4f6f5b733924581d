// SPDX-License-Identifier: BSD-3-Clause
#include "patch/pristine_code.hpp"

#include <cstring>

namespace vftr::patch {

// After an object was unloaded, its sites may be anywhere in the code of another one.
bool PristineCode::copy(const ProcessMemory& memory, HookSiteIndex& index, const Extent& extent, std::uint8_t* room,
                        Code& code) {
    const std::size_t bytes = extent.end - extent.start;
    if (!extent.known() || bytes > MaxCodeBytes || !memory.read(extent.start, room, bytes))
        return false;
    index.for_each_in(extent.start, extent.end, [&](const Site& site) {
        std::uint8_t* const call = room + (site.address - extent.start);
        if (*call == site.becomes && extent.end - site.address > sizeof site.rest &&
            std::memcmp(call + 1, site.rest, sizeof site.rest) == 0)
            *call = site.was;
    });
    code = {extent.start, {room, bytes}, extent.pads};
    return true;
}

bool PristineCode::is_called(std::uint64_t address) { return targets_ && targets_->has(address); }

} // namespace vftr::patch
