// SPDX-License-Identifier: BSD-3-Clause
//
// A copy of all of a recording except its events, which is what a profile is made from. Another process may be writing
// the recording meanwhile.
//
// Why the file is not mapped: rank 0 reads the files of ranks that did not reach the collation while it still runs the
// user's program. If a page of a mapped file cannot be read (another machine removed or truncated the file, or a disk
// fails), the process gets SIGBUS, whereas a read returns an error code. Also, a timeline may be larger than memory.
#pragma once

#include "vfd/image.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace vftr::vfd {

// Reads and checks only the header of a recording. Throws Error.
FileHeader read_header(const std::string& path);

class FileCopy {
public:
    // Reads `path`. Throws Error.
    explicit FileCopy(const std::string& path) : FileCopy(path, path) {}
    // `name` is used in errors instead of the path.
    FileCopy(const std::string& path, const std::string& name);

    const FileHeader& header() const { return header_; } // checked
    // The events that were left out.
    struct Events {
        std::size_t segments = 0, packed = 0; // number of segments, and how many of them are packed
        std::uint64_t bytes = 0;              // used bytes
    };
    const Events& events() const { return events_; }
    // Returns a view of this copy, which must outlive it. Throws Error.
    Image image() const { return Image::of_memory(header_, segments_, path_); }
    // Returns the same view for a process that still runs, with `now` as the latest pair of clock readings, so that
    // functions which have not returned count up to that moment.
    Image image_at(const ClockPair& now) const;

private:
    std::string path_;
    FileHeader header_;
    Events events_;
    std::vector<Segment> segments_;
    std::vector<std::unique_ptr<SegmentHeader>> headers_;
    std::vector<std::unique_ptr<std::byte[]>> payloads_; // operator new aligns them for all records
};

} // namespace vftr::vfd
