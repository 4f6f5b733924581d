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

std::string& file_of(std::vector<LogFile>& files, std::string_view suffix) {
    for (LogFile& file : files)
        if (file.suffix == suffix)
            return file.text;
    files.push_back({std::string(suffix), {}});
    return files.back().text;
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
                              const std::string& config_source) {
    const std::optional<analysis::Profile> on_shared_cores = with_uncertain_mpi(recorded);
    const analysis::Profile& profile = on_shared_cores ? *on_shared_cores : recorded;
    const ShownNames names(profile);
    Context context{profile, config, config_source, std::vector<bool>(profile.nodes.size()), names};
    std::vector<LogFile> files{LogFile{}};
    for (const Section* section : Sections) {
        if (!section->wanted(context))
            continue;
        std::string& text = file_of(files, config.profile_table_separate ? section->suffix : "");
        if (!text.empty())
            text += '\n';
        context.before = text;
        text += section->text(context);
    }
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
