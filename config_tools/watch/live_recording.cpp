// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/watch/live_recording.hpp"

#include "config_tools/files/writer_of.hpp"

#include "analysis/profile/waiting.hpp"
#include "analysis/profile/whole_ns.hpp"
#include "analysis/recording/thread_rows.hpp"
#include "analysis/recording/thread_times.hpp"
#include "base/clock.hpp"
#include "base/message.hpp"
#include "symbols/store.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace vftr::cli {
namespace {

// Now, on the clock that the recording counts with; all 0 where we cannot read that one.
vfd::ClockPair now_on(vfd::ClockKind clock) {
    const base::Moment now = base::read_moment();
    if (static_cast<vfd::ClockKind>(base::tick_source) == clock)
        return {now.ticks, now.monotonic_ns, now.realtime_ns};
    return clock == vfd::ClockKind::Monotonic ? vfd::ClockPair{now.monotonic_ns, now.monotonic_ns, now.realtime_ns}
                                              : vfd::ClockPair{};
}

template <class Number>
Number& grow_to(std::vector<Number>& numbers, std::size_t place) {
    numbers.resize(std::max(numbers.size(), place + 1));
    return numbers[place];
}

} // namespace

LiveRecording::LiveRecording(std::string path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0)
        throw vfd::Error(path_, 0, "cannot open: " + std::string(base::error_text(errno)));
    base::choose_tick_source();
}

LiveRecording::~LiveRecording() { ::close(descriptor_); }

std::uint32_t LiveRecording::place_of(analysis::Names& names, const vfd::Node& node) {
    const Key key{node.key, static_cast<std::uint32_t>(node.kind) << 16 | node.module};
    auto [place, is_new] = places_.try_emplace(key, 0);
    if (is_new)
        place->second = place_of_name(names.of(node));
    return place->second;
}

std::uint32_t LiveRecording::place_of_name(const std::string& name) {
    const auto [index, is_new] = by_name_.try_emplace(name, names_.size());
    if (is_new)
        names_.push_back(name);
    return index->second;
}

void LiveRecording::add_thread(const vfd::Image& image, const analysis::WorkAttribution& attribution,
                               std::uint32_t position, analysis::NameTable& names, LiveProfile& profile, Sums& sums) {
    const vfd::ThreadView& thread = image.threads()[position];
    const vfd::ThreadRecord& record = *thread.record;
    const std::uint64_t end = record.end ? record.end : std::max(image.end_ticks(), record.last);
    analysis::ThreadTimes times = analysis::thread_times(thread, image.header().costs, end);
    const std::vector<analysis::UnhookedTime> unhooked = analysis::use_samples_of(image, thread, names, times);
    // Where it is now: a call that is not timed has no frame.
    std::uint32_t innermost = vfd::NoNode;
    if (record.end == 0) {
        const bool count_only = record.count_only_node != 0 && record.count_only_node < thread.node_count;
        profile.count_only += count_only;
        innermost = count_only ? record.count_only_node : thread.stack.empty() ? 0 : thread.stack.back().node;
    }
    struct Shown {
        std::uint32_t place = 0;
        vfd::NodeKind kind = vfd::NodeKind::Root;
    };
    std::vector<Shown> shown(thread.node_count);
    for (std::uint32_t id = 0; id < thread.node_count; ++id) {
        const vfd::Node& node = thread.node(id);
        if (vfd::calls_of(node) == 0 && times.of[id].exclusive == 0 && id != innermost)
            continue;
        const bool attached = node.kind == vfd::NodeKind::AttributedWork;
        const analysis::NodeOfThread owner =
            attached ? attribution.owner(image, {position, id}) : analysis::NodeOfThread{position, id};
        const vfd::Node& owned = image.threads()[owner.thread].node(owner.node);
        const bool idle = id == 0 && analysis::only_workers(thread);
        shown[id] = {idle ? place_of_name(analysis::IdleName) : place_of(names.names(), owned), owned.kind};
        const bool text = id != 0 && node.parent < id &&
                          analysis::is_outlined_function(shown[node.parent].kind, node.kind, names_[shown[id].place]);
        if (text)
            shown[id] = shown[node.parent];
        const std::uint32_t place = shown[id].place;
        grow_to(sums.ticks, place) += static_cast<double>(times.of[id].exclusive);
        grow_to(sums.calls, place) += attached || text ? 0 : vfd::calls_of(node);
        if (!times.unseen.empty())
            sums.calls[place] += times.unseen[id].calls;
        grow_to(sums.threads_now, place) += id == innermost;
        if (!times.variance.empty())
            grow_to(sums.variance, place) += times.variance[id];
        grow_to(sums.unknown, place) += times.unknown[id];
        profile.hooks += analysis::whole_ns(times.of[id].overhead * profile.ns_per_tick);
    }
    for (const analysis::UnhookedTime& time : unhooked)
        add_unhooked(time, shown[time.node].place, names.text(time.name), sums);
}

// What it takes is a part of its caller's time.
void LiveRecording::add_unhooked(const analysis::UnhookedTime& time, std::uint32_t caller, const std::string& name,
                                 Sums& sums) {
    const std::uint32_t place = place_of_name(name);
    grow_to(sums.unhooked, place) = true;
    for (const auto& [at, ticks] :
         {std::pair{place, static_cast<double>(time.ticks)}, std::pair{caller, -static_cast<double>(time.ticks)}}) {
        grow_to(sums.ticks, at) += ticks;
        grow_to(sums.variance, at) += time.variance;
    }
}

LiveProfile LiveRecording::take() {
    const vfd::FileCopy copy("/proc/self/fd/" + std::to_string(descriptor_), path_);
    LiveProfile profile;
    profile.recording = analysis::recording_of(copy.header(), path_, machine_);
    settle_killed(profile.recording);
    const bool here = profile.recording.host == machine_.hostname;
    const vfd::Image image = copy.image_at(here ? now_on(copy.header().clock) : vfd::ClockPair{});
    profile.taken_ns = here ? base::monotonic_ns() : image.clock().to_ns(image.end_ticks());
    profile.recording.end_realtime_ns =
        std::max(profile.recording.start_realtime_ns, image.clock().to_realtime_ns(image.end_ticks()));
    profile.threads =
        static_cast<std::size_t>(std::count_if(image.threads().begin(), image.threads().end(),
                                               [](const vfd::ThreadView& thread) { return thread.record->end == 0; }));
    profile.ns_per_tick = image.clock().ns_per_tick();
    profile.costs = image.header().costs;
    profile.flags = image.header().flags;
    profile.timeline = copy.events();
    std::vector<std::string> texts;
    analysis::NameTable names(
        image, symbols::NameSources{symbols::store_beside(path_), static_cast<std::int32_t>(image.header().pid)},
        texts);
    Sums sums;
    const analysis::WorkAttribution attribution(image);
    for (std::uint32_t position = 0; position < image.threads().size(); ++position)
        add_thread(image, attribution, position, names, profile, sums);
    sums.ticks.resize(names_.size());
    sums.variance.resize(names_.size());
    sums.unknown.resize(names_.size());
    sums.calls.resize(names_.size());
    sums.threads_now.resize(names_.size());
    sums.unhooked.resize(names_.size());
    const double ns = profile.ns_per_tick;
    for (std::size_t i = 0; i < names_.size(); ++i)
        profile.functions.push_back({names_[i], sums.unhooked[i] != 0, sums.calls[i],
                                     analysis::whole_ns(sums.ticks[i] * ns),
                                     analysis::whole_us2(sums.variance[i] * ns * ns),
                                     analysis::whole_ns(sums.unknown[i] * ns), sums.threads_now[i]});
    return profile;
}

} // namespace vftr::cli
