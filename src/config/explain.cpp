// SPDX-License-Identifier: BSD-3-Clause
#include "config/option.hpp"

namespace vftr::config {
namespace {

bool is_within(std::string_view path, std::string_view section) {
    return section.empty() || path == section || (path.starts_with(section) && path[section.size()] == '.');
}

template <class Record>
std::string fields_text() {
    std::string text;
    for (const Field<Record>& field : fields(static_cast<Record*>(nullptr)))
        text.append("      ").append(field.name).append(": ").append(field.help).append("\n");
    return text;
}

std::string option_help(const Option& option) {
    std::string text(option.path);
    text.append("\n    ").append(option.help);
    text += "\n    Default: " + option_text(option, Config());
    text += "\n    Allowed: " + allowed(option) + "\n";
    if (!option.variable.empty())
        text.append("    Environment: ").append(option.variable).append(" overrides the file.\n");
    visit_list(option, [&]<class Record>(std::vector<Record> Config::*) { text += fields_text<Record>(); });
    if (option.since == Since::Later)
        text += "    Accepted, takes effect in a later version.\n";
    return text;
}

} // namespace

std::string explain(std::string_view path_or_section) {
    std::string text;
    for (const Option& option : all_options())
        if (is_within(option.path, path_or_section))
            text.append(text.empty() ? "" : "\n").append(option_help(option));
    return text;
}

} // namespace vftr::config
