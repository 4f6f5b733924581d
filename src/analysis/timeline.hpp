// SPDX-License-Identifier: BSD-3-Clause
//
// What the threads of one process did, in the order of time.
//
// The call trees of the threads are united as in a profile, and a call path has the stack id (STID)
// that `vftr report` shows for this file: breadth first, callees by name. So a line of a dump can
// be looked up in a table. The events stay in the file and are decoded while they are visited, one
// per thread at a time: a recording may be larger than memory.
#pragma once

#include "analysis/profile.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace vftr::analysis {

// One enter or leave that is in the event stream.
struct Sample {
    double seconds;       // since the start of the recording
    std::uint32_t stack;  // id of the call path that was entered or left
    std::uint32_t thread; // place in Timeline::threads()
    bool enter;
};

struct TimelineThread {
    std::uint32_t index;   // as in the file
    std::uint32_t tid;     // the kernel's id of the latest thread that used the record
    std::uint32_t reused;  // threads before that one
    double begin, end;     // seconds; of one that lives: the latest moment known
    std::uint64_t samples; // that are in the stream
    bool complete;         // whether its event stream could be decoded to the end
};

// The Image must outlive it. Any thread may read it.
class Timeline {
public:
    // Decodes all events once, to count them. Throws vfd::Error.
    explicit Timeline(const vfd::Image& image);

    // stacks().nodes[id] is the call path of that id.
    const Profile& stacks() const { return stacks_; }
    const std::vector<TimelineThread>& threads() const { return threads_; }
    std::uint64_t sample_count() const;
    // Seconds of the last sample of all; 0 if there is none.
    double last_sample() const { return last_sample_; }
    double seconds_of(std::uint64_t ticks) const;

    // Calls `visit` for every sample, oldest first; equal times in the order of threads.
    void for_each_sample(const std::function<void(const Sample&)>& visit) const;

private:
    class Cursor;
    void add_thread(const vfd::ThreadView& view);

    const vfd::Image& image_;
    Profile stacks_;
    std::vector<std::vector<std::uint32_t>> stack_of_; // by thread and node
    std::vector<TimelineThread> threads_;
    double last_sample_ = 0;
};

} // namespace vftr::analysis
