// SPDX-License-Identifier: BSD-3-Clause
//
// Where a file has data on the disk. A file of a few pages may claim to be of any length: what lies between its data is
// a hole, which reads as zeros. Whoever walks over a file skips holes, so that the work follows what was written and
// not what is claimed.
#pragma once

#include <cstdint>
#include <vector>

namespace vftr::vfd {

class FileData {
public:
    FileData() = default;
    // Where the file system does not know holes, all of the file is data.
    FileData(int descriptor, std::uint64_t size);

    // The first byte of data at `offset` or behind it; the size of the file if there is none.
    std::uint64_t next(std::uint64_t offset) const;
    // False if segments whose headers say that they use so much in all cannot be what was written: the rest are holes.
    bool may_hold(std::uint64_t used) const;
    // The same for what is written in one piece: pages of zeros that a copy left out are holes at most, and not more
    // than the rest.
    bool may_hold_whole(std::uint64_t used) const;

private:
    struct Range {
        std::uint64_t begin, end;
    };
    std::vector<Range> ranges_; // in the order of the file
    std::uint64_t size_ = 0, bytes_ = 0;
};

} // namespace vftr::vfd
