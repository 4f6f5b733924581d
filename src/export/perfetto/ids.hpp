// SPDX-License-Identifier: BSD-3-Clause
//
// By what a Perfetto trace tells the processes and threads of a run apart.
//
// Viewers take two processes of one pid for one, and two threads of one tid too, while the ranks of a job may have
// equal ones on different hosts. So where the kernel's ids do not do, or not all ranks are there to tell, they get
// numbers that depend only on rank and thread. Packets of one sequence share names and a clock, so that sequences of
// two files must differ as well, in case that somebody puts the files of several ranks together: their ids are such
// numbers always. What is not the first process of a rank (children, what it became by exec) has them from a hash.
#pragma once

#include "analysis/timeline/run_timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace vftr::exports::perfetto {

class Ids {
public:
    struct OfProcess {
        std::uint64_t uuid;
        std::uint32_t pid;
    };
    struct OfThread {
        std::uint64_t uuid;
        std::uint32_t tid, sequence;
    };

    explicit Ids(const analysis::RunTimeline& run);

    const OfProcess& process(std::size_t index) const { return processes_[index]; }
    const OfThread& thread(std::size_t index) const { return threads_[index]; }
    // Of a thread, for its wait states: a track of its process.
    const OfThread& waits(std::size_t thread) const { return waits_[thread]; }
    // Of a file whose first process this is: a track beside those of processes.
    const OfThread& notes(std::size_t process) const { return notes_[process]; }
    bool are_of_kernel() const { return of_kernel_; }

private:
    bool kernel_ids_do(const analysis::RunTimeline& run) const;
    std::uint32_t number(const analysis::RunTimeline& run, std::uint32_t process, std::uint32_t thread);

    std::vector<OfProcess> processes_;
    std::vector<OfThread> threads_, waits_, notes_;
    std::vector<bool> first_of_rank_;
    std::unordered_set<std::uint32_t> hashed_;
    bool of_kernel_;
};

} // namespace vftr::exports::perfetto
