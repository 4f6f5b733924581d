// SPDX-License-Identifier: BSD-3-Clause
//
// The Trace Event Format of Chromium (chrome://tracing, DevTools, Perfetto, catapult): JSON with an event for each
// call. Its description is "Trace Event Format" by the Chromium project. A call is a complete event ("X"), written
// where it ends, as viewers sort by time; of calls with equal times, which a viewer nests in the order of the file, the
// outer one comes first. A call that has not ended is a begin ("B"). A message is a flow from its send to
// its receive ("s", "f"), bound to the calls in which they are. Times are in µs with three decimals.
#include "export/format.hpp"
#include "export/json_writer.hpp"
#include "export/kind_name.hpp"
#include "export/one_ended_messages.hpp"
#include "report/shown_names.hpp"

#include "config.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

namespace vftr::exports {

namespace {

using analysis::RunProcess;
using analysis::RunThread;
using analysis::RunTimeline;
using analysis::TimelineMessage;

// The calls and messages of one thread.
class ThreadOfEvents final : public analysis::TimelineVisitor {
public:
    ThreadOfEvents(const Subject& subject, const RunThread& thread, std::uint64_t pid, const report::ShownNames& names,
                   JsonWriter& json)
        : subject_(subject), run_(*subject.timeline), thread_(thread), pid_(pid), names_(names), json_(json) {}

    void enter(std::uint64_t ns, std::uint32_t) override {
        flush();
        begins_.push_back(ns);
    }
    void leave(std::uint64_t ns, std::uint32_t path) override {
        const Ended ended{begins_.back(), ns, path};
        begins_.pop_back();
        if (!ended_.empty() && (ended_.back().begin != ended.begin || ended_.back().end != ended.end))
            flush();
        ended_.push_back(ended);
    }
    // Also after the last event of the thread.
    void flush() {
        for (; !ended_.empty(); ended_.pop_back())
            json_.object([&, ended = ended_.back()] {
                call("X", ended.begin, ended.path);
                json_.key("dur");
                micros(ended.end - ended.begin);
            });
    }
    void still_open(std::uint64_t, std::span<const std::uint32_t> open) override {
        for (std::size_t i = 0; i < open.size(); ++i)
            json_.object([&] { call("B", begins_[i], open[i]); });
    }
    void message(const TimelineMessage& message) override {
        if (message.pair == 0)
            return;
        const bool send = message.direction == vfd::Direction::Send;
        json_.object([&] {
            event(send ? "s" : "f", send ? message.begin : message.end);
            json_.member("cat", "message");
            json_.member("name", "message");
            char id[19]; // text, as numbers of JavaScript have 53 bits
            std::snprintf(id, sizeof id, "0x%" PRIx64, message.pair);
            json_.member("id", id);
            if (!send)
                json_.member("bp", "e"); // it belongs to the call around it, not to the next one
            json_.key("args");
            json_.object([&] {
                if (message.peer & vfd::ForeignRank)
                    json_.member(send ? "to rank of another job" : "from rank of another job",
                                 std::uint64_t{message.peer & ~vfd::ForeignRank});
                else
                    json_.member(send ? "to rank" : "from rank", std::uint64_t{message.peer});
                json_.member("bytes", message.bytes);
                json_.member("tag", static_cast<std::uint64_t>(message.tag));
            });
        });
    }

private:
    struct Ended {
        std::uint64_t begin, end;
        std::uint32_t path;
    };

    void micros(std::uint64_t ns) {
        char text[32];
        json_.number(text,
                     std::snprintf(text, sizeof text, "%" PRIu64 ".%03u", ns / 1000, static_cast<unsigned>(ns % 1000)));
    }
    void event(const char* phase, std::uint64_t ns) {
        json_.member("ph", phase);
        json_.member("pid", pid_);
        json_.member("tid", std::uint64_t{thread_.index});
        json_.key("ts");
        micros(ns);
    }
    void call(const char* phase, std::uint64_t ns, std::uint32_t path) {
        event(phase, ns);
        json_.member("cat", kind_name(run_.paths().nodes[path].kind));
        json_.member("name", names_.of(path));
        if (const SourcePlace* place = subject_.place_of(run_.paths(), path)) {
            json_.key("args");
            json_.object([&] {
                json_.member("file", place->file);
                json_.member("line", std::uint64_t{place->line});
            });
        }
    }

    const Subject& subject_;
    const RunTimeline& run_;
    const RunThread& thread_;
    const std::uint64_t pid_;
    const report::ShownNames& names_;
    JsonWriter& json_;
    std::vector<std::uint64_t> begins_;
    std::vector<Ended> ended_; // not written yet: calls within each other that have equal times, the innermost first
};

// What viewers call metadata: `fill` writes its only argument.
template <class Fill>
void metadata(JsonWriter& json, const char* name, std::uint64_t process, std::uint32_t thread, Fill fill) {
    json.object([&] {
        json.member("ph", "M");
        json.member("name", name);
        json.member("pid", process);
        json.member("tid", std::uint64_t{thread});
        json.key("args");
        json.object(fill);
    });
}

// By process. The first process of a rank has the rank's number, others have numbers beyond all ranks: a viewer takes
// two processes of one pid for one, and the ranks of several hosts may have equal ones.
std::vector<std::uint64_t> pids_of(const RunTimeline& run) {
    std::vector<std::uint64_t> pids;
    std::uint64_t next = 0;
    for (const RunProcess& process : run.processes())
        next = std::max(next, std::uint64_t{process.rank} + 1);
    for (std::size_t i = 0; i < run.processes().size(); ++i) {
        const std::uint32_t rank = run.processes()[i].rank;
        pids.push_back(i == 0 || run.processes()[i - 1].rank != rank ? rank : next++);
    }
    return pids;
}

void describe(const RunTimeline& run, const std::vector<std::uint64_t>& pids, JsonWriter& json) {
    for (std::uint32_t i = 0; i < run.processes().size(); ++i) {
        const RunProcess& process = run.processes()[i];
        metadata(json, "process_name", pids[i], 0, [&] { json.member("name", process.title); });
        metadata(json, "process_labels", pids[i], 0, [&] { json.member("labels", process.host); });
        metadata(json, "process_sort_index", pids[i], 0,
                 [&] { json.member("sort_index", std::uint64_t{process.rank}); });
    }
    for (const RunThread& thread : run.threads()) {
        metadata(json, "thread_name", pids[thread.process], thread.index,
                 [&] { json.member("name", "thread " + std::to_string(thread.index)); });
        metadata(json, "thread_sort_index", pids[thread.process], thread.index,
                 [&] { json.member("sort_index", std::uint64_t{thread.index}); });
    }
}

} // namespace

void write_chrome(const Subject& subject, const Options&, Sink& sink) {
    const RunTimeline& run = *subject.timeline;
    const report::ShownNames names(run.paths());
    const std::vector<std::uint64_t> pids = pids_of(run);
    std::vector<std::string> remarks = subject.remarks;
    remark_one_ended_messages(run.threads(), remarks);
    JsonWriter json(sink);
    json.object([&] {
        json.member("displayTimeUnit", "ns");
        json.key("otherData");
        json.object([&] {
            json.member("exporter", "vftrace " PACKAGE_VERSION);
            json.member("application", subject.application);
            for (std::size_t i = 0; i < remarks.size(); ++i)
                json.member("remark " + std::to_string(i + 1), remarks[i]);
        });
        json.key("traceEvents");
        json.array([&] {
            describe(run, pids, json);
            for (const RunThread& thread : run.threads()) {
                ThreadOfEvents events(subject, thread, pids[thread.process], names, json);
                run.visit(thread, events);
                events.flush();
            }
        });
    });
    sink.character('\n');
}

} // namespace vftr::exports
