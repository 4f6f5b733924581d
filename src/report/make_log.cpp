// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/waits_for_cores.hpp"
#include "report/report.hpp"
#include "report/section.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

namespace vftr::report {
namespace {

const Section* const Sections[] = {
#define VFTR_SECTION(name) &section_##name,
#include "report/sections.def"
#undef VFTR_SECTION
};

// The sections with times of the whole run are made last (report.hpp). All but one come first in the log.
bool of_head(const Section* section) {
    for (const Section* one : {&section_title, &section_findings, &section_summary, &section_breakdown})
        if (section == one)
            return true;
    return false;
}

std::string& file_of(std::vector<LogFile>& files, std::string_view suffix) {
    for (LogFile& file : files)
        if (file.suffix == suffix)
            return file.text;
    files.push_back({std::string(suffix), {}});
    return files.back().text;
}

// About what a log takes, so that it need not be moved while it grows. Memory that is not written to costs nothing.
std::size_t usual_size(const analysis::Profile& profile) {
    constexpr std::size_t Head = 4096, EachPath = 256, MostPaths = 8000;
    return Head + EachPath * std::min(profile.nodes.size(), MostPaths);
}

// A copy in which times of MPI functions are as uncertain as ranks without a core make them; none where that does not
// matter.
std::optional<analysis::Profile> with_uncertain_mpi(const analysis::Profile& profile) {
    const analysis::WaitsForCores waits = analysis::waits_for_cores(profile);
    if (!waits.matter)
        return std::nullopt;
    std::optional<analysis::Profile> copy(profile);
    for (analysis::PathNode& node : copy->nodes)
        if (node.kind == analysis::NodeKind::Mpi)
            node.unknown += std::min(node.exclusive, waits.at_most);
    return copy;
}

} // namespace

std::vector<LogFile> make_log(const analysis::Profile& recorded, const config::Config& config,
                              const std::string& config_source, const std::function<void()>& before_head,
                              const std::vector<analysis::PathDurations>* durations_of_timeline) {
    std::optional<analysis::Profile> on_shared_cores = with_uncertain_mpi(recorded);
    const analysis::Profile& profile = on_shared_cores ? *on_shared_cores : recorded;
    const ShownNames names(profile);
    Context context{profile, config, config_source, std::vector<bool>(profile.nodes.size()), names};
    context.durations = profile.durations.empty() ? durations_of_timeline : &profile.durations;
    std::vector<LogFile> files{LogFile{}};
    files.front().text.reserve(usual_size(profile));
    std::size_t doubts_at = 0;
    const auto write = [&](const Section* section, std::string& text) {
        if (!text.empty())
            text += '\n';
        context.file = &text;
        section->write(context, text);
    };
    for (const Section* section : Sections)
        if (section == &section_doubts)
            doubts_at = files.front().text.size();
        else if (!of_head(section) && section->wanted(context))
            write(section, file_of(files, config.profile_table_separate ? section->suffix : ""));
    if (before_head)
        before_head();
    if (on_shared_cores) {
        on_shared_cores->summary = recorded.summary;
        on_shared_cores->breakdown = recorded.breakdown;
    }
    std::string head;
    context.file = &head;
    for (const Section* section : Sections)
        if (of_head(section) && section->wanted(context)) {
            std::string text; // empty: nothing was found
            section->write(context, text);
            head += (head.empty() || text.empty() ? "" : "\n") + text;
        }
    std::string& tables = files.front().text;
    std::string doubts;
    section_doubts.write(context, doubts);
    if (!doubts.empty())
        tables.insert(doubts_at,
                      (doubts_at == 0 ? "" : "\n") + doubts + (doubts_at == 0 && !tables.empty() ? "\n" : ""));
    if (!tables.empty())
        head += '\n';
    tables.insert(0, head);
    return files;
}

std::vector<std::string_view> log_suffixes() {
    std::vector<std::string_view> suffixes{""};
    for (const Section* section : Sections)
        if (std::find(suffixes.begin(), suffixes.end(), section->suffix) == suffixes.end())
            suffixes.push_back(section->suffix);
    return suffixes;
}

bool begins_as_log(std::string_view text, std::string_view suffix) {
    if (!suffix.empty())
        return std::any_of(std::begin(Sections), std::end(Sections), [&](const Section* section) {
            return section->suffix == suffix && text.starts_with(section->title);
        });
    const std::size_t line = text.find('\n');
    return text.starts_with("Vftrace ") && line != text.npos &&
           text.substr(line + 1).starts_with("Runtime profile for application:");
}

std::string log_stem(const std::string& basename, std::int32_t rank, std::int32_t size) {
    if (rank < 0)
        return basename + "_all";
    std::string number = std::to_string(rank);
    std::size_t digits = std::to_string(size).size();
    if (number.size() < digits)
        number.insert(0, digits - number.size(), '0');
    return basename + "_" + number;
}

} // namespace vftr::report
