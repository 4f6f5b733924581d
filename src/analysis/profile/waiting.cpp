// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/waiting.hpp"

#include "vfd/construct_text.hpp"

#include <algorithm>

namespace vftr::analysis {

// A profile knows a construct only by its name.
bool is_wait_of_openmp(const std::string& name) {
    constexpr std::uint8_t Last = 0x3f; // the mask of construct_of()
    for (std::uint8_t i = 0; i <= Last; ++i) {
        const auto construct = static_cast<vfd::Construct>(i);
        if (!vfd::is_wait(construct))
            continue;
        const std::string text = vfd::directive(construct);
        if (name.starts_with(text) && (name.size() == text.size() || name[text.size()] == ' '))
            return true;
    }
    return name == IdleName;
}

std::uint64_t time_of_program(const Profile& profile) {
    std::uint64_t time = profile.summary.runtime_sum;
    for (std::uint32_t node = 0; node < profile.nodes.size(); ++node)
        if (is_waiting(profile, node))
            time -= std::min(time, profile.nodes[node].exclusive);
    return time;
}

} // namespace vftr::analysis
