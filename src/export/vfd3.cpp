// SPDX-License-Identifier: BSD-3-Clause
//
// Timeline files of Vftrace 2.0, for its viewers and the scripts that people have. vfd/version3.hpp describes the
// format, and reads what is written here.
//
// That format has one file for a process, and its samples do not say to which thread they belong: in the file of a
// process with threads, calls would not nest. So each thread has a file, as if it were the only one of its process. The
// folder has <application>_<rank>.vfd for the first thread of each rank, which are the names that 2.0 gives, and
// <application>_<rank>_<process id>_<thread>.vfd for all others.
//
// A transfer with a group is a message with each of its members, as in 2.0. Messages with ranks of other jobs are left
// out. Where elements of a message are more than an int can count, they are written as fewer, larger ones. Remarks, for
// which the format has no place, are in remarks.txt.
#include "base/foreign_text.hpp"
#include "export/folder_file.hpp"
#include "export/format.hpp"
#include "report/shown_names.hpp"
#include "vfd/header_fields.hpp"
#include "vfd/version3_samples.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace vftr::exports {

namespace {

using analysis::RunProcess;
using analysis::RunThread;
using analysis::RunTimeline;

// In the byte order of this machine.
class NativeFile : public FolderFile {
public:
    using FolderFile::FolderFile;

    template <class T>
    void put(const T& value) {
        bytes(&value, sizeof value);
    }
    // With its size before it, which includes the zero at its end.
    void text(const std::string& text) {
        put(static_cast<std::int32_t>(text.size() + 1));
        bytes(text.c_str(), text.size() + 1);
    }
};

// As ctime writes it, without its line break.
std::string date_of(std::uint64_t realtime_ns) {
    const auto seconds = static_cast<std::time_t>(realtime_ns / 1'000'000'000);
    std::tm parts{};
    char text[64];
    ::localtime_r(&seconds, &parts);
    return {text, std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &parts)};
}

struct Elements {
    std::int32_t type, count, size;
};

Elements elements_of(std::uint64_t bytes, const vfd::TypeView* type) {
    constexpr std::uint64_t Most = std::numeric_limits<std::int32_t>::max();
    if (type && type->size != 0 && type->size <= Most && bytes % type->size == 0 && bytes / type->size <= Most)
        return {vfd::version3::type_number(type->name), static_cast<std::int32_t>(bytes / type->size),
                static_cast<std::int32_t>(type->size)};
    std::uint64_t size = 1;
    while (bytes / size > Most)
        size *= 2;
    return {vfd::version3::type_number("MPI_BYTE"), static_cast<std::int32_t>(bytes / size),
            static_cast<std::int32_t>(size)};
}

// One thread's file.
class ThreadFile final : public analysis::TimelineVisitor {
public:
    ThreadFile(const RunTimeline& run, const RunThread& thread, const report::ShownNames& names,
               const std::string& path)
        : run_(run), thread_(thread), process_(run.processes()[thread.process]), names_(names), file_(path) {
        header();
        samples_at_ = file_.position();
        stack_of(0);
    }

    void write() {
        run_.visit(thread_, *this);
        stacks_at_ = file_.position();
        for (const std::uint32_t path : paths_) {
            const analysis::PathNode& node = run_.paths().nodes[path];
            file_.put(path == 0 ? -1 : static_cast<std::int32_t>(stacks_.at(node.parent)));
            file_.text(names_.of(path) + (node.precise ? "*" : ""));
        }
        threads_at_ = file_.position();
        file_.put(std::int32_t{-1}); // the parent of the only thread
        counters_at_ = file_.position();
        file_.to_begin();
        header();
        file_.close();
    }

    void enter(std::uint64_t ns, std::uint32_t path) override { sample(vfd::version3::Sample::Kind::Call, ns, path); }
    void leave(std::uint64_t ns, std::uint32_t path) override { sample(vfd::version3::Sample::Kind::Exit, ns, path); }
    void message(const analysis::TimelineMessage& message) override {
        if (!message.group)
            return with(message, message.peer);
        message.group->for_each_rank([&](std::uint32_t rank) {
            if (rank != process_.rank || message.with_itself)
                with(message, rank);
        });
    }

private:
    void header() {
        const std::uint64_t begin = run_.start_realtime();
        file_.put(vfd::version3::Version);
        file_.text("Vftrace " + std::string(vfd::string_of(process_.image->header().version_string)));
        const std::string start = date_of(begin), end = date_of(begin + run_.end());
        file_.text(start);
        file_.bytes(end.c_str(), end.size() + 1);
        file_.put(static_cast<std::int64_t>(std::llround(process_.image->header().sample_interval * 1e9)));
        file_.put(std::max(process_.image->header().size, 1));
        file_.put(static_cast<std::int32_t>(process_.rank));
        file_.put(std::int32_t{1}); // threads
        file_.put(static_cast<double>(run_.end()) * 1e-9);
        file_.put(count_of(functions_));
        file_.put(count_of(messages_));
        file_.put(count_of(paths_.size()));
        file_.put(std::uint32_t{0}); // counters
        file_.put(std::uint32_t{0}); // observables
        for (const std::int64_t place : {samples_at_, stacks_at_, threads_at_, counters_at_})
            file_.put(place);
    }
    static std::uint32_t count_of(std::uint64_t count) {
        if (count > std::numeric_limits<std::uint32_t>::max())
            throw std::runtime_error("a thread has more samples than the format can count; choose a part of the run");
        return static_cast<std::uint32_t>(count);
    }

    void sample(vfd::version3::Sample::Kind kind, std::uint64_t ns, std::uint32_t path) {
        file_.put(static_cast<std::int32_t>(kind));
        file_.put(stack_of(path));
        file_.put(static_cast<std::int64_t>(ns));
        ++functions_;
    }
    void with(const analysis::TimelineMessage& message, std::uint32_t rank) {
        if (rank & vfd::ForeignRank)
            return;
        const Elements elements = elements_of(message.bytes, process_.image->type(message.type));
        file_.put(static_cast<std::int32_t>(vfd::version3::Sample::Kind::Message));
        file_.put(message.direction == vfd::Direction::Send ? std::int32_t{0} : std::int32_t{1});
        file_.put(static_cast<std::int32_t>(rank));
        for (const std::int32_t field : {elements.type, elements.count, elements.size, message.tag})
            file_.put(field);
        file_.put(static_cast<std::int64_t>(message.begin));
        file_.put(static_cast<std::int64_t>(message.end));
        file_.put(stack_of(message.path));
        file_.put(std::int32_t{0}); // thread
        ++messages_;
    }

    // Callers are numbered before what they call, and only what the thread has called is.
    std::uint32_t stack_of(std::uint32_t path) {
        if (const auto known = stacks_.find(path); known != stacks_.end())
            return known->second;
        std::vector<std::uint32_t> unknown{path};
        while (unknown.back() != 0 && !stacks_.contains(run_.paths().nodes[unknown.back()].parent))
            unknown.push_back(run_.paths().nodes[unknown.back()].parent);
        for (std::size_t i = unknown.size(); i-- > 0;) {
            stacks_.emplace(unknown[i], static_cast<std::uint32_t>(paths_.size()));
            paths_.push_back(unknown[i]);
        }
        return stacks_.at(path);
    }

    const RunTimeline& run_;
    const RunThread& thread_;
    const RunProcess& process_;
    const report::ShownNames& names_;
    NativeFile file_;
    std::unordered_map<std::uint32_t, std::uint32_t> stacks_; // by path: its number in the file
    std::vector<std::uint32_t> paths_;                        // by that number
    std::uint64_t functions_ = 0, messages_ = 0;              // samples
    std::int64_t samples_at_ = 0, stacks_at_ = 0, threads_at_ = 0, counters_at_ = 0;
};

void write_remarks(const std::vector<std::string>& remarks, const std::string& path) {
    FolderFile file(path);
    for (const std::string& remark : remarks)
        file.bytes((remark + ".\n").data(), remark.size() + 2);
    file.close();
}

} // namespace

void write_vfd3(const Subject& subject, const Options&, const std::string& folder) {
    const RunTimeline& run = *subject.timeline;
    const report::ShownNames names(run.paths());
    std::string application = subject.application;
    std::ranges::replace(application, '/', '_');
    std::set<std::string> names_of_files;
    for (const RunThread& thread : run.threads()) {
        const RunProcess& process = run.processes()[thread.process];
        std::string name = application + '_' + std::to_string(process.rank);
        if (names_of_files.contains(name))
            name += '_' + std::to_string(process.image->header().pid) + '_' + std::to_string(thread.index);
        // A process has several recordings where it called exec.
        const std::string of_process = name;
        for (int number = 2; !names_of_files.insert(name).second; ++number)
            name = of_process + '_' + std::to_string(number);
        ThreadFile(run, thread, names, folder + '/' + name + ".vfd").write();
    }
    if (!subject.remarks.empty())
        write_remarks(subject.remarks, folder + "/remarks.txt");
}

} // namespace vftr::exports
