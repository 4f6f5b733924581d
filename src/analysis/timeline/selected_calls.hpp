// SPDX-License-Identifier: BSD-3-Clause
//
// Passes on those calls of a thread that a Selection wants, in the order of time.
//
// How long a call takes is not known when it begins. So the innermost open calls wait until they are long enough, and
// what waits is dropped where they end before that. A call is never longer than its caller, so callers are told before
// their callees, and every begin before all that comes after it. Messages wait with the call in which they begin, and
// are dropped with it.
#pragma once

#include "analysis/profile/profile.hpp"
#include "analysis/timeline/selection.hpp"
#include "analysis/timeline/timeline_visitor.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace vftr::analysis {

class SelectedCalls final : public TimelineVisitor {
public:
    // All three must outlive it.
    SelectedCalls(const Selection& selection, const Profile& paths, TimelineVisitor& next)
        : selection_(selection), paths_(paths), next_(next) {}

    void enter(std::uint64_t ns, std::uint32_t path) override;
    void leave(std::uint64_t ns, std::uint32_t path) override;
    void message(const TimelineMessage& message) override { take(message.begin, message); }
    void collective(const TimelineCollective& collective) override { take(collective.end, collective); }
    void still_open(std::uint64_t ns, std::span<const std::uint32_t> open) override;

private:
    struct Call {
        std::uint64_t begin;
        std::uint32_t path;
        bool wanted, told;
    };
    struct Waiting {
        std::size_t depth; // index of the call that it waits for
        std::variant<TimelineMessage, TimelineCollective> what;
    };

    bool is_wanted(std::uint32_t path);
    bool is_over(std::uint64_t ns);
    void tell(std::uint64_t ns, std::uint64_t shortest);
    void tell_waiting(std::size_t depth);
    void end_all(std::uint64_t ns);
    template <class What>
    void take(std::uint64_t ns, const What& what);

    const Selection& selection_;
    const Profile& paths_;
    TimelineVisitor& next_;
    std::vector<Call> calls_;      // open ones, outermost first
    std::size_t first_untold_ = 0; // all calls before it are told or not wanted
    std::vector<Waiting> waiting_; // by depth, for one depth by time
    std::size_t waiting_begin_ = 0;
    std::vector<signed char> wanted_; // by name: whether its calls are; -1: not asked yet
    bool over_ = false;
};

} // namespace vftr::analysis
