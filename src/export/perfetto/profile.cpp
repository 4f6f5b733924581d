// SPDX-License-Identifier: BSD-3-Clause
#include "export/perfetto/profile.hpp"

#include "base/foreign_text.hpp"
#include "export/depth_first.hpp"
#include "export/perfetto/notes.hpp"
#include "export/perfetto/sequence.hpp"
#include "report/shown_names.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace vftr::exports::perfetto {

namespace {

// The clocks of a trace begin here, in ns, as the start on CLOCK_MONOTONIC is not known and 0 is no time.
constexpr std::uint64_t Begin = 1'000'000'000;
constexpr std::uint32_t NotesNumber = 1u << 30; // those of parts are their places, from 1

void intern_text(Builder<InternedData>& data, InternedData field, std::uint32_t iid, const std::string& text) {
    message<InternedText>(data, field, [&](auto& entry) {
        entry.add_uint64(InternedText::Iid, iid);
        entry.add_bytes(InternedText::Text, text);
    });
}

// The samples of one part. A function has one id, for its name, its frame and its source.
class PartOfSamples {
public:
    PartOfSamples(const Subject& subject, const Part& part, Sequence& sequence, std::uint32_t number)
        : subject_(subject), profile_(part.profile), names_(part.profile), sequence_(sequence), number_(number),
          known_(part.profile.names.size()) {}

    void write() {
        std::vector<std::uint32_t> path; // nodes, outermost first
        for (const Visit visit : depth_first(profile_)) {
            path.resize(visit.depth);
            path.push_back(visit.node);
            if (profile_.nodes[visit.node].exclusive != 0 || profile_.nodes[visit.node].calls != 0)
                write_sample(path);
        }
    }

private:
    void write_sample(const std::vector<std::uint32_t>& path) {
        const analysis::PathNode& its = profile_.nodes[path.back()];
        ++last_stack_;
        sequence_.packet([&](auto& packet) {
            packet.add_uint64(TracePacket::Timestamp, 0); // since the one before
            message<InternedData>(packet, TracePacket::InternedData, [&](auto& data) {
                for (const std::uint32_t node : path)
                    define(data, node);
                message<Callstack>(data, InternedData::Callstacks, [&](auto& stack) {
                    stack.add_uint64(Callstack::Iid, last_stack_);
                    for (const std::uint32_t node : path)
                        stack.add_uint64(Callstack::FrameIids, std::uint64_t{profile_.nodes[node].name} + 1);
                });
            });
            message<StackSample>(packet, TracePacket::StackSample, [&](auto& sample) {
                message<SampledTask>(sample, StackSample::Task, [&](auto& task) {
                    task.add_uint32(SampledTask::Pid, number_);
                    task.add_uint32(SampledTask::Tid, number_);
                });
                sample.add_uint64(StackSample::CallstackIid, last_stack_);
                sample.add_uint64(StackSample::Weight, its.exclusive);
                sample.add_packed_uint64(StackSample::FollowerWeights, &its.calls, &its.calls + 1);
            });
        });
    }

    void define(Builder<InternedData>& data, std::uint32_t node) {
        const std::uint32_t name = profile_.nodes[node].name, iid = name + 1;
        if (known_[name])
            return;
        const SourcePlace* place = subject_.places.empty() ? nullptr : subject_.place_of(profile_, node);
        known_[name] = true;
        intern_text(data, InternedData::FunctionNames, iid, names_.of_name(name));
        if (place)
            intern_text(data, InternedData::SourcePaths, iid, base::foreign_text(place->file));
        message<Frame>(data, InternedData::Frames, [&](auto& frame) {
            frame.add_uint64(Frame::Iid, iid);
            frame.add_uint64(Frame::FunctionNameIid, iid);
            if (place) {
                frame.add_uint64(Frame::SourcePathIid, iid);
                frame.add_uint32(Frame::LineNumber, place->line);
            }
        });
    }

    const Subject& subject_;
    const analysis::Profile& profile_;
    const report::ShownNames names_;
    Sequence& sequence_;
    std::uint32_t number_;
    std::uint64_t last_stack_ = 0;
    std::vector<bool> known_; // by name
};

void describe_weights(Builder<PacketDefaults>& defaults) {
    message<StackSampleDefaults>(defaults, PacketDefaults::StackSample, [](auto& samples) {
        samples.add_string(StackSampleDefaults::Source, "vftrace");
        message<Weight>(samples, StackSampleDefaults::Weight, [](auto& weight) {
            weight.add_string(Weight::Name, "exclusive time");
            weight.add_enum(Weight::Unit, Nanoseconds);
        });
        message<Weight>(samples, StackSampleDefaults::Followers, [](auto& weight) {
            weight.add_string(Weight::Name, "calls");
            weight.add_enum(Weight::Unit, Count);
        });
    });
}

void describe_part(Sequence& sequence, const std::string& application, const std::string& title, std::uint32_t number,
                   std::uint64_t uuid) {
    sequence.track([&](auto& track) {
        track.add_uint64(TrackDescriptor::Uuid, uuid);
        track.add_int32(TrackDescriptor::SiblingOrderRank, static_cast<std::int32_t>(number));
        message<Process>(track, TrackDescriptor::Process, [&](auto& process) {
            process.add_int32(Process::Pid, static_cast<std::int32_t>(number));
            process.add_string(Process::CommandLine, application);
            process.add_string(Process::Name, title);
            process.add_int32(Process::SortIndex, static_cast<std::int32_t>(number));
        });
    });
}

} // namespace

void write_profile(const Subject& subject, Sink& sink) {
    const analysis::Summary& summary = subject.parts.front().profile.summary;
    const Start start{Begin, summary.start_realtime_ns};
    std::vector<std::string> notes = subject.remarks;
    notes.emplace_back(
        "This is a profile without a timeline, for the flame graph of Perfetto 58 or later: all samples are "
        "at the start");
    write_notes({NotesNumber, NotesNumber,
                 std::max(summary.end_realtime_ns, summary.start_realtime_ns + 1) - summary.start_realtime_ns},
                subject.application, notes, start, sink);
    for (std::uint32_t i = 0; i < subject.parts.size(); ++i) {
        const Part& part = subject.parts[i];
        Sequence sequence(
            sink, start, i + 1, i + 1, [](auto&) {}, describe_weights);
        describe_part(sequence, subject.application, part.title, i + 1, i + 1);
        PartOfSamples(subject, part, sequence, i + 1).write();
    }
}

} // namespace vftr::exports::perfetto
