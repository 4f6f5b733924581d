// SPDX-License-Identifier: BSD-3-Clause
//
// The single waits of a job, for those who draw them. There may be as many as calls of MPI, so only the longest ones
// are kept: more than these nobody can see, and their memory is bounded (84 MB).
#pragma once

#include "analysis/timeline/wait_states.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace vftr::analysis {

class LongestWaits {
public:
    static constexpr std::size_t Most = std::size_t{1} << 21;

    explicit LongestWaits(std::size_t most = Most) : most_(most) {}

    void add(const Wait& wait) {
        waits_.push_back(wait);
        std::push_heap(waits_.begin(), waits_.end(), is_longer);
        if (waits_.size() <= most_)
            return;
        std::pop_heap(waits_.begin(), waits_.end(), is_longer);
        left_out_ns_[static_cast<std::size_t>(waits_.back().state)] += waits_.back().ns;
        waits_.pop_back();
        ++left_out_;
    }
    std::uint64_t left_out() const { return left_out_; }
    const TimeByState& left_out_ns() const { return left_out_ns_; }

    // By rank, thread and begin; of those that begin at once the longest is first. Nothing is left.
    std::vector<Wait> take() {
        std::sort(waits_.begin(), waits_.end(), [](const Wait& a, const Wait& b) {
            return std::tuple(a.rank, a.thread, a.begin, b.ns, a.state, a.path) <
                   std::tuple(b.rank, b.thread, b.begin, a.ns, b.state, b.path);
        });
        return std::move(waits_);
    }

private:
    // Orders all, so that those which stay do not depend on the order in which they come.
    static bool is_longer(const Wait& a, const Wait& b) {
        return std::tuple(a.ns, b.rank, b.thread, b.begin, b.state, b.path) >
               std::tuple(b.ns, a.rank, a.thread, a.begin, a.state, a.path);
    }

    std::size_t most_;
    std::vector<Wait> waits_; // a heap, the shortest is first
    std::uint64_t left_out_ = 0;
    TimeByState left_out_ns_{};
};

} // namespace vftr::analysis
