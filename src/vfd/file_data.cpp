// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/file_data.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <unistd.h>

namespace vftr::vfd {
namespace {

// If there are more ranges, the rest of the file counts as data.
constexpr std::size_t MostRanges = 1 << 20;
// The file of a process that was killed may have holes in the parts that count as used.
constexpr std::uint64_t HolesInUse = 256 << 20;
constexpr std::uint64_t HolesInCopy = 1 << 20;

} // namespace

FileData::FileData(int descriptor, std::uint64_t size) : size_(size) {
    for (std::uint64_t at = 0; at < size;) {
        off_t begin = ::lseek(descriptor, static_cast<off_t>(at), SEEK_DATA);
        if (begin < 0 && errno == ENXIO)
            break; // a hole up to the end of the file
        off_t end = begin < 0 ? -1 : ::lseek(descriptor, begin, SEEK_HOLE);
        if (end <= begin || ranges_.size() >= MostRanges) {
            begin = static_cast<off_t>(at);
            end = static_cast<off_t>(size);
        }
        const std::uint64_t last = std::min(static_cast<std::uint64_t>(end), size);
        const std::uint64_t first = std::min(static_cast<std::uint64_t>(begin), last);
        ranges_.push_back({first, last});
        bytes_ += last - first;
        at = last;
    }
}

std::uint64_t FileData::next(std::uint64_t offset) const {
    const auto range =
        std::partition_point(ranges_.begin(), ranges_.end(), [&](const Range& r) { return r.end <= offset; });
    return range == ranges_.end() ? size_ : std::max(range->begin, offset);
}

bool FileData::may_hold(std::uint64_t used) const { return used <= bytes_ + HolesInUse; }
bool FileData::may_hold_whole(std::uint64_t used) const { return used <= 2 * bytes_ + HolesInCopy; }

} // namespace vftr::vfd
