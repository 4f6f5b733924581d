// SPDX-License-Identifier: BSD-3-Clause
//
// Finds out where a file has data on the disk. A file of a few pages may claim any length: what lies between its data
// is a hole, which reads as zeros. Code that walks over a file skips the holes, so that the work depends on what was
// written and not on what the file claims.
#pragma once

#include <cstdint>
#include <vector>

namespace vftr::vfd {

class FileData {
public:
    FileData() = default;
    // If the file system does not support holes, the whole file counts as data.
    FileData(int descriptor, std::uint64_t size);

    // Returns the offset of the first byte of data at or after `offset`, or the size of the file if there is none.
    std::uint64_t next(std::uint64_t offset) const;
    // Returns false if the headers of the segments claim more used bytes in total than the file can hold, because the
    // rest of it is holes.
    bool may_hold(std::uint64_t used) const;
    // The same check for data that is written in one piece. Such data may have holes only where a copy of the file left
    // out pages of zeros, and the holes must not be larger than the rest.
    bool may_hold_whole(std::uint64_t used) const;

private:
    struct Range {
        std::uint64_t begin, end;
    };
    std::vector<Range> ranges_; // in order of offset
    std::uint64_t size_ = 0, bytes_ = 0;
};

} // namespace vftr::vfd
