// SPDX-License-Identifier: BSD-3-Clause
#include "record/entries/sum_table.hpp"

#include "record/recorder.hpp"

namespace vftr::record {

vfd::SegmentHeader* new_sum_segment(vfd::SegmentKind kind, std::uint32_t owner, std::uint32_t sequence,
                                    std::size_t bytes) {
    return recorder.writer.allocate(kind, owner, sequence, bytes);
}

} // namespace vftr::record
