// SPDX-License-Identifier: BSD-3-Clause
//
// options.def as data. Printing, schema, help, advice and parsing all walk this table; none of them knows an option by
// name. Sections are not listed: they are the prefixes of the paths.
#pragma once

#include "config/check.hpp"
#include "config/config.hpp"

#include <cstddef>
#include <span>
#include <variant>

namespace vftr::config {

enum class Type {
    Flag,
    FlagOrChoice,
    Integer,
    IntegerOrChoice,
    Real,
    Text,
    NullableText,
    Choice,
    Regex,
    Ranks,
    Counters,
    Observables,
    Triggers
};
enum class Since { Now, Later };

using Member = std::variant<bool Config::*, FlagOrWord Config::*, std::int64_t Config::*, IntegerOrWord Config::*,
                            double Config::*, std::string Config::*, std::optional<std::string> Config::*,
                            RankSet Config::*, std::vector<HwCounter> Config::*, std::vector<HwObservable> Config::*,
                            std::vector<FilterTrigger> Config::*>;

struct Option {
    std::string_view path;
    Type type;
    Member member;
    Check check;
    Since since;
    std::string_view help;
    std::string_view variable; // the environment variable that overrides the file; "" for none
};

std::span<const Option> all_options();

// A key that a section may contain: an option, or a subsection (`option` is null).
struct Child {
    std::string_view name, path;
    const Option* option;
};
// Returns the keys in the order of the table; "" is the top level. Empty if there is no such section.
std::vector<Child> children(std::string_view section);
// Returns "section.name", or only the name at the top level.
std::string join(std::string_view section, std::string_view name);

// A field of the entries of a list option. Its type is Text, Integer, Choice or Regex.
template <class Record>
struct Field {
    std::string_view name;
    std::variant<std::string Record::*, std::int64_t Record::*> member;
    bool required;
    std::string_view help;
    Type type = Type::Text;
    Check check = {};
};
std::span<const Field<HwCounter>> fields(const HwCounter*);
std::span<const Field<HwObservable>> fields(const HwObservable*);
std::span<const Field<FilterTrigger>> fields(const FilterTrigger*);

// Calls function(pointer to member) if the option is a list. Returns whether it is one.
template <class Function>
bool visit_list(const Option& option, Function function) {
    switch (option.type) {
    case Type::Counters:
        function(std::get<std::vector<HwCounter> Config::*>(option.member));
        return true;
    case Type::Observables:
        function(std::get<std::vector<HwObservable> Config::*>(option.member));
        return true;
    case Type::Triggers:
        function(std::get<std::vector<FilterTrigger> Config::*>(option.member));
        return true;
    default:
        return false;
    }
}
inline bool is_list(const Option& option) {
    return visit_list(option, [](auto) {});
}

// Describes the values that the option may have, as a phrase: "a whole number of at least 1".
std::string allowed(const Option& option);
// Returns the defaults if the other options are as in `config`: some defaults depend on other options.
Config defaults_beside(const Config& config);
// Returns the option's value as JSON, indented for `depth` levels.
std::string option_text(const Option& option, const Config& config, std::size_t depth = 0);
// Splits "a
// b
// c" into its items.
std::vector<std::string_view> split_choices(std::string_view choices);

} // namespace vftr::config
