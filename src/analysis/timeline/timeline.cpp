// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/timeline.hpp"

#include "analysis/recording/path_indices.hpp"
#include "vfd/event_reader.hpp"
#include "vfd/packed.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace vftr::analysis {

// Reads the samples of one thread and, if requested, its transfers in the order of their begins.
class Timeline::Cursor {
public:
    // `ahead` is the largest number of transfers to keep; 0: no transfers are read.
    Cursor(const vfd::ThreadView& view, std::uint32_t flags, const TimelineThread& thread,
           const std::vector<bool>& passed_over, std::size_t ahead)
        : reader_(view, flags), ahead_(view, flags), left_out_(passed_over), longest_(thread.longest_transfer),
          most_(thread.transfers ? ahead : 0), all_read_(most_ == 0) {}

    // Goes to the next event; false at the end.
    bool next() {
        if (!have_sample_)
            have_sample_ = next_sample();
        while (!all_read_ && pending_.size() < most_ && may_come_before(earliest()))
            read_ahead();
        is_message_ = !pending_.empty() && (!have_sample_ || begin_of(pending_.front()) < sample_.ticks);
        if (is_message_) {
            std::pop_heap(pending_.begin(), pending_.end(), later);
            message_ = pending_.back();
            pending_.pop_back();
            return true;
        }
        return std::exchange(have_sample_, false);
    }
    bool is_message() const { return is_message_; }
    const vfd::Event& event() const { return is_message_ ? message_ : sample_; }
    std::uint64_t ticks() const { return is_message_ ? begin_of(message_) : sample_.ticks; }

    static std::uint64_t end_of(const vfd::Event& transfer) {
        return transfer.ticks - std::min(transfer.late, transfer.ticks);
    }
    static std::uint64_t begin_of(const vfd::Event& transfer) {
        const std::uint64_t end = end_of(transfer);
        return end - std::min(transfer.duration, end);
    }
    // Whether an event is a sample. A leave event of a function that was never entered has no information and is not
    // one. `passed_over` has the nodes whose events are left out, by node; empty: none.
    static bool is_sample(const vfd::Event& event, const std::vector<bool>& passed_over) {
        return event.kind <= vfd::Event::Kind::Leave && event.node != vfd::NoNode &&
               (passed_over.empty() || !passed_over[event.node]);
    }

private:
    static bool later(const vfd::Event& a, const vfd::Event& b) { return begin_of(a) > begin_of(b); }

    bool next_sample() {
        while (reader_.next(sample_))
            if (is_sample(sample_, left_out_))
                return true;
        return false;
    }
    void read_ahead() {
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
    std::uint64_t earliest() const {
        std::uint64_t ticks = have_sample_ ? sample_.ticks : ~std::uint64_t{0};
        return pending_.empty() ? ticks : std::min(ticks, begin_of(pending_.front()));
    }
    // Whether a transfer that has not been read yet may have begun before `ticks`.
    bool may_come_before(std::uint64_t ticks) const {
        return ahead_ticks_ < longest_ || ahead_ticks_ - longest_ < ticks;
    }

    vfd::EventReader reader_, ahead_;
    const std::vector<bool>& left_out_;
    std::uint64_t longest_;
    std::size_t most_;
    bool all_read_;
    bool have_sample_ = false, is_message_ = false;
    vfd::Event sample_{}, message_{};
    std::uint64_t ahead_ticks_ = 0;
    std::vector<vfd::Event> pending_; // transfers that have been read and not visited, as a heap by begin
};

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
        left_out_.push_back(outlined_functions(view, stack_of_.back()));
        add_thread(view);
    }
}

// By node: whether it is a function that clang has outlined from a construct, whose events are left out. Where all
// events are recorded, those of the construct itself have the same information; where only samples are recorded, each
// one counts.
std::vector<bool> Timeline::outlined_functions(const vfd::ThreadView& view,
                                               const std::vector<std::uint32_t>& places) const {
    std::vector<bool> texts;
    if (!(image_.header().flags & vfd::FlagAllEvents))
        return texts;
    for (std::uint32_t id = 0; id < places.size(); ++id)
        if (view.node(id).kind == NodeKind::Function && stacks_.nodes[places[id]].kind == NodeKind::OpenMp) {
            texts.resize(places.size());
            texts[id] = true;
        }
    return texts;
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
            longest = std::max(longest, event.ticks - Cursor::begin_of(event));
        }
        const bool sample = Cursor::is_sample(event, left_out_.back());
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
    return ticks > start ? static_cast<double>(ticks - start) * image_.ns_per_tick() * 1e-9 : 0;
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
    return {seconds_of(Cursor::begin_of(event)),
            seconds_of(Cursor::end_of(event)),
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
    std::vector<Cursor> cursors;
    cursors.reserve(threads_.size());
    auto later = [&](std::uint32_t a, std::uint32_t b) {
        std::uint64_t ticks_a = cursors[a].ticks(), ticks_b = cursors[b].ticks();
        return ticks_a > ticks_b || (ticks_a == ticks_b && a > b);
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(later)> earliest(later);
    std::size_t ahead = visit_message ? MostAhead / std::max<std::size_t>(threads_.size(), 1) : 0;
    for (std::uint32_t i = 0; i < threads_.size(); ++i) {
        cursors.emplace_back(image_.threads()[i], image_.header().flags, threads_[i], left_out_[i], ahead);
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
