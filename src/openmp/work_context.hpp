// SPDX-License-Identifier: BSD-3-Clause
//
// The work context of a parallel region or task: the call path that the work belongs to. It is in the 64 bits that the
// runtime keeps for a tool (ompt_data_t) and passes to the thread that takes part. The path fits into them, so nothing
// has to be allocated, looked up or freed.
//
// The runtime copies the context and passes it on. It is written by the forking thread or by the thread that executes
// the task.
#pragma once

#include "record/entries/call_instance.hpp"
#include "vfd/format.hpp"

#include <algorithm>
#include <cstdint>

namespace vftr::openmp {

class WorkContext {
public:
    WorkContext() = default;
    explicit WorkContext(std::uint64_t value) : value_(value) {}
    explicit WorkContext(const record::CallInstance& place)
        : value_(Ours | std::uint64_t{place.thread & 0xffff} << 32 |
                 (place.thread == vfd::NoThread ? vfd::NoNode : place.node)) {}

    std::uint64_t value() const { return value_; }
    // False if the runtime made this region or task, or if it began before vftrace was active.
    bool is_ours() const { return value_ & Ours; }
    // False if the region or task began while nothing was recorded.
    bool has_place() const { return is_ours() && static_cast<std::uint32_t>(value_) != vfd::NoNode; }
    record::CallInstance place() const {
        return {static_cast<std::uint32_t>(value_ >> 32 & 0xffff), static_cast<std::uint32_t>(value_), 0};
    }

    // For a region: whether it is an entry of the forking thread's path, and the number of threads of its team.
    bool entered() const { return has_place() && !(value_ & Implied); }
    WorkContext implied() const { return WorkContext(value_ | Implied); }
    std::uint32_t threads() const { return std::max(1u, static_cast<std::uint32_t>(value_ >> 48 & MostThreads)); }
    WorkContext with_threads(std::uint32_t threads) const {
        return WorkContext((value_ & ~(MostThreads << 48)) | std::min(std::uint64_t{threads}, MostThreads) << 48);
    }

    // For a task.
    enum Task : std::uint64_t {
        Untied = std::uint64_t{1} << 48,  // it may be executed in parts, by several threads
        Started = std::uint64_t{1} << 49, // a part of it has begun
    };
    bool is(Task flag) const { return is_ours() && value_ & flag; }
    WorkContext with(Task flag) const { return WorkContext(value_ | flag); }

private:
    static constexpr std::uint64_t Ours = std::uint64_t{1} << 63, Implied = std::uint64_t{1} << 62;
    static constexpr std::uint64_t MostThreads = 0xfff;
    std::uint64_t value_ = 0;
};

} // namespace vftr::openmp
