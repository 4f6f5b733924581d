// SPDX-License-Identifier: BSD-3-Clause
//
// What to say of messages of which the other end is not in the files, by formats that draw an arrow from a send to its
// receive.
#pragma once

#include "analysis/timeline/run_timeline.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vftr::exports {

// Adds a remark if these threads have such messages.
inline void remark_one_ended_messages(std::span<const analysis::RunThread> threads, std::vector<std::string>& remarks) {
    std::uint64_t all = 0, one_ended = 0;
    for (const analysis::RunThread& thread : threads) {
        all += thread.paired;
        one_ended += thread.one_ended;
    }
    if (one_ended != 0)
        remarks.push_back("Of " + std::to_string(all) + " sends and receives " + std::to_string(one_ended) +
                          " have no arrow, as the other end is not in the files");
}

} // namespace vftr::exports
