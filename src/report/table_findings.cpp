// SPDX-License-Identifier: BSD-3-Clause
//
// What matters, before all tables: a line for each finding (findings/finding.hpp).
#include "report/findings/finding.hpp"
#include "report/findings_text.hpp"
#include "report/number_text.hpp"
#include "report/section.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vftr::report {
namespace {

std::string right(const std::string& text, std::size_t columns) {
    return std::string(columns - std::min(columns, text.size()), ' ') + text;
}
std::string left(const std::string& text, std::size_t columns) {
    return text + std::string(columns - std::min(columns, text.size()), ' ');
}

std::string section_text(Context& context) {
    const Evidence evidence(context.profile, context.names, nullptr,
                            static_cast<std::size_t>(context.config.max_name_width));
    const std::vector<Finding> all = findings(evidence);
    context.hooks_told = std::ranges::any_of(all, &Finding::before_all);
    return findings_text(all);
}

} // namespace

std::string findings_text(std::span<const Finding> all) {
    if (all.empty())
        return "";
    constexpr std::size_t Share = 7, Title = 15;
    std::string text = "What matters (in percent of the time of all threads; findings overlap)\n";
    for (const Finding& finding : all)
        text += right(percent(finding.share), Share) + "  " + left(std::string(finding.rule->title) + ':', Title) +
                ' ' + finding.text + '\n';
    return text;
}

extern const Section section_findings{"", "", [](const Context& context) { return context.config.findings_show; },
                                      append<section_text>};

} // namespace vftr::report
