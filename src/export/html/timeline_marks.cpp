// SPDX-License-Identifier: BSD-3-Clause
#include "export/html/timeline_marks.hpp"

#include "export/html/little_endian.hpp"
#include "export/waits_of_thread.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace vftr::exports {
namespace {

// The columns of a block.
class MarkBlock {
public:
    MarkBlock(std::uint32_t kind, std::size_t marks) {
        append_little_endian(head_, kind);
        append_little_endian(head_, static_cast<std::uint32_t>(marks));
    }

    template <class Marks, class Value>
    void reals(const Marks& marks, Value value) {
        for (const auto& mark : marks)
            append_little_endian(reals_, std::bit_cast<std::uint64_t>(static_cast<double>(value(mark))));
    }
    // Each as the difference to that of the mark before.
    template <class Marks, class Value>
    void differences(const Marks& marks, Value value) {
        std::int64_t before = 0;
        reals(marks, [&](const auto& mark) {
            const auto now = static_cast<std::int64_t>(value(mark));
            return now - std::exchange(before, now);
        });
    }
    template <class Marks, class Value>
    void numbers(const Marks& marks, Value value) {
        for (const auto& mark : marks)
            append_little_endian(numbers_, std::uint32_t{value(mark)});
    }
    void put(const std::function<void(std::string_view)>& put) {
        numbers_.append((8 - numbers_.size() % 8) % 8, '\0');
        put(head_);
        put(reals_);
        put(numbers_);
    }

private:
    std::string head_, reals_, numbers_;
};

// A part of the time, for a page that looks closer, has no waits but its own.
bool is_selected(const analysis::Selection& selection, const analysis::Wait& wait) {
    const auto begin = static_cast<std::uint64_t>(wait.begin);
    return wait.ns >= std::max<std::uint64_t>(selection.shortest, 1) && begin <= selection.to &&
           begin + wait.ns >= selection.from;
}

} // namespace

void TimelineMarks::add(std::uint32_t thread, const analysis::TimelineMessage& message) {
    if (message.pair == 0)
        return;
    const bool send = message.direction == vfd::Direction::Send;
    const End end{send ? message.begin : message.end, thread};
    const auto other = ends_.find(message.pair);
    if (other == ends_.end()) {
        if (ends_.size() < Most)
            ends_.emplace(message.pair, end);
        return;
    }
    const End &from = send ? end : other->second, &to = send ? other->second : end;
    messages_.add(
        {from.moment, message.bytes, static_cast<std::int64_t>(to.moment - from.moment), from.thread, to.thread});
    ends_.erase(other);
}

void TimelineMarks::add(std::uint32_t thread, const analysis::TimelineCollective& collective) {
    if (collective.meeting != 0)
        collectives_.add({collective.begin, collective.meeting, collective.end - collective.begin, thread});
}

void TimelineMarks::put_messages(const std::function<void(std::string_view)>& put) {
    std::vector<Message> all = messages_.take();
    std::ranges::sort(all, {},
                      [](const Message& one) { return std::tuple(one.begin, one.from, one.to, one.ns, one.bytes); });
    MarkBlock block(MessageBlock, all.size());
    block.differences(all, [](const Message& one) { return one.begin; });
    block.reals(all, [](const Message& one) { return one.ns; });
    block.reals(all, [](const Message& one) { return one.bytes; });
    block.numbers(all, [](const Message& one) { return one.from; });
    block.numbers(all, [](const Message& one) { return one.to; });
    block.put(put);
}

void TimelineMarks::put_collectives(const std::function<void(std::string_view)>& put) {
    std::vector<Collective> all = collectives_.take();
    std::unordered_map<std::uint64_t, std::uint64_t> begin_of; // by meeting, of its first call
    for (const Collective& one : all) {
        const auto [found, is_new] = begin_of.try_emplace(one.meeting, one.begin);
        found->second = std::min(found->second, one.begin);
    }
    std::ranges::sort(all, {}, [&](const Collective& one) {
        return std::tuple(begin_of[one.meeting], one.meeting, one.thread, one.begin);
    });
    std::vector<std::uint32_t> meetings;
    for (std::size_t i = 0; i < all.size(); ++i)
        meetings.push_back(i == 0 ? 0 : meetings.back() + (all[i].meeting != all[i - 1].meeting));
    MarkBlock block(CollectiveBlock, all.size());
    block.differences(all, [](const Collective& one) { return one.begin; });
    block.reals(all, [](const Collective& one) { return one.ns; });
    block.numbers(all, [](const Collective& one) { return one.thread; });
    block.numbers(meetings, [](std::uint32_t meeting) { return meeting; });
    block.put(put);
}

void TimelineMarks::put(const analysis::RunTimeline& run, std::span<const analysis::Wait> waits,
                        const std::function<void(std::string_view)>& put) {
    ends_.clear();
    put_messages(put);
    put_collectives(put);
    struct Placed {
        const analysis::Wait* wait;
        std::uint32_t thread;
    };
    std::vector<Placed> placed;
    for (std::uint32_t i = 0; i < run.threads().size(); ++i)
        for (const analysis::Wait& wait : waits_of_thread(run, run.threads()[i], waits))
            if (is_selected(run.selection(), wait))
                placed.push_back({&wait, i});
    MarkBlock block(WaitBlock, placed.size());
    block.differences(placed, [](const Placed& one) { return one.wait->begin; });
    block.reals(placed, [](const Placed& one) { return one.wait->ns; });
    block.numbers(placed, [](const Placed& one) { return one.thread; });
    block.numbers(placed, [](const Placed& one) { return one.wait->cause; });
    block.numbers(placed, [](const Placed& one) { return static_cast<std::uint32_t>(one.wait->state); });
    block.put(put);
}

} // namespace vftr::exports
