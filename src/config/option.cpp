// SPDX-License-Identifier: BSD-3-Clause
#include "config/option.hpp"

#include "config/amount.hpp"

#include "config/json_text.hpp"

#include <algorithm>

namespace vftr::config {
namespace {

using namespace checks;

constexpr Option Table[] = {
#define VFTR_OPTION(...) VFTR_OPTION_FROM("", __VA_ARGS__)
#define VFTR_OPTION_FROM(variable, member, path, type, default_value, check, since, help)                              \
    {path, Type::type, &Config::member, check, Since::since, help, variable},
#include "config/options.def"
#undef VFTR_OPTION
};

// Whether read_environment can read every option that has a variable.
constexpr bool variables_are_text() {
    for (const Option& option : Table)
        if (!option.variable.empty() && option.type != Type::Flag && option.type != Type::Text &&
            option.type != Type::NullableText && option.type != Type::Choice)
            return false;
    return true;
}
static_assert(variables_are_text());

constexpr Field<HwCounter> CounterFields[] = {
    {"hwc_name", &HwCounter::hwc_name, true, "Name of the counter, as its source knows it."},
    {"symbol", &HwCounter::symbol, true, "Name of the counter in formulas."},
};
constexpr Field<HwObservable> ObservableFields[] = {
    {"name", &HwObservable::name, true, "Name of the column."},
    {"formula", &HwObservable::formula, true, "How the value is computed."},
    {"unit", &HwObservable::unit, false, "Unit of the value, as it is shown."},
};

constexpr Field<FilterTrigger> TriggerFields[] = {
    {"function", &FilterTrigger::function, true, "Names of functions, a regular expression.", Type::Regex},
    {"call", &FilterTrigger::call, false, "At which of their calls; the first is 1, which is also the default.",
     Type::Integer, at_least(1)},
    {"action", &FilterTrigger::action, true, "What happens to the recording.", Type::Choice, one_of("start|stop")},
};

std::string range_text(std::string_view noun, const Check& check) {
    std::string text = std::string("a ").append(noun);
    if (!check.unit.empty())
        text.append(" of ").append(check.unit);
    if (check.low == Check().low && check.high == Check().high)
        return text;
    std::string low = number_to_text(check.low);
    if (check.high != Check().high)
        return text + " from " + low + " to " + number_to_text(check.high);
    return text + (check.above_low ? " above " : " of at least ") + low;
}

std::string text_text(const Check& check) {
    switch (check.kind) {
    case Check::Kind::WritableDirectory:
        return "the path of an existing, writable directory";
    case Check::Kind::ReadableFile:
        return "the path of a readable file, or \"\"";
    case Check::Kind::AppendableFile:
        return "the path of a file that can be written to";
    case Check::Kind::Amount:
        return std::string(allowed_amounts);
    case Check::Kind::NotEmpty:
        return "a string that is not empty";
    case Check::Kind::FileName:
        return "a name of at most " + std::to_string(LongestBasename) +
               " bytes without \"/\" (the folder is \"output_directory\")";
    default:
        return "a string";
    }
}

std::string choices_text(std::string_view choices) {
    std::string text;
    for (std::string_view choice : split_choices(choices))
        text.append(text.empty() ? "" : ", ").append(json_string(choice));
    return text;
}

} // namespace

std::span<const Option> all_options() { return Table; }

std::span<const Field<HwCounter>> fields(const HwCounter*) { return CounterFields; }
std::span<const Field<HwObservable>> fields(const HwObservable*) { return ObservableFields; }
std::span<const Field<FilterTrigger>> fields(const FilterTrigger*) { return TriggerFields; }

std::string join(std::string_view section, std::string_view name) {
    std::string path(section);
    if (!path.empty())
        path += '.';
    return path.append(name);
}

std::vector<Child> children(std::string_view section) {
    std::vector<Child> found;
    std::size_t begin = section.empty() ? 0 : section.size() + 1;
    for (const Option& option : Table) {
        if (begin > 0 &&
            !(option.path.starts_with(section) && option.path.size() > begin && option.path[section.size()] == '.'))
            continue;
        std::size_t end = std::min(option.path.find('.', begin), option.path.size());
        Child child{option.path.substr(begin, end - begin), option.path.substr(0, end),
                    end == option.path.size() ? &option : nullptr};
        auto same = [&](const Child& other) { return other.path == child.path; };
        if (std::none_of(found.begin(), found.end(), same))
            found.push_back(child);
    }
    return found;
}

std::string allowed(const Option& option) {
    switch (option.type) {
    case Type::Flag:
        return "true or false";
    case Type::FlagOrChoice:
        return "true, false or " + choices_text(option.check.choices);
    case Type::Integer:
        return range_text("whole number", option.check);
    case Type::IntegerOrChoice:
        return choices_text(option.check.choices) + " or " + range_text("whole number", option.check);
    case Type::Real:
        return range_text("number", option.check);
    case Type::Text:
        return text_text(option.check);
    case Type::NullableText:
        return text_text(option.check) + ", or null";
    case Type::Choice:
        return "one of " + choices_text(option.check.choices);
    case Type::Regex:
        return std::string("a regular expression (PCRE2) such as \"^(f|g)$\"") +
               (std::holds_alternative<std::string Config::*>(option.member) ? "" : ", or null");
    case Type::Ranks:
        return "\"all\", \"none\" or a list of " + std::string(option.check.items) + " such as \"1,4,6,15-23\"";
    case Type::Counters:
        return "a list of {\"hwc_name\": …, \"symbol\": …}";
    case Type::Observables:
        return "a list of {\"name\": …, \"formula\": …, \"unit\": …}";
    case Type::Triggers:
        return "a list of {\"function\": a regular expression, \"call\": a whole number of at least 1, \"action\": \"start\" or \"stop\"}";
    }
    return {};
}

Config defaults_beside(const Config& config) {
    Config defaults;
    defaults.hwprof_active = !config.hwprof_counters.empty() || !config.hwprof_default_scenario.empty();
    return defaults;
}

std::vector<std::string_view> split_choices(std::string_view choices) {
    std::vector<std::string_view> items;
    while (true) {
        std::size_t bar = choices.find('|');
        items.push_back(choices.substr(0, bar));
        if (bar == std::string_view::npos)
            return items;
        choices.remove_prefix(bar + 1);
    }
}

} // namespace vftr::config
