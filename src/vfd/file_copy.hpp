// SPDX-License-Identifier: BSD-3-Clause
//
// What a profile is made from, copied out of a recording that another process may be writing: everything but its
// events.
//
// Why not map it. Rank 0 reads the files of ranks that did not come while it still runs the user's program. A page of a
// mapped file that cannot be read (another machine removed or cut the file, a disk fails) is a SIGBUS; a read is an
// error code. And a timeline may be larger than the memory.
#pragma once

#include "vfd/image.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace vftr::vfd {

// The header of a recording alone, checked. Throws Error.
FileHeader read_header(const std::string& path);

class FileCopy {
public:
    // Reads `path`. Throws Error.
    explicit FileCopy(const std::string& path) : FileCopy(path, path) {}
    // name: what errors call it.
    FileCopy(const std::string& path, const std::string& name);

    const FileHeader& header() const { return header_; } // checked
    // What was left out.
    struct Events {
        std::size_t segments = 0, packed = 0; // packed: of all segments
        std::uint64_t bytes = 0;              // used
    };
    const Events& events() const { return events_; }
    // Views this copy, which must live longer. Throws Error.
    Image image() const { return Image::of_memory(header_, segments_, path_); }
    // The same, of a process that lives, as it would be if its clocks were compared at this moment: what has not
    // returned counts up to it.
    Image image_at(const ClockPair& now) const;

private:
    std::string path_;
    FileHeader header_;
    Events events_;
    std::vector<Segment> segments_;
    std::vector<std::unique_ptr<SegmentHeader>> headers_;
    std::vector<std::unique_ptr<std::byte[]>> payloads_; // aligned for all records, as new does
};

} // namespace vftr::vfd
