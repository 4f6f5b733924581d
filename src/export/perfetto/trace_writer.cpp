// SPDX-License-Identifier: BSD-3-Clause
#include "export/perfetto/trace_writer.hpp"

#include "base/foreign_text.hpp"
#include "export/one_ended_messages.hpp"
#include "export/perfetto/notes.hpp"
#include "export/perfetto/sequence.hpp"
#include "export/perfetto/waits.hpp"
#include "report/shown_names.hpp"
#include "vfd/header_fields.hpp"

#include "config.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::exports::perfetto {

// What all sequences use of the run. The paths and names that the latest sequence used are marked with its number.
struct PathEvents {
    explicit PathEvents(const Subject& its_subject)
        : subject(its_subject), run(*its_subject.timeline), names(run.paths()), begins(run.paths().nodes.size()),
          name_iids(run.paths().names.size()) {}

    struct Begin {
        std::uint32_t sequence = 0;
        std::uint8_t size = 0;
        char rest[Sequence::MostRest] = {};
    };
    struct NameIid {
        std::uint32_t sequence = 0, iid = 0;
    };
    const Subject& subject;
    const analysis::RunTimeline& run;
    const report::ShownNames names;
    std::vector<Begin> begins;      // by path
    std::vector<NameIid> name_iids; // by name
};

namespace {

using analysis::RunProcess;
using analysis::RunThread;
using analysis::TimelineMessage;

// Their ids on every sequence are their places here, from 1.
constexpr std::string_view CategoryNames[] = {"function", "mpi", "openmp", "region", "message"};
enum CategoryIid : std::uint32_t { FunctionCategory = 1, MpiCategory, OpenMpCategory, RegionCategory, MessageCategory };
constexpr std::string_view AnnotationNames[] = {
    "to rank", "from rank", "bytes", "tag", "communicator", "to rank of another job", "from rank of another job"};
enum AnnotationIid : std::uint32_t { ToRank = 1, FromRank, Bytes, Tag, Communicator, ToForeignRank, FromForeignRank };
constexpr std::string_view MessageNames[] = {"send", "receive"};
enum MessageNameIid : std::uint32_t { SendName = 1, ReceiveName, FirstFunctionName };

CategoryIid category_iid(analysis::NodeKind kind) {
    switch (kind) {
    case analysis::NodeKind::Mpi:
        return MpiCategory;
    case analysis::NodeKind::OpenMp:
        return OpenMpCategory;
    case analysis::NodeKind::Region:
        return RegionCategory;
    default:
        return FunctionCategory;
    }
}

void intern(Builder<InternedData>& data, InternedData field, std::uint64_t iid, std::string_view name) {
    message<InternedName>(data, field, [&](auto& entry) {
        entry.add_uint64(InternedName::Iid, iid);
        entry.add_string(InternedName::Name, name.data(), name.size());
    });
}
template <std::size_t N>
void intern_all(Builder<InternedData>& data, InternedData field, const std::string_view (&names)[N]) {
    for (std::size_t i = 0; i < N; ++i)
        intern(data, field, i + 1, names[i]);
}

template <class Fields>
void add_text(Builder<Fields>& fields, Fields field, const std::string& text) {
    fields.add_string(field, text);
}

// The calls and messages of one thread.
class ThreadOfSlices final : public analysis::TimelineVisitor {
public:
    // `number` is from 1.
    ThreadOfSlices(PathEvents& events, Sequence& sequence, std::uint32_t number)
        : events_(events), sequence_(sequence), number_(number) {
        const std::string_view rest = sequence_.rest(SliceEnd, [](auto&) {});
        end_size_ = rest.size();
        rest.copy(end_, sizeof end_);
    }

    void enter(std::uint64_t ns, std::uint32_t path) override {
        PathEvents::Begin& begin = events_.begins[path];
        if (begin.sequence != number_)
            define(begin, path);
        sequence_.event(ns, begin.rest, begin.size);
    }
    void leave(std::uint64_t ns, std::uint32_t) override { sequence_.event(ns, end_, end_size_); }
    void still_open(std::uint64_t, std::span<const std::uint32_t>) override {}
    void message(const TimelineMessage& message) override {
        if (message.pair == 0)
            return;
        const bool send = message.direction == vfd::Direction::Send;
        sequence_.event(send ? message.begin : message.end, Instant, [&](auto& event) {
            event.add_uint64(TrackEvent::CategoryIids, MessageCategory);
            event.add_uint64(TrackEvent::NameIid, send ? SendName : ReceiveName);
            event.add_fixed64(send ? TrackEvent::FlowIds : TrackEvent::TerminatingFlowIds, message.pair);
            if (message.peer & vfd::ForeignRank)
                annotate(event, send ? ToForeignRank : FromForeignRank, message.peer & ~vfd::ForeignRank);
            else
                annotate(event, send ? ToRank : FromRank, message.peer);
            annotate(event, Bytes, message.bytes);
            annotate(event, Tag, static_cast<std::uint64_t>(message.tag));
            if (message.communicator != 0)
                annotate(event, Communicator, message.communicator);
        });
    }

private:
    static void annotate(Builder<TrackEvent>& event, AnnotationIid name, std::uint64_t value) {
        perfetto::message<DebugAnnotation>(event, TrackEvent::DebugAnnotations, [&](auto& annotation) {
            annotation.add_uint64(DebugAnnotation::NameIid, name);
            annotation.add_uint64(DebugAnnotation::UintValue, value);
        });
    }

    void define(PathEvents::Begin& begin, std::uint32_t path) {
        const analysis::Profile& paths = events_.run.paths();
        const SourcePlace* place = events_.subject.places.empty() ? nullptr : events_.subject.place_of(paths, path);
        PathEvents::NameIid& name = events_.name_iids[paths.nodes[path].name];
        if (name.sequence != number_) {
            name = {number_, next_name_++};
            define_name(name.iid, events_.names.of(path), place);
        }
        const std::string_view rest = sequence_.rest(SliceBegin, [&](auto& event) {
            event.add_uint64(TrackEvent::CategoryIids, category_iid(paths.nodes[path].kind));
            event.add_uint64(TrackEvent::NameIid, name.iid);
            if (place)
                event.add_uint64(TrackEvent::SourceLocationIid, name.iid);
        });
        begin.sequence = number_;
        begin.size = static_cast<std::uint8_t>(rest.size());
        rest.copy(begin.rest, sizeof begin.rest);
    }
    void define_name(std::uint32_t iid, const std::string& name, const SourcePlace* place) {
        sequence_.packet([&](auto& packet) {
            perfetto::message<InternedData>(packet, TracePacket::InternedData, [&](auto& data) {
                intern(data, InternedData::EventNames, iid, name);
                if (place)
                    perfetto::message<SourceLocation>(data, InternedData::SourceLocations, [&](auto& location) {
                        location.add_uint64(SourceLocation::Iid, iid);
                        add_text(location, SourceLocation::FileName, base::foreign_text(place->file));
                        add_text(location, SourceLocation::FunctionName, name);
                        location.add_uint32(SourceLocation::LineNumber, place->line);
                    });
            });
        });
    }

    PathEvents& events_;
    Sequence& sequence_;
    std::uint32_t number_, next_name_ = FirstFunctionName;
    char end_[Sequence::MostRest] = {};
    std::size_t end_size_;
};

void describe_process(Sequence& sequence, const RunProcess& process, std::uint32_t place, const Ids::OfProcess& ids) {
    const vfd::FileHeader header = process.image->header();
    const std::string program = base::foreign_text(vfd::string_of(header.executable));
    const std::string label = process.host + ", pid " + std::to_string(header.pid);
    sequence.track([&](auto& track) {
        track.add_uint64(TrackDescriptor::Uuid, ids.uuid);
        track.add_int32(TrackDescriptor::SiblingOrderRank, static_cast<std::int32_t>(place));
        add_text(track, TrackDescriptor::Description, process.title + " on " + label + ": " + program);
        message<Process>(track, TrackDescriptor::Process, [&](auto& fields) {
            fields.add_int32(Process::Pid, static_cast<std::int32_t>(ids.pid));
            if (header.arguments[0] == '\0')
                add_text(fields, Process::CommandLine, program);
            for (std::size_t at = 0; at < sizeof header.arguments && header.arguments[at];) {
                const std::string argument(header.arguments + at,
                                           strnlen(header.arguments + at, sizeof header.arguments - at));
                add_text(fields, Process::CommandLine, base::foreign_text(argument));
                at += argument.size() + 1;
            }
            add_text(fields, Process::Name, process.title);
            add_text(fields, Process::Labels, label);
            fields.add_int32(Process::SortIndex, static_cast<std::int32_t>(place));
        });
    });
}

void describe_thread(Sequence& sequence, const RunThread& thread, const Ids::OfProcess& process,
                     const Ids::OfThread& ids) {
    sequence.track([&](auto& track) {
        track.add_uint64(TrackDescriptor::Uuid, ids.uuid);
        track.add_uint64(TrackDescriptor::ParentUuid, process.uuid);
        track.add_int32(TrackDescriptor::SiblingOrderRank, static_cast<std::int32_t>(thread.index));
        message<Thread>(track, TrackDescriptor::Thread, [&](auto& fields) {
            fields.add_int32(Thread::Pid, static_cast<std::int32_t>(process.pid));
            fields.add_int32(Thread::Tid, static_cast<std::int32_t>(ids.tid));
            add_text(fields, Thread::Name, "thread " + std::to_string(thread.index));
            fields.add_int32(Thread::SortIndex, static_cast<std::int32_t>(thread.index));
        });
    });
}

} // namespace

TraceWriter::TraceWriter(const Subject& subject)
    : subject_(subject), run_(*subject.timeline),
      ids_(run_), start_{static_cast<std::uint64_t>(std::max<std::int64_t>(run_.start_monotonic(), 0)),
                         run_.start_realtime()},
      events_(std::make_unique<PathEvents>(subject)) {}

TraceWriter::~TraceWriter() = default;

void TraceWriter::write(std::size_t first, std::size_t end, Sink& sink) {
    if (!run_.processes().empty())
        notes(std::span(run_.threads()).subspan(first, end - first), sink);
    for (std::size_t i = first; i < end; ++i) {
        const RunThread& thread = run_.threads()[i];
        Sequence sequence(sink, start_, ids_.thread(i).sequence, ids_.thread(i).uuid, [&](auto& data) {
            intern_all(data, InternedData::EventCategories, CategoryNames);
            if (thread.messages != 0) {
                intern_all(data, InternedData::EventNames, MessageNames);
                intern_all(data, InternedData::DebugAnnotationNames, AnnotationNames);
            }
        });
        if (i == first || run_.threads()[i - 1].process != thread.process)
            describe_process(sequence, run_.processes()[thread.process], thread.process, ids_.process(thread.process));
        describe_thread(sequence, thread, ids_.process(thread.process), ids_.thread(i));
        ThreadOfSlices slices(*events_, sequence, static_cast<std::uint32_t>(i + 1));
        run_.visit(thread, slices);
        write_waits(subject_, thread, events_->names, ids_.process(thread.process).uuid, ids_.waits(i), start_, sink);
    }
}

void TraceWriter::notes(std::span<const RunThread> threads, Sink& sink) const {
    std::vector<std::string> notes = subject_.remarks;
    remark_one_ended_messages(threads, notes);
    if (!ids_.are_of_kernel())
        notes.emplace_back("Process and thread ids are numbers of this file, as those of several hosts may be equal");
    const Ids::OfThread& place = ids_.notes(threads.empty() ? 0 : threads.front().process);
    write_notes({place.sequence, place.uuid, run_.end()}, subject_.application, notes, start_, sink);
}

} // namespace vftr::exports::perfetto
