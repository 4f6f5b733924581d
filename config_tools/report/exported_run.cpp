// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/exported_run.hpp"

#include "config_tools/report/export_file.hpp"
#include "config_tools/report/interruption.hpp"
#include "config_tools/report/program_profiles.hpp"
#include "config_tools/tell/message.hpp"

#include "advice/objects.hpp"
#include "advice/source_places.hpp"
#include "analysis/timeline/longest_waits.hpp"
#include "analysis/timeline/waits_of.hpp"
#include "base/foreign_text.hpp"
#include "report/function_groups.hpp"
#include "report/notes.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace vftr::cli {
namespace {

constexpr std::uint64_t MostBytesOfTab = 400'000'000; // a tab of a browser takes two to four times as much memory
constexpr std::size_t MostSource = 4'000'000;         // bytes of text, which compress to a fifth
constexpr std::uint64_t NoLimit = ~std::uint64_t{0};

std::vector<std::int32_t> selected_ranks(const RunFiles& files, const config::RankSet& selection) {
    std::vector<std::int32_t> ranks;
    for (const std::int32_t rank : files.ranks())
        if (selection.contains(rank))
            ranks.push_back(rank);
    if (ranks.empty())
        throw std::runtime_error("--ranks: no file is of rank " + selection.text());
    return ranks;
}

bool is_selected(const analysis::Selection& selection, std::int32_t rank, std::uint32_t thread) {
    return selection.ranks.contains(rank) && selection.threads.contains(static_cast<std::int32_t>(thread));
}

std::vector<RunFiles::Thread> selected_threads(const RunFiles& files, const analysis::Selection& selection) {
    std::vector<RunFiles::Thread> threads = files.threads();
    std::erase_if(threads,
                  [&](const RunFiles::Thread& thread) { return !is_selected(selection, thread.rank, thread.index); });
    if (threads.empty())
        throw std::runtime_error("--threads: no file has a thread " + selection.threads.text() + " of a selected rank");
    return threads;
}

// By rank: where its processes ran, as far as known.
using HostsOfRanks = std::map<std::int32_t, std::set<std::string>>;
HostsOfRanks hosts_of_ranks(const RunFiles& files) {
    HostsOfRanks hosts;
    if (!files.merged() || files.size() == 1) // a merged file has the host of one rank
        for (const vfd::Image& image : files.images())
            hosts[std::max(image.header().rank, 0)].insert(base::foreign_text(vfd::string_of(image.header().hostname)));
    return hosts;
}

// Empty: there are several.
std::string common_host(const HostsOfRanks& hosts, const std::vector<std::int32_t>& ranks) {
    std::set<std::string> of_these;
    for (const std::int32_t rank : ranks)
        if (const auto found = hosts.find(rank); found != hosts.end())
            of_these.insert(found->second.begin(), found->second.end());
    return of_these.size() == 1 ? *of_these.begin() : std::string();
}

} // namespace

ExportedRun::ExportedRun(const RunInput& input, const ExportOptions& wanted)
    : files_(input.files()), wanted_(wanted), all_(files_.profile()),
      progress_("", wanted.output != "-" || !::isatty(STDOUT_FILENO)) {
    const analysis::ProcessTree* const tree = input.tree();
    const char* const needs_ranks = wanted.each_thread     ? "--each-thread"
                                    : wanted.each_rank     ? "--each-rank"
                                    : !takes_all_ranks()   ? "--ranks"
                                    : !takes_all_threads() ? "--threads"
                                                           : nullptr;
    if (tree && needs_ranks && !wanted.each_thread)
        throw std::runtime_error(std::string(needs_ranks) +
                                 " needs the files of one run, and the folder has those of several");
    if (needs_ranks && files_.merged())
        throw std::runtime_error(files_.config_label() + ": is the sum over all ranks; " + needs_ranks +
                                 " needs the files of the ranks");
    subject_.application = base::foreign_text(all_.application);
    if (!tree) {
        subject_.remarks = report::notes(all_, {});
        losses_ = report::losses(all_, {});
    }
    if (wanted.lines)
        add_places();
    subject_.build_ids = advice::build_ids(files_.images());
    const bool with_timeline =
        std::ranges::any_of(wanted.formats, [&](const exports::Format* format) { return takes_timeline(*format); });
    if (const analysis::ProcessTree* processes = input.processes(); processes && processes->nodes().size() > 1) {
        subject_.processes = processes;
        subject_.part_of_recording.assign(processes->recordings().size(), analysis::NoNodeIndex);
    }
    if (tree && !wanted.each_thread)
        add_programs(*tree);
    else
        add_parts(with_timeline);
    if (!tree &&
        std::ranges::any_of(wanted.formats, [](const auto* format) { return has_ranks_side_by_side(*format); }))
        add_rank_functions();
    if (wanted.source)
        add_sources();
    if (!tree && subject_.processes && subject_.parts.size() == 1)
        std::ranges::fill(subject_.part_of_recording, 0);
    if (std::ranges::any_of(wanted.formats, [&](const exports::Format* format) { return takes_waits(*format); }))
        add_waits(tree == nullptr);
    if (with_timeline)
        add_timeline();
    check_formats();
    if (timeline_)
        place_waits();
}

// Before the first one is written.
void ExportedRun::check_formats() const {
    for (const exports::Format* format : wanted_.formats) {
        if (timeline_ && takes_timeline(*format))
            continue;
        if (format->needs == exports::Needs::Timeline)
            throw std::runtime_error(files_.config_label() + ": has no timeline, which " + std::string(format->name) +
                                     " needs: record with sampling.active" +
                                     (files_.merged() ? ", and give the files of the ranks" : ""));
        if (!wanted_.needs_timeline.empty())
            throw std::runtime_error(wanted_.needs_timeline + " needs a timeline, and " + std::string(format->name) +
                                     " is made from the profile");
    }
}

void ExportedRun::with_subject(const exports::Format& format, const Use& use) {
    const bool with_timeline = timeline_ && takes_timeline(format);
    const std::size_t remarks = subject_.remarks.size();
    subject_.timeline = with_timeline ? timeline_.get() : nullptr;
    if (with_timeline) {
        subject_.remarks.push_back("Times of the timeline contain the cost of recording and the waits for a core");
        for (std::string& choice : choices())
            subject_.remarks.push_back(std::move(choice));
        known_remarks_ = subject_.remarks.size();
        subject_.remarks.insert(subject_.remarks.end(), timeline_remarks_.begin(), timeline_remarks_.end());
        if (timeline_->has_cut_stream()) // at the end, as where an export finds out while it writes
            subject_.remarks.emplace_back(CutStreamRemark);
    } else {
        known_remarks_ = subject_.remarks.size();
    }
    use(subject_, with_timeline ? timeline_.get() : nullptr);
    subject_.remarks.resize(remarks);
}

void ExportedRun::write(const exports::Format& format, const exports::Options& options, const std::string& path) {
    with_subject(format, [&](exports::Subject& subject, analysis::RunTimeline* timeline) {
        progress_.begin(std::string(format.name));
        const std::uint64_t default_limit = format.reader == exports::Reader::LoadsAll ? MostBytesOfTab : NoLimit;
        write_export(format, subject, timeline, options, path, wanted_.most_bytes.value_or(default_limit));
        progress_.clear();
        if (format.remarks == exports::Remarks::NotInFile) {
            std::vector<std::string> untold = losses_;
            untold.insert(untold.end(), subject.remarks.begin() + static_cast<std::ptrdiff_t>(known_remarks_),
                          subject.remarks.end());
            for (const std::string& remark : untold)
                tell_note(std::string(format.name) + ": " + remark);
        }
    });
    if (wanted_.output.empty()) // a name that the user does not know
        std::printf("%s\n", base::foreign_text(path).c_str());
}

bool ExportedRun::takes_timeline(const exports::Format& format) const {
    return format.needs == exports::Needs::Timeline ||
           (format.needs != exports::Needs::Profile && !wanted_.no_timeline);
}
bool ExportedRun::takes_waits(const exports::Format& format) const {
    return format.needs == exports::Needs::EitherWithWaits && takes_timeline(format) && files_.ranks().size() > 1;
}

bool ExportedRun::takes_all_ranks() const { return wanted_.selection.ranks == config::RankSet::all(); }
bool ExportedRun::takes_all_threads() const { return wanted_.selection.threads == config::RankSet::all(); }

void ExportedRun::add_parts(bool keep_all) {
    const config::RankSet &ranks = wanted_.selection.ranks, &threads = wanted_.selection.threads;
    const HostsOfRanks hosts = hosts_of_ranks(files_);
    const auto add = [&](std::string title, analysis::Profile profile, const std::vector<std::int32_t>& its_ranks,
                         std::optional<std::uint32_t> thread = std::nullopt) {
        subject_.parts.push_back({std::move(title), std::move(profile), thread, common_host(hosts, its_ranks)});
    };
    const auto profile_of_threads_of = [&](const std::vector<std::int32_t>& its_ranks) {
        return takes_all_threads() ? files_.profile_of_ranks(its_ranks) : files_.profile_of_threads(its_ranks, threads);
    };
    std::vector<RunFiles::Thread> of_threads;
    if (wanted_.each_thread || !takes_all_threads())
        of_threads = selected_threads(files_, wanted_.selection);
    if (wanted_.each_thread) {
        for (const RunFiles::Thread& thread : of_threads)
            add(thread.title, files_.profile_of_thread(thread), {thread.rank}, thread.index);
    } else if (wanted_.each_rank) {
        for (const std::int32_t rank : selected_ranks(files_, ranks))
            add("rank " + std::to_string(rank),
                takes_all_threads() ? files_.profile_of_rank(rank) : profile_of_threads_of({rank}), {rank});
    } else if (!takes_all_ranks() || !takes_all_threads()) {
        const std::vector<std::int32_t> selected = selected_ranks(files_, ranks);
        std::string title = takes_all_ranks() ? "" : "ranks " + ranks.text();
        if (!takes_all_threads())
            title += (title.empty() ? "threads " : ", threads ") + threads.text();
        add(title, profile_of_threads_of(selected), selected);
    } else { // a copy of millions of call paths is made only where it must be
        const char* const title = all_.rank_count > 1 ? "all ranks" : "all calls";
        add(title, keep_all ? all_ : std::move(all_), files_.ranks());
    }
}

void ExportedRun::add_programs(const analysis::ProcessTree& tree) {
    for (const ProgramParts& parts : program_parts(tree, {}, false)) {
        ProgramProfile program = profile_of_parts(tree, parts);
        if (program.profile.nodes.empty())
            continue;
        for (const ProgramParts::Part& part : parts.parts)
            subject_.part_of_recording[part.recording] = static_cast<std::uint32_t>(subject_.parts.size());
        std::string title = base::foreign_text(parts.program);
        for (const std::string& note : report::notes(program.profile, {}))
            subject_.remarks.push_back(title + ": " + note);
        for (const std::string& loss : report::losses(program.profile, {}))
            losses_.push_back(title + ": " + loss);
        if (parts.processes > 1)
            title += ", " + std::to_string(parts.processes) + (parts.job ? " ranks" : " processes");
        subject_.parts.push_back({std::move(title), std::move(program.profile)});
    }
    if (const std::size_t others = subject_.parts.size() - 1; subject_.parts.size() > 1)
        subject_.application +=
            others == 1 ? " and another program" : " and " + std::to_string(others) + " other programs";
}

void ExportedRun::add_places() {
    const auto places = advice::source_places(files_.images(), all_.names);
    if (places.empty())
        tell_note("no debug information of the program was found: compile with -g, and export where the program is");
    for (const auto& [name, place] : places)
        subject_.places.emplace(name, exports::SourcePlace{base::foreign_text(place.file), place.line});
}

// Of the functions of all parts, those with most time first.
void ExportedRun::add_sources() {
    struct Found {
        std::uint64_t ns;
        advice::SourceStart start;
    };
    std::vector<Found> found;
    for (const exports::Part& part : subject_.parts)
        for (const report::FunctionGroup& function : report::function_groups(part.profile, 0))
            if (const exports::SourcePlace* place = subject_.place_of(part.profile, function.first_path))
                found.push_back({function.exclusive, {place->file, place->line}});
    std::ranges::stable_sort(found, {}, [](const Found& one) { return ~one.ns; });
    std::vector<advice::SourceStart> starts;
    for (Found& one : found)
        starts.push_back(std::move(one.start));
    subject_.sources = advice::source_excerpts(starts, MostSource);
    if (const std::size_t missing = subject_.sources.unread; missing != 0)
        subject_.remarks.push_back("The source of " + std::to_string(missing) +
                                   " functions is not there, as their files cannot be read here");
    if (const std::size_t missing = subject_.sources.left_out; missing != 0)
        subject_.remarks.push_back("The source of " + std::to_string(missing) +
                                   " functions with little time is left out for its size");
}

// Where there is one profile of several ranks that have files.
void ExportedRun::add_rank_functions() {
    if (files_.merged() || !takes_all_threads() || subject_.parts.size() != 1)
        return;
    const std::vector<std::int32_t> ranks = selected_ranks(files_, wanted_.selection.ranks);
    if (ranks.size() < 2)
        return;
    progress_.begin("ranks");
    subject_.rank_functions = exports::RankFunctions(subject_.parts.front().profile, ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        progress_.show(i, ranks.size());
        subject_.rank_functions.add(ranks[i], files_.profile_of_rank(ranks[i]));
    }
    progress_.clear();
}

void ExportedRun::add_timeline() {
    progress_.begin("reading");
    timeline_ = std::make_unique<analysis::RunTimeline>(files_.images(), all_, wanted_.selection, [this](double part) {
        Interruption::check();
        progress_.show(part);
    });
    progress_.clear();
    if (timeline_->processes().empty()) {
        timeline_.reset();
        return;
    }
    if (std::ranges::any_of(timeline_->processes(), [](const auto& process) { return !process.exact; }))
        timeline_remarks_.push_back(
            "The timeline has one event at each sampling.sample_interval; what is between them is not known");
    if (std::ranges::any_of(timeline_->processes(), [](const analysis::RunProcess& process) {
            return process.image->header().flags & vfd::FlagRingBuffer;
        }))
        timeline_remarks_.push_back("Of each thread there is the latest part only (sampling.keep_last)");
}

// What the user has chosen of the timeline.
std::vector<std::string> ExportedRun::choices() const {
    std::vector<std::string> remarks;
    if (!takes_all_ranks())
        remarks.push_back("Of ranks " + wanted_.selection.ranks.text() + " only (--ranks)");
    if (!takes_all_threads())
        remarks.push_back("Of threads " + wanted_.selection.threads.text() + " only (--threads)");
    if (wanted_.selection.function)
        remarks.push_back("Calls of selected functions only (--functions)");
    if (wanted_.selection.from != 0 || wanted_.selection.to != analysis::Selection().to)
        remarks.push_back("A part of the time only (--from, --to): calls that go beyond it are cut");
    if (wanted_.selection.shortest != 0)
        remarks.push_back("Calls shorter than " + std::to_string(wanted_.selection.shortest) +
                          " ns are left out (--min-duration)");
    return remarks;
}

// Needs the timelines of all ranks; what is selected is a part of what comes out.
void ExportedRun::add_waits(bool of_one_run) {
    analysis::LongestWaits longest;
    try {
        analysis::Waits waits = analysis::waits_of(files_.images(), all_, [&](const analysis::Wait& wait) {
            if (takes(wait))
                longest.add(wait);
        });
        if (of_one_run)
            tell_waits(std::move(waits));
    } catch (const std::runtime_error& problem) {
        timeline_remarks_.push_back("There are no wait states: " + base::foreign_text(problem.what()));
        return;
    }
    subject_.waits = longest.take();
    if (wanted_.selection.has_whole_time()) // else their part of it is not known
        subject_.waiting = longest.left_out_ns();
    if (longest.left_out() != 0)
        timeline_remarks_.push_back(std::to_string(longest.left_out()) +
                                    " wait states are left out, all of them shorter than those that are shown");
}

// To findings of the profile that is that of all ranks.
void ExportedRun::tell_waits(analysis::Waits waits) {
    if (subject_.parts.size() != 1 || wanted_.each_rank || wanted_.each_thread || !takes_all_ranks() ||
        !takes_all_threads())
        return;
    exports::Part& part = subject_.parts.front();
    if (part.profile.nodes.size() != all_.nodes.size()) // paths were added, of which waits tell
        part.profile = all_;
    part.waits = std::move(waits);
}

bool ExportedRun::takes(const analysis::Wait& wait) const {
    const analysis::Selection& selection = wanted_.selection;
    return is_selected(selection, static_cast<std::int32_t>(wait.rank), wait.thread) && wait.ns >= selection.shortest &&
           (!selection.function || selection.function(all_.names[all_.nodes[wait.path].name]));
}

// Brings them to the moment 0 of the timeline, cuts them to the selected time, and adds them up.
void ExportedRun::place_waits() {
    const auto from = static_cast<analysis::Moment>(wanted_.selection.from);
    const auto to = static_cast<analysis::Moment>(std::min(wanted_.selection.to, timeline_->end()));
    for (analysis::Wait& wait : subject_.waits) {
        const analysis::Moment begin = wait.begin - timeline_->start_monotonic(),
                               end = std::min(begin + static_cast<analysis::Moment>(wait.ns), to);
        wait.begin = std::max({begin, from, analysis::Moment{0}});
        wait.ns = static_cast<std::uint64_t>(std::max(end - wait.begin, analysis::Moment{0}));
    }
    std::erase_if(subject_.waits, [](const analysis::Wait& wait) { return wait.ns == 0; });
    for (const analysis::Wait& wait : subject_.waits)
        subject_.waiting[static_cast<std::size_t>(wait.state)] += wait.ns;
}

void print_export(const RunInput& input, const exports::Format& format, std::optional<std::int32_t> rank) {
    ExportOptions wanted;
    wanted.formats = {&format};
    wanted.output = "-";
    if (rank)
        wanted.selection.ranks = *config::RankSet::parse(std::to_string(*rank), nullptr);
    const Interruption interruption;
    ExportedRun(input, wanted).write(format, wanted.format, wanted.output);
}

} // namespace vftr::cli
