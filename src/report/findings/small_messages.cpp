// SPDX-License-Identifier: BSD-3-Clause
//
// Many messages that are so small that their number costs and not their size. On the networks of clusters a message of
// 1 KiB takes hardly longer than an empty one: the latency is 1 to 2 µs, in which 10 KB or more could be moved.
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

namespace vftr::report {

std::vector<Found> find_small_messages(const Evidence& evidence, std::uint64_t least) {
    constexpr std::uint64_t Small = 1024, Many = 1000; // bytes on average, messages of a rank on average
    const analysis::Profile& profile = evidence.profile;
    std::vector<Found> found;
    for (const analysis::PathMessages& path : profile.messages) {
        const analysis::MessageSum& sent = path.sent;
        const std::uint64_t time = profile.nodes[path.node].exclusive;
        if (time < least || sent.messages < Many * std::max<std::uint64_t>(profile.rank_count, 1) ||
            sent.bytes > Small * sent.messages)
            continue;
        found.push_back({time,
                         evidence.place(path.node) + " sends " + counted(sent.messages, "message") + " of " +
                             bytes_text(static_cast<double>(sent.bytes) / static_cast<double>(sent.messages)) +
                             " on average in " + duration_text(time),
                         path.node,
                         {},
                         {{"messages", sent.messages}, {"bytes", sent.bytes}, {"exclusive_ns", time}}});
    }
    return found;
}

} // namespace vftr::report
