// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline.hpp"

#include "analysis/flat_map.hpp"
#include "analysis/naming.hpp"
#include "vfd/event_reader.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace vftr::analysis {
namespace {

// Finds a thread's paths in the united tree.
class Placer {
public:
    Placer(const vfd::Image& image, Profile& stacks)
        : names_(image), stacks_(stacks), paths_(stacks.nodes.size()) {
        for (std::size_t i = 0; i < stacks.names.size(); ++i)
            index_.try_emplace(stacks.names[i], static_cast<std::uint32_t>(i));
        for (std::size_t i = 1; i < stacks.nodes.size(); ++i)
            paths_[path_key(stacks.nodes[i].parent, stacks.nodes[i].name)] =
                static_cast<std::uint32_t>(i);
    }

    std::vector<std::uint32_t> place(const vfd::ThreadView& thread) {
        std::vector<std::uint32_t> places;
        places.reserve(thread.node_count);
        for (std::span<const vfd::Node> chunk : thread.node_chunks)
            for (const vfd::Node& node : chunk) {
                if (places.size() == thread.node_count)
                    return places;
                // The parent has been checked to come before; a live writer may not change it.
                places.push_back(places.empty() ? 0 : child(places.at(node.parent), node));
            }
        return places;
    }

private:
    // A profile leaves out paths that were never called. One that is in the stream nevertheless
    // (the writer died between the two) gets an id behind the others.
    std::uint32_t child(std::uint32_t parent, const vfd::Node& node) {
        auto [name, is_new] =
            index_.try_emplace(names_.of(node), static_cast<std::uint32_t>(stacks_.names.size()));
        if (is_new)
            stacks_.names.push_back(name->first);
        std::uint32_t& path = paths_[path_key(parent, name->second)];
        if (path == FlatMap::Missing) {
            path = static_cast<std::uint32_t>(stacks_.nodes.size());
            PathNode added;
            added.parent = parent;
            added.name = name->second;
            added.kind = node.kind;
            added.precise = node.flags & vfd::NodePrecise;
            stacks_.nodes.push_back(added);
        }
        return path;
    }

    Names names_;
    Profile& stacks_;
    std::unordered_map<std::string, std::uint32_t> index_;
    FlatMap paths_;
};

} // namespace

// The samples of one thread, one after the other.
class Timeline::Cursor {
public:
    Cursor(const vfd::ThreadView& view, std::uint32_t flags) : reader_(view, flags) {}

    // False at the end. A leave of what was never entered tells nothing and is passed over.
    bool next() {
        while (reader_.next(event_))
            if (event_.kind != vfd::Event::Kind::Thread && event_.node != vfd::NoNode)
                return true;
        return false;
    }
    const vfd::Event& event() const { return event_; }
    bool complete() const { return reader_.complete(); }

private:
    vfd::EventReader reader_;
    vfd::Event event_{};
};

Timeline::Timeline(const vfd::Image& image) : image_(image), stacks_(profile_of(image)) {
    canonicalise(stacks_);
    Placer placer(image, stacks_);
    stack_of_.reserve(image.threads().size());
    for (const vfd::ThreadView& view : image.threads()) {
        stack_of_.push_back(placer.place(view));
        add_thread(view);
    }
}

void Timeline::add_thread(const vfd::ThreadView& view) {
    const vfd::ThreadRecord& record = *view.record;
    Cursor cursor(view, image_.header().flags);
    std::uint64_t samples = 0, last = 0;
    for (; cursor.next(); ++samples)
        last = cursor.event().ticks;
    last_sample_ = std::max(last_sample_, seconds_of(last));
    threads_.push_back({record.index, record.tid, record.reused, seconds_of(record.begin),
                        seconds_of(record.end ? record.end : image_.end_ticks()), samples,
                        cursor.complete()});
}

std::uint64_t Timeline::sample_count() const {
    std::uint64_t sum = 0;
    for (const TimelineThread& thread : threads_)
        sum += thread.samples;
    return sum;
}

// Time never runs backwards within a thread, and may on two cores by a few ticks: before the first
// hook is the start.
double Timeline::seconds_of(std::uint64_t ticks) const {
    std::uint64_t start = image_.header().start.ticks;
    return ticks > start ? static_cast<double>(ticks - start) * image_.ns_per_tick() * 1e-9 : 0;
}

void Timeline::for_each_sample(const std::function<void(const Sample&)>& visit) const {
    std::vector<Cursor> cursors;
    cursors.reserve(threads_.size());
    auto later = [&](std::uint32_t a, std::uint32_t b) {
        std::uint64_t ticks_a = cursors[a].event().ticks, ticks_b = cursors[b].event().ticks;
        return ticks_a > ticks_b || (ticks_a == ticks_b && a > b);
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(later)> earliest(later);
    for (std::uint32_t i = 0; i < image_.threads().size(); ++i) {
        cursors.emplace_back(image_.threads()[i], image_.header().flags);
        if (cursors[i].next())
            earliest.push(i);
    }
    while (!earliest.empty()) {
        std::uint32_t thread = earliest.top();
        earliest.pop();
        const vfd::Event& event = cursors[thread].event();
        visit({seconds_of(event.ticks), stack_of_[thread][event.node], thread,
               event.kind == vfd::Event::Kind::Enter});
        if (cursors[thread].next())
            earliest.push(thread);
    }
}

} // namespace vftr::analysis
