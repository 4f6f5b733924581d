// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/recovery.hpp"

#include <algorithm>

namespace vftr::vfd {

FileHeader recovered_header(const Image& image) {
    FileHeader header = image.header();
    if (header.state == FileState::Open) {
        std::uint64_t end = image.end_ticks();
        header.state = FileState::Sealed;
        header.flags |= FlagRecovered;
        header.end = {end, image.clock().to_ns(end), image.clock().to_realtime_ns(end)};
        // The rate of the ticks is still computed from `last`, which therefore must not be empty.
        if (header.last[header.last_index].ticks == 0)
            header.last[header.last_index] = header.start;
    }
    if (header.memory_bytes == 0)
        header.memory_bytes = header.file_end;
    header.file_end = std::min(header.file_end, image.segments_end());
    return header;
}

} // namespace vftr::vfd
