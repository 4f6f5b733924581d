// SPDX-License-Identifier: BSD-3-Clause
//
// Reads timeline files of Vftrace 2.0, whose format has the version 3. Such a file is converted to an Image in memory.
//
// The format of such a file: int 3; the writer's name and version; two dates as ctime writes them; the sampling
// interval in ns; number of processes, own rank, number of threads, run time in seconds (double); numbers of function
// samples, message samples, stacks, counters and observables; the offsets of the samples, the stacks, the threads'
// parents and the counters. Each string is preceded by its length as an int, which includes the terminating zero (the
// two dates share one length). A stack is the caller's id, -1 for the first one, and the name, which ends with a star
// if the function is precise. A sample begins with its kind: 0 call, 1 exit, 2 message. A call or exit continues with
// the stack, the time in ns and each counter; a message with direction, rank, type, count, size of the type, tag,
// begin, end, stack and thread. Function samples do not say to which thread they belong. Nothing is aligned.
#pragma once

#include "vfd/error.hpp"
#include "vfd/views.hpp"

#include <memory>
#include <string>
#include <vector>

namespace vftr::vfd {

// The data that an Image of such a file refers to.
struct Version3File {
    FileHeader header{};
    std::vector<Segment> segments;
    std::shared_ptr<const void> memory; // holds the payloads of the segments
};

// True if the file begins like such a file; false if it cannot be read.
bool is_version3(const std::string& path);
// Throws Error.
Version3File read_version3(const std::string& path);

// True if an image was made here. Its profile is made from the samples alone, and its threads are not known.
bool is_converted_version3(const FileHeader& header);

} // namespace vftr::vfd
