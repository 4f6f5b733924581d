// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/recording_summary.hpp"

#include "analysis/profile/expressions.hpp"
#include "analysis/profile/whole_ns.hpp"
#include "analysis/recording/naming.hpp"
#include "base/foreign_text.hpp"
#include "vfd/header_fields.hpp"
#include "vfd/metadata_note.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace vftr::analysis {

namespace {

void take_count(std::uint64_t& into, std::string_view text, std::string_view begins) {
    if (!text.starts_with(begins))
        return;
    text.remove_prefix(begins.size());
    std::uint64_t count = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), count).ec == std::errc())
        into = count;
}

void take_metadata_note(Profile& profile, std::vector<vfd::ExpressionUse>& uses, std::string_view text) {
    if (text.starts_with(vfd::HookCallsStay))
        profile.hook_calls_stay = base::foreign_text(std::string(text.substr(vfd::HookCallsStay.size())));
    if (auto use = vfd::expression_use(text)) {
        use->rule = base::foreign_text(std::move(use->rule));
        use->expression = base::foreign_text(std::move(use->expression));
        uses.push_back(std::move(*use));
        return;
    }
    take_count(profile.summary.hook_calls_out, text, vfd::HookCallsOut);
    take_count(profile.summary.hook_calls_uncertain, text, vfd::HookCallsUncertain);
    take_count(profile.summary.refused_threads, text, vfd::ThreadsRefused);
    take_count(profile.summary.threads_without_ring, text, vfd::ThreadsWithoutRing);
}

} // namespace

void fill_summary(Profile& profile, const vfd::Image& image, const LostTime& lost) {
    const vfd::FileHeader& header = image.header();
    Summary& summary = profile.summary;
    std::uint64_t end = image.end_ticks();
    summary.start_realtime_ns = header.start.realtime_ns;
    summary.end_realtime_ns = image.clock().to_realtime_ns(end);
    const auto ns_of = [&](double ticks) { return whole_ns(ticks * image.clock().ns_per_tick()); };
    RankTimes times;
    if (end > header.start.ticks)
        times.runtime = ns_of(static_cast<double>(end - header.start.ticks));
    times.hook_overhead = ns_of(lost.hooks);
    times.mpi_overhead = ns_of(lost.mpi);
    times.one_time_work = ns_of(lost.one_time_work);
    times.hook_uncertainty = ns_of(lost.uncertainty);
    times.waiting = ns_of(lost.waiting);
    summary.times = HeadTimes(times, std::max(header.rank, 0));
    summary.memory_bytes = header.memory_bytes ? header.memory_bytes : header.file_end;
    summary.unfinished = image.closed() ? 0 : 1;
    summary.recovered = (header.flags & vfd::FlagRecovered) && header.state == vfd::FileState::Sealed ? 1 : 0;
    summary.processes = 1;
    summary.excluded_call_ps = whole_ns(header.costs.excluded * image.clock().ns_per_tick() * 1000);
    summary.max_call_paths = header.max_call_paths;
    summary.mpi = (header.flags & vfd::FlagMpi) != 0;
    summary.file_lost = (header.flags & vfd::FlagFileLost) != 0;
    summary.messages_lost = (header.flags & vfd::FlagMessagesLost) != 0;
    if (summary.mpi && header.rank >= 0 && !(header.flags & (vfd::FlagInFinalize | vfd::FlagForked)))
        (image.closed() && !summary.recovered ? profile.exited_ranks : profile.killed_ranks).add(header.rank);
    const std::string path = vfd::string_of(header.executable);
    profile.application = path.substr(path.rfind('/') + 1);
    if (header.rank >= 0 && header.size > 1)
        profile.applications = {{executable_of(image), {header.rank}}};
    profile.config_text = image.config_text();
    std::vector<vfd::ExpressionUse> uses;
    for (const vfd::NameView& name : image.names())
        if (name.kind == NodeKind::Root)
            take_metadata_note(profile, uses, name.name);
    unite_uses(profile.expressions, uses);
}

void add_ending(Profile& profile, const vfd::FileHeader& header) {
    const std::uint64_t waited = std::min(header.ending_wait_ns, header.ending_ns), worked = header.ending_ns - waited;
    RankTimes times = profile.summary.times.sum;
    times.runtime += header.ending_ns;
    times.one_time_work += worked;
    times.waiting += waited;
    profile.summary.times = HeadTimes(times, profile.first_rank);
    profile.breakdown.add(Activity::Overhead, worked);
    profile.breakdown.add(Activity::NoCore, waited);
}

} // namespace vftr::analysis
