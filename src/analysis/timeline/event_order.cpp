// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/event_order.hpp"

#include <algorithm>
#include <utility>

namespace vftr::analysis {

std::uint64_t EventOrder::end_of(const vfd::Event& message) {
    return message.ticks - std::min(message.late, message.ticks);
}

std::uint64_t EventOrder::begin_of(const vfd::Event& message) {
    const std::uint64_t end = end_of(message);
    return end - std::min(message.duration, end);
}

bool EventOrder::next_in_order() {
    if (!have_other_)
        have_other_ = next_other();
    while (!all_read_ && pending_.size() < most_ && may_come_before(earliest()))
        read_ahead();
    is_message_ = !pending_.empty() && (!have_other_ || begin_of(pending_.front()) < other_.ticks);
    if (is_message_) {
        std::pop_heap(pending_.begin(), pending_.end(), later);
        message_ = pending_.back();
        pending_.pop_back();
        return true;
    }
    return std::exchange(have_other_, false);
}

bool EventOrder::next_other() {
    while (reader_.next(other_))
        if (others_ == Others::Samples ? is_sample(other_, left_out_) : other_.kind != vfd::Event::Kind::Message)
            return true;
    return false;
}

void EventOrder::read_ahead() {
    vfd::Event event;
    all_read_ = !ahead_.next(event);
    if (all_read_)
        return;
    ahead_ticks_ = event.ticks;
    if (event.kind == vfd::Event::Kind::Message) {
        pending_.push_back(event);
        std::push_heap(pending_.begin(), pending_.end(), later);
    }
}

// A lower bound for the time of the next event.
std::uint64_t EventOrder::earliest() const {
    const std::uint64_t ticks = have_other_ ? other_.ticks : ~std::uint64_t{0};
    return pending_.empty() ? ticks : std::min(ticks, begin_of(pending_.front()));
}

// Whether a message that has not been read yet may have begun before `ticks`.
bool EventOrder::may_come_before(std::uint64_t ticks) const {
    return ahead_ticks_ < longest_ || ahead_ticks_ - longest_ < ticks;
}

} // namespace vftr::analysis
