// SPDX-License-Identifier: BSD-3-Clause
//
// The file format of speedscope.app (https://www.speedscope.app/file-format-schema.json). A thread of the timeline is a
// profile of the type "evented", in which all calls have an end. A part of the run's profile is one of the type
// "sampled": a call path with time of its own is one sample, which has that time as its weight. Threads come first, in
// the order of ranks, as the viewer opens the first profile and lists them as they come. The format has no place for
// remarks: they are in members of ours, which readers leave alone, and the name of the file says how many they are.
#include "export/depth_first.hpp"
#include "export/format.hpp"
#include "export/json_writer.hpp"
#include "report/shown_names.hpp"

#include "config.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace vftr::exports {

namespace {

// The functions of all parts, which share one list.
class Frames {
public:
    std::uint32_t of(const std::string& name, const SourcePlace* place) {
        const auto [at, is_new] = ids_.try_emplace(name, static_cast<std::uint32_t>(frames_.size()));
        if (is_new)
            frames_.push_back({&at->first, place});
        return at->second;
    }
    void write(JsonWriter& json) const {
        for (const Frame& frame : frames_)
            json.object([&] {
                json.member("name", *frame.name);
                if (frame.place) {
                    json.member("file", frame.place->file);
                    json.member("line", std::uint64_t{frame.place->line});
                }
            });
    }

private:
    struct Frame {
        const std::string* name;
        const SourcePlace* place; // nullptr: not known
    };
    std::unordered_map<std::string, std::uint32_t> ids_;
    std::vector<Frame> frames_;
};

// By node of the part: the function.
std::vector<std::uint32_t> frames_of(const Subject& subject, const analysis::Profile& profile, Frames& frames) {
    const report::ShownNames names(profile);
    std::vector<std::uint32_t> result(profile.nodes.size());
    for (std::uint32_t node = 0; node < result.size(); ++node)
        result[node] = frames.of(names.of(node), subject.place_of(profile, node));
    return result;
}

// The calls of a thread, as profiles of the type "evented" have them.
class Evented final : public analysis::TimelineVisitor {
public:
    Evented(const std::vector<std::uint32_t>& frames, JsonWriter& json) : frames_(frames), json_(json) {}

    void enter(std::uint64_t ns, std::uint32_t path) override { event("O", ns, path); }
    void leave(std::uint64_t ns, std::uint32_t path) override { event("C", ns, path); }

private:
    void event(const char* type, std::uint64_t ns, std::uint32_t path) {
        json_.object([&] {
            json_.member("type", type);
            json_.member("frame", std::uint64_t{frames_[path]});
            json_.member("at", ns);
        });
    }

    const std::vector<std::uint32_t>& frames_;
    JsonWriter& json_;
};

// "rank 03, thread 0" where there are ranks beyond 9, so that readers which sort names have the order of ranks; and so
// with threads, whose indices go up to `last_thread`.
std::string name_of(const analysis::RunTimeline& run, const analysis::RunThread& thread, std::uint32_t last_thread) {
    const analysis::RunProcess& process = run.processes()[thread.process];
    const auto padded = [](std::uint32_t number, std::uint32_t largest) {
        const std::string digits = std::to_string(number);
        return std::string(std::to_string(largest).size() - digits.size(), '0') + digits;
    };
    const std::string rank = std::to_string(process.rank);
    std::string name = process.title;
    if (name.starts_with("rank " + rank))
        name.replace(name.find(rank), rank.size(), padded(process.rank, run.processes().back().rank));
    return name + ", thread " + padded(thread.index, last_thread);
}

void write_thread(const analysis::RunTimeline& run, const analysis::RunThread& thread, std::uint32_t last_thread,
                  const std::vector<std::uint32_t>& frames, JsonWriter& json) {
    json.object([&] {
        json.member("type", "evented");
        json.member("name", name_of(run, thread, last_thread));
        json.member("unit", "nanoseconds");
        json.key("events");
        json.array([&] {
            Evented events(frames, json);
            run.visit(thread, events);
        });
        json.member("startValue", thread.begin);
        json.member("endValue", thread.end);
    });
}

void write_part(const Part& part, const std::vector<std::uint32_t>& frames, JsonWriter& json) {
    const std::vector<Visit> order = depth_first(part.profile);
    std::uint64_t all = 0;
    json.object([&] {
        json.member("type", "sampled");
        json.member("name", part.title);
        json.member("unit", "nanoseconds");
        json.key("samples");
        json.array([&] {
            std::vector<std::uint32_t> path;
            for (const Visit visit : order) {
                path.resize(visit.depth);
                path.push_back(frames[visit.node]);
                if (part.profile.nodes[visit.node].exclusive != 0)
                    json.array([&] {
                        for (const std::uint32_t frame : path)
                            json.value(std::uint64_t{frame});
                    });
            }
        });
        json.key("weights");
        json.array([&] {
            for (const Visit visit : order)
                if (const std::uint64_t weight = part.profile.nodes[visit.node].exclusive; weight != 0) {
                    json.value(weight);
                    all += weight;
                }
        });
        json.member("startValue", std::uint64_t{0});
        json.member("endValue", all);
    });
}

std::string name_of(const Subject& subject) {
    const std::size_t remarks = subject.remarks.size();
    return remarks == 0 ? subject.application
                        : subject.application + " (" + std::to_string(remarks) +
                              (remarks == 1 ? " remark" : " remarks") + " in vftrace_remarks)";
}

} // namespace

void write_speedscope(const Subject& subject, const Options&, Sink& sink) {
    Frames frames;
    const std::vector<std::uint32_t> of_timeline =
        subject.timeline ? frames_of(subject, subject.timeline->paths(), frames) : std::vector<std::uint32_t>();
    std::vector<std::vector<std::uint32_t>> of_parts;
    for (const Part& part : subject.parts)
        of_parts.push_back(frames_of(subject, part.profile, frames));
    JsonWriter json(sink);
    json.object([&] {
        json.member("$schema", "https://www.speedscope.app/file-format-schema.json");
        json.member("exporter", "vftrace " PACKAGE_VERSION);
        json.member("name", name_of(subject));
        json.key("vftrace_remarks");
        json.array([&] {
            for (const std::string& remark : subject.remarks)
                json.value(remark);
        });
        json.key("shared");
        json.object([&] {
            json.key("frames");
            json.array([&] { frames.write(json); });
        });
        json.key("profiles");
        json.array([&] {
            if (const analysis::RunTimeline* run = subject.timeline) {
                std::uint32_t last_thread = 0;
                for (const analysis::RunThread& thread : run->threads())
                    last_thread = std::max(last_thread, thread.index);
                for (const analysis::RunThread& thread : run->threads())
                    write_thread(*run, thread, last_thread, of_timeline, json);
            }
            for (std::size_t i = 0; i < subject.parts.size(); ++i)
                write_part(subject.parts[i], of_parts[i], json);
        });
    });
    sink.character('\n');
}

} // namespace vftr::exports
