// SPDX-License-Identifier: BSD-3-Clause
//
// Segments of columns (SegmentKind::NodeColumns, EstimateColumns). The writer compresses them with zstd where that is
// available, and the reader turns them back into the Nodes or Estimates segments that they replace.
#pragma once

#include "vfd/packed.hpp"
#include "vfd/source.hpp"
#include "vfd/thread_view.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace vftr::vfd {

// Columns stay uncompressed if compression would shrink them by more than this factor, so that no file can make its
// reader allocate much more memory than the file takes on the disk.
inline constexpr std::size_t MostPackedBy = 64;

// Loads libzstd when the first columns come that are large enough to be worth compressing.
class ColumnPacker {
public:
    // Replaces the columns by their compressed form where that is smaller. Returns the SegmentHeader::flags that
    // describe the result.
    std::uint16_t pack(std::vector<std::byte>& columns);

private:
    std::optional<Packer> packer_;
};

// Returns the segment of the kind Nodes or Estimates that a segment of NodeColumns or EstimateColumns replaces; its
// memory is in `copies`. Throws Error.
Segment read_columns(const Segment& segment, const Source& source, ThreadCopies& copies);

} // namespace vftr::vfd
