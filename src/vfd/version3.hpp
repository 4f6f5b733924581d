// SPDX-License-Identifier: BSD-3-Clause
//
// Timeline files of Vftrace 2.0, whose format has the version 3, for readers of ours. The file becomes an Image in
// memory.
//
// Such a file: int 3; the writer's name and version; two dates as ctime writes them; the interval of the samples in ns,
// number of processes, own rank, threads, run time in seconds (double), numbers of samples of functions and messages,
// of stacks, counters and observables; the offsets of samples, stacks, the threads' parents and counters. Texts have
// their length, the zero at the end included, as an int before them (the two dates one for both). Stacks: the caller's
// id, -1 for the first, and the name, with a star where the function is precise. Samples: a kind, 0 call, 1 exit or 2
// message, then stack, time in ns and each counter; or direction, rank, type, count, size of the type, tag, begin, end,
// stack and thread. Samples of functions do not tell their thread. Nothing is aligned.
#pragma once

#include "vfd/image.hpp"

#include <memory>
#include <string>
#include <vector>

namespace vftr::vfd {

// What an Image of such a file stands on.
struct Version3File {
    FileHeader header{};
    std::vector<Segment> segments;
    std::shared_ptr<const void> memory; // that the segments lie in
};

// Whether it begins as such a file does; false where it cannot be read.
bool is_version3(const std::string& path);
// Throws Error.
Version3File read_version3(const std::string& path);

// Whether an image was made here: a profile made from its samples alone, whose threads are not known.
bool was_version3(const FileHeader& header);

} // namespace vftr::vfd
