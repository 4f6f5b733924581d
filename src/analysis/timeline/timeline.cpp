// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/timeline.hpp"

#include "analysis/recording/path_indices.hpp"
#include "analysis/timeline/event_order.hpp"
#include "analysis/timeline/outlined_functions.hpp"
#include "vfd/event_reader.hpp"
#include "vfd/packed.hpp"

#include <algorithm>
#include <queue>

namespace vftr::analysis {

namespace {
constexpr std::size_t MostAhead = 1 << 18; // transfers, of 96 bytes each
}

Timeline::Timeline(const vfd::Image& image, const Numbering& shared) : image_(image), stacks_(profile_of(image)) {
    vfd::require_unpacking(image.threads(), image.label());
    canonicalise(stacks_, shared);
    PathIndices placer(image, stacks_);
    stack_of_.reserve(image.threads().size());
    for (const vfd::ThreadView& view : image.threads()) {
        stack_of_.push_back(placer.place(view));
        // Where only samples are recorded, each one counts.
        left_out_.push_back(image.header().flags & vfd::FlagAllEvents
                                ? outlined_functions(view, stack_of_.back(), stacks_)
                                : std::vector<bool>());
        add_thread(view);
    }
}

void Timeline::add_thread(const vfd::ThreadView& view) {
    const vfd::ThreadRecord& record = *view.record;
    vfd::EventReader reader(view, image_.header().flags);
    vfd::Event event;
    std::uint64_t samples = 0, transfers = 0, longest = 0, last = 0;
    while (reader.next(event)) {
        bool message = event.kind == vfd::Event::Kind::Message;
        if (message) {
            ++transfers;
            messages_ += peers(event.span, event.target);
            longest = std::max(longest, event.ticks - EventOrder::begin_of(event));
        }
        const bool sample = EventOrder::is_sample(event, left_out_.back());
        samples += sample;
        if (message || sample)
            last = event.ticks;
    }
    last_sample_ = std::max(last_sample_, seconds_of(last));
    threads_.push_back({record.index, record.tid, record.reused, seconds_of(view.first_begin()),
                        seconds_of(record.end ? record.end : image_.end_ticks()), samples, transfers, longest,
                        reader.complete()});
}

std::uint64_t Timeline::sample_count() const {
    std::uint64_t sum = 0;
    for (const TimelineThread& thread : threads_)
        sum += thread.samples;
    return sum;
}

// Time never runs backwards within a thread, but two cores may differ by a few ticks. So times before the start count
// as the start.
double Timeline::seconds_of(std::uint64_t ticks) const {
    std::uint64_t start = image_.header().start.ticks;
    return ticks > start ? static_cast<double>(ticks - start) * image_.clock().ns_per_tick() * 1e-9 : 0;
}

// The number of ranks that for_each_peer() visits.
std::uint64_t Timeline::peers(vfd::Span span, std::uint32_t target) const {
    if (span == vfd::Span::Rank)
        return 1;
    const vfd::GroupView* group = image_.group(target);
    if (!group)
        return 0;
    auto own = static_cast<std::uint32_t>(image_.header().rank);
    return group->size - (span == vfd::Span::Others && group->has(own) ? 1 : 0);
}

void Timeline::for_each_peer(const Message& message, const std::function<void(std::uint32_t)>& visit) const {
    if (message.span == vfd::Span::Rank)
        return visit(message.target);
    if (const vfd::GroupView* group = image_.group(message.target))
        group->for_each_rank([&, own = static_cast<std::uint32_t>(image_.header().rank)](std::uint32_t rank) {
            if (message.span == vfd::Span::Group || rank != own)
                visit(rank);
        });
}

std::uint32_t Timeline::stack_of(std::uint32_t thread, std::uint32_t node) const {
    auto place = std::lower_bound(threads_.begin(), threads_.end(), thread,
                                  [](const TimelineThread& t, std::uint32_t index) { return t.index < index; });
    if (place == threads_.end() || place->index != thread)
        return 0;
    const std::vector<std::uint32_t>& stacks = stack_of_[static_cast<std::size_t>(place - threads_.begin())];
    return node < stacks.size() ? stacks[node] : 0;
}

Message Timeline::message_of(const vfd::Event& event) const {
    return {seconds_of(EventOrder::begin_of(event)),
            seconds_of(EventOrder::end_of(event)),
            stack_of(event.thread, event.node),
            event.thread,
            event.direction,
            event.span,
            event.target,
            event.bytes,
            event.type,
            event.tag,
            event.communicator};
}

void Timeline::for_each_sample(const std::function<void(const Sample&)>& visit,
                               const std::function<void(const Message&)>& visit_message) const {
    std::vector<EventOrder> cursors;
    cursors.reserve(threads_.size());
    auto later = [&](std::uint32_t a, std::uint32_t b) {
        std::uint64_t ticks_a = cursors[a].ticks(), ticks_b = cursors[b].ticks();
        return ticks_a > ticks_b || (ticks_a == ticks_b && a > b);
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(later)> earliest(later);
    std::size_t ahead = visit_message ? MostAhead / std::max<std::size_t>(threads_.size(), 1) : 0;
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
        cursors.emplace_back(image_.threads()[i], image_.header().flags, EventOrder::Others::Samples, left_out_[i],
                             threads_[i].longest_transfer, threads_[i].transfers ? ahead : 0);
        if (cursors[i].next())
            earliest.push(i);
    }
    while (!earliest.empty()) {
        std::uint32_t thread = earliest.top();
        earliest.pop();
        const vfd::Event& event = cursors[thread].event();
        if (cursors[thread].is_message())
            visit_message(message_of(event));
        else
            visit({seconds_of(event.ticks), stack_of_[thread][event.node], thread,
                   event.kind == vfd::Event::Kind::Enter});
        if (cursors[thread].next())
            earliest.push(thread);
    }
}

} // namespace vftr::analysis
