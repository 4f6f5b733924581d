// SPDX-License-Identifier: BSD-3-Clause
#include "export/perfetto/waits.hpp"

#include "export/waits_of_thread.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace vftr::exports::perfetto {

namespace {

using analysis::Wait;

void annotate_text(Builder<TrackEvent>& event, const char* name, const std::string& text) {
    message<DebugAnnotation>(event, TrackEvent::DebugAnnotations, [&](auto& annotation) {
        annotation.add_string(DebugAnnotation::Name, name);
        annotation.add_string(DebugAnnotation::StringValue, text);
    });
}

// Slices of one track have to nest. The waits of one thread follow each other, except where one call completes several
// transfers: a wait that ends after the one within which it begins is cut.
class NestedSlices {
public:
    NestedSlices(const report::ShownNames& names, Sequence& sequence) : names_(names), sequence_(sequence) {}
    ~NestedSlices() { end_until(~std::uint64_t{0}); }

    void add(const Wait& wait) {
        const auto begin = static_cast<std::uint64_t>(wait.begin);
        end_until(begin);
        const std::uint64_t end = ends_.empty() ? begin + wait.ns : std::min(ends_.back(), begin + wait.ns);
        sequence_.event(begin, SliceBegin, [&](auto& event) {
            event.add_string(TrackEvent::Categories, "wait");
            event.add_string(TrackEvent::Name, analysis::name_of(wait.state));
            annotate_text(event, "call", names_.of(wait.path));
            message<DebugAnnotation>(event, TrackEvent::DebugAnnotations, [&](auto& annotation) {
                annotation.add_string(DebugAnnotation::Name,
                                      wait.state == analysis::WaitState::EarlyExit ? "first rank" : "late rank");
                annotation.add_uint64(DebugAnnotation::UintValue, wait.cause);
            });
        });
        ends_.push_back(end);
    }

private:
    void end_until(std::uint64_t ns) {
        for (; !ends_.empty() && ends_.back() <= ns; ends_.pop_back())
            sequence_.event(ends_.back(), SliceEnd, [](auto&) {});
    }

    const report::ShownNames& names_;
    Sequence& sequence_;
    std::vector<std::uint64_t> ends_; // of open slices, outermost first
};

} // namespace

void write_waits(const Subject& subject, const analysis::RunThread& thread, const report::ShownNames& names,
                 std::uint64_t process, const Ids::OfThread& ids, const Start& start, Sink& sink) {
    const std::span<const Wait> waits = waits_of_thread(*subject.timeline, thread, subject.waits);
    const std::uint64_t shortest = subject.timeline->selection().shortest;
    if (std::ranges::none_of(waits, [&](const Wait& wait) { return wait.ns >= shortest; }))
        return;
    Sequence sequence(sink, start, ids.sequence, ids.uuid, [](auto&) {});
    sequence.track([&](auto& track) {
        track.add_uint64(TrackDescriptor::Uuid, ids.uuid);
        track.add_uint64(TrackDescriptor::ParentUuid, process);
        track.add_string(TrackDescriptor::Name,
                         thread.index == 0 ? "wait states" : "wait states of thread " + std::to_string(thread.index));
    });
    NestedSlices slices(names, sequence);
    for (const Wait& wait : waits)
        if (wait.ns >= shortest)
            slices.add(wait);
}

} // namespace vftr::exports::perfetto
