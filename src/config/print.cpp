// SPDX-License-Identifier: BSD-3-Clause
#include "config/json_text.hpp"
#include "config/option.hpp"

namespace vftr::config {
namespace {

constexpr std::size_t Indent = 3;

std::string margin(std::size_t depth) { return "\n" + std::string(depth * Indent, ' '); }

std::string value_text(bool value, std::size_t) { return value ? "true" : "false"; }
std::string value_text(const FlagOrWord& value, std::size_t) {
    return value.word.empty() ? value_text(value.on, 0) : json_string(value.word);
}
std::string value_text(std::int64_t value, std::size_t) { return std::to_string(value); }
std::string value_text(const IntegerOrWord& value, std::size_t) {
    return value.word.empty() ? value_text(value.number, 0) : json_string(value.word);
}
std::string value_text(double value, std::size_t) { return number_to_text(value); }
std::string value_text(const std::string& value, std::size_t) { return json_string(value); }
std::string value_text(const std::optional<std::string>& value, std::size_t) {
    return value ? json_string(*value) : "null";
}
std::string value_text(const RankSet& value, std::size_t) { return json_string(value.text()); }

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

bool is_same(const Option& option, const Config& a, const Config& b) {
    return std::visit([&](auto member) { return a.*member == b.*member; }, option.member);
}

// Returns the section without the options that are as in `known`; empty if that is all of them.
std::string section_text(const Config& config, const Config* known, std::string_view section, std::size_t depth) {
    std::string text;
    for (const Child& child : children(section)) {
        std::string value;
        if (!child.option)
            value = section_text(config, known, child.path, depth + 1);
        else if (!known || !is_same(*child.option, config, *known))
            value = option_text(*child.option, config, depth);
        if (!value.empty())
            text.append(text.empty() ? "" : ",").append(margin(depth)).append(json_string(child.name) + ": " + value);
    }
    return text.empty() ? "" : "{" + text + margin(depth - 1) + "}";
}

} // namespace

std::string option_text(const Option& option, const Config& config, std::size_t depth) {
    return std::visit([&](auto member) { return value_text(config.*member, depth); }, option.member);
}

std::string print_json(const Config& config) { return section_text(config, nullptr, "", 1) + "\n"; }

std::string print_changes(const Config& config) {
    const Config defaults = defaults_beside(config);
    const std::string text = section_text(config, &defaults, "", 1);
    return (text.empty() ? "{}" : text) + "\n";
}

} // namespace vftr::config
