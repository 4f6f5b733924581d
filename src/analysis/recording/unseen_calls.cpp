// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/unseen_calls.hpp"

#include "analysis/profile/whole_ns.hpp"

#include <algorithm>
#include <map>

namespace vftr::analysis {
namespace {

class UnseenTimes {
public:
    UnseenTimes(const vfd::ThreadView& thread, ThreadTimes& times) : thread_(thread), times_(times) {
        times_.unseen.resize(thread.node_count);
    }

    void add_all() {
        for (const vfd::UnseenCalls& unseen : thread_.unseen)
            times_.unseen[unseen.node] = {rounded(unseen.calls), rounded(unseen.error)};
        for (const vfd::UnseenCalls& unseen : thread_.unseen)
            claim(unseen);
        for (auto& [id, giver] : givers_)
            giver.share = std::min(1.0, static_cast<double>(times_.of[id].exclusive) / std::max(giver.wanted, 1.0));
        for (const Claim& claim : claims_)
            move(claim);
    }

private:
    struct Claim {
        const vfd::UnseenCalls& unseen;
        std::uint32_t giver;
        double time, seen; // ticks that it asks for; number of calls that were seen
    };

    struct Giver {
        double wanted = 0; // ticks
        double share = 1;  // the part of that which its time can cover
    };

    std::uint32_t parent_of(std::uint32_t id) const { return std::min(thread_.node(id).parent, id - 1); }
    bool is_unseen(std::uint32_t id) const {
        return std::binary_search(thread_.unseen.begin(), thread_.unseen.end(), vfd::UnseenCalls{id, 0, 0, 0},
                                  [](const auto& a, const auto& b) { return a.node < b.node; });
    }

    void claim(const vfd::UnseenCalls& unseen) {
        const double seen = static_cast<double>(vfd::calls_of(thread_.node(unseen.node)));
        if (seen == 0 || unseen.calls == 0)
            return;
        std::uint32_t giver = parent_of(unseen.node);
        while (giver != 0 && is_unseen(giver))
            giver = parent_of(giver);
        const double time = static_cast<double>(times_.of[unseen.node].exclusive) / seen * unseen.calls;
        claims_.push_back({unseen, giver, time, seen});
        givers_[giver].wanted += time;
    }

    // Times are moved as whole ticks, so that their sum stays the same.
    void move(const Claim& claim) {
        const double share = givers_[claim.giver].share;
        const std::uint64_t moved = std::min(rounded(claim.time * share), times_.of[claim.giver].exclusive);
        NodeTimes &from = times_.of[claim.giver], &to = times_.of[claim.unseen.node];
        from.exclusive -= moved;
        from.raw_exclusive -= std::min(moved, from.raw_exclusive);
        to.exclusive += moved;
        to.raw_exclusive += moved;
        for (std::uint32_t id = claim.unseen.node; id != claim.giver; id = parent_of(id)) {
            times_.of[id].inclusive += moved;
            times_.of[id].raw_inclusive += moved;
        }
        const double seen_unknown = times_.unknown[claim.unseen.node] * claim.unseen.calls / claim.seen,
                     of_number = static_cast<double>(moved) / claim.unseen.calls * claim.unseen.error,
                     unknown = share * seen_unknown + of_number;
        times_.unknown[claim.unseen.node] += unknown;
        times_.unknown[claim.giver] += unknown;
    }

    const vfd::ThreadView& thread_;
    ThreadTimes& times_;
    std::vector<Claim> claims_;
    std::map<std::uint32_t, Giver> givers_; // by node
};

} // namespace

void add_unseen_calls(const vfd::ThreadView& thread, ThreadTimes& times) {
    if (!thread.unseen.empty())
        UnseenTimes(thread, times).add_all();
}

} // namespace vftr::analysis
