// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/single_calls.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace vftr::analysis {
namespace {

// Orders all, so that those which stay do not depend on the order in which they come.
bool is_longer(const SingleCall& a, const SingleCall& b) {
    return std::tuple(b.ns, a.thread, a.begin, a.path) < std::tuple(a.ns, b.thread, b.begin, b.path);
}

class Collector final : public TimelineVisitor {
public:
    Collector(std::span<const std::uint32_t> group_of, std::size_t most_longest, std::vector<CallGroup>& groups)
        : group_of_(group_of), most_longest_(most_longest), groups_(groups) {}

    void begin(std::uint32_t thread) {
        thread_ = thread;
        begins_.clear();
    }
    void enter(std::uint64_t ns, std::uint32_t) override { begins_.push_back(ns); }
    void leave(std::uint64_t ns, std::uint32_t path) override {
        const std::uint64_t begin = std::min(begins_.back(), ns);
        begins_.pop_back();
        if (path < group_of_.size() && group_of_[path] != NoGroup)
            add({ns - begin, begin, path, thread_}, groups_[group_of_[path]]);
    }
    void still_open(std::uint64_t, std::span<const std::uint32_t>) override {}

private:
    void add(const SingleCall& call, CallGroup& group) const {
        group.durations.add(call.ns);
        std::vector<SingleCall>& longest = group.longest; // a heap, the shortest is first
        if (longest.size() == most_longest_ && (longest.empty() || !is_longer(call, longest.front())))
            return;
        longest.push_back(call);
        std::push_heap(longest.begin(), longest.end(), is_longer);
        if (longest.size() <= most_longest_)
            return;
        std::pop_heap(longest.begin(), longest.end(), is_longer);
        longest.pop_back();
    }

    const std::span<const std::uint32_t> group_of_;
    const std::size_t most_longest_;
    std::vector<CallGroup>& groups_;
    std::uint32_t thread_ = 0;
    std::vector<std::uint64_t> begins_; // of the open calls
};

} // namespace

bool has_single_calls(const RunTimeline& run) { return std::ranges::any_of(run.processes(), &RunProcess::exact); }

std::vector<CallGroup> single_calls(const RunTimeline& run, std::span<const std::uint32_t> group_of, std::size_t groups,
                                    std::size_t most_longest) {
    std::vector<CallGroup> all(groups);
    Collector collector(group_of, most_longest, all);
    for (std::uint32_t i = 0; i < run.threads().size(); ++i)
        if (run.processes()[run.threads()[i].process].exact) {
            collector.begin(i);
            run.visit(run.threads()[i], collector);
        }
    for (CallGroup& group : all)
        std::ranges::sort(group.longest, is_longer);
    return all;
}

std::vector<PathDurations> durations_by_path(const RunTimeline& run) {
    std::vector<std::uint32_t> each(run.paths().nodes.size());
    std::iota(each.begin(), each.end(), 0);
    std::vector<PathDurations> durations;
    std::uint32_t path = 0;
    for (CallGroup& group : single_calls(run, each, each.size(), 0)) {
        if (group.durations.count() != 0)
            durations.push_back({path, std::move(group.durations)});
        ++path;
    }
    return durations;
}

} // namespace vftr::analysis
