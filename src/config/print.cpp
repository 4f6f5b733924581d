// SPDX-License-Identifier: BSD-3-Clause
#include "config/json_text.hpp"
#include "config/option.hpp"

namespace vftr::config {
namespace {

constexpr std::size_t Indent = 3;

std::string margin(std::size_t depth) {
    return "\n" + std::string(depth * Indent, ' ');
}

std::string value_text(bool value, std::size_t) {
    return value ? "true" : "false";
}
std::string value_text(std::int64_t value, std::size_t) {
    return std::to_string(value);
}
std::string value_text(double value, std::size_t) {
    return number_to_text(value);
}
std::string value_text(const std::string& value, std::size_t) {
    return json_string(value);
}
std::string value_text(const std::optional<std::string>& value, std::size_t) {
    return value ? json_string(*value) : "null";
}
std::string value_text(const RankSet& value, std::size_t) {
    return json_string(value.text());
}

template <class Record>
std::string value_text(const std::vector<Record>& records, std::size_t depth) {
    std::string text;
    for (const Record& record : records) {
        text.append(text.empty() ? "" : ",").append(margin(depth + 1));
        std::string sep = "{";
        for (const Field<Record>& field : fields(&record)) {
            text += sep + json_string(field.name) + ": ";
            text += std::visit([&](auto member) { return value_text(record.*member, depth); }, field.member);
            sep = ", ";
        }
        text += "}";
    }
    return text.empty() ? "[]" : "[" + text + margin(depth) + "]";
}

std::string section_text(const Config& config, std::string_view section, std::size_t depth) {
    std::string text;
    for (const Child& child : children(section)) {
        text.append(text.empty() ? "" : ",").append(margin(depth));
        text += json_string(child.name) + ": ";
        text += child.option ? option_text(*child.option, config, depth)
                             : section_text(config, child.path, depth + 1);
    }
    return "{" + text + margin(depth - 1) + "}";
}

} // namespace

std::string option_text(const Option& option, const Config& config, std::size_t depth) {
    return std::visit([&](auto member) { return value_text(config.*member, depth); },
                      option.member);
}

std::string print_json(const Config& config) {
    return section_text(config, "", 1) + "\n";
}

} // namespace vftr::config
