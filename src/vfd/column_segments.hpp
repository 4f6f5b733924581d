// SPDX-License-Identifier: BSD-3-Clause
//
// Segments of columns (SegmentKind::NodeColumns, EstimateColumns): made still smaller by zstd where that is there, and
// read as the segments that they stand for.
#pragma once

#include "vfd/packed.hpp"
#include "vfd/source.hpp"
#include "vfd/thread_view.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace vftr::vfd {

// Columns that are packed to less than this part of their size stay as they are, so that no file can ask its reader for
// much more memory than it takes on the disk.
inline constexpr std::size_t MostPackedBy = 64;

// Loads libzstd with the first columns that are worth it.
class ColumnPacker {
public:
    // Replaces the columns by what they are packed to. Returns SegmentHeader::flags of what they are now.
    std::uint16_t pack(std::vector<std::byte>& columns);

private:
    std::optional<Packer> packer_;
};

// The segment of kind Nodes or Estimates that one of NodeColumns or EstimateColumns stands for; it lives in `copies`.
// Throws Error.
Segment read_columns(const Segment& segment, const Source& source, ThreadCopies& copies);

} // namespace vftr::vfd
