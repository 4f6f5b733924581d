// SPDX-License-Identifier: BSD-3-Clause
#include "config/counters_check.hpp"

#include "config/formula.hpp"
#include "config/value.hpp"

#include <algorithm>

namespace vftr::config {
namespace {

// The values that every formula may use.
constexpr std::string_view Builtin[] = {"T", "CALLS"}; // no destructor: used until the process ends

// Calls function(path, entry of the field) for `field` of every object in the list.
template <class Function>
void for_each_field(const Entry& list, const std::string& path, std::string_view field,
                    std::string_view text, Function function) {
    std::size_t index = 0;
    for_each_entry(list.node, text, list.value_at, [&](const Entry& item) {
        std::string item_path = path + "[" + std::to_string(index++) + "]";
        bool found = false; // of a repeated key the first one counts
        for_each_entry(item.node, text, item.value_at, [&](const Entry& value) {
            if (!found && value.node->string == field) {
                found = true;
                function(join(item_path, field), value);
            }
        });
    });
}

std::string symbol_fault(const std::string& symbol, const std::vector<std::string>& taken) {
    if (!Formula::is_name(symbol))
        return "a symbol is made of letters, digits and '_', with no digit first";
    if (Formula::is_function(symbol))
        return "this is the name of a function";
    if (std::find(taken.begin(), taken.end(), symbol) == taken.end())
        return {};
    bool builtin = std::find(std::begin(Builtin), std::end(Builtin), symbol) != std::end(Builtin);
    return builtin ? "formulas use this name for something else"
                   : "another counter has this symbol";
}

// The names that formulas may use; nullopt after an error.
std::optional<std::vector<std::string>> check_symbols(const Entry* list, std::string_view text,
                                                      Problems& problems) {
    std::vector<std::string> names(std::begin(Builtin), std::end(Builtin));
    std::size_t errors_before = problems.errors();
    if (list)
        for_each_field(*list, "hwprof.counters", "symbol", text,
                       [&](const std::string& path, const Entry& value) {
                           std::string symbol = value.node->valuestring;
                           if (std::string fault = symbol_fault(symbol, names); !fault.empty())
                               problems.error(value.value_at, path,
                                              json_string(path) + " is " + shown(value) + ": " +
                                                  fault + ".");
                           names.push_back(symbol);
                       });
    if (problems.errors() != errors_before)
        return std::nullopt;
    return names;
}

void check_formulas(const Entry& list, const std::vector<std::string>& names, std::string_view text,
                    Problems& problems) {
    for_each_field(list, "hwprof.observables", "formula", text,
                   [&](const std::string& path, const Entry& value) {
                       Formula::Fault fault;
                       if (Formula::compile(value.node->valuestring, names, &fault))
                           return;
                       std::string allowed;
                       for (const std::string& name : names)
                           allowed += name + ", ";
                       problems.error(value.value_at + raw_offset(value.raw, fault.offset), path,
                                      json_string(path) + " is " + shown(value) + ": " +
                                          fault.message +
                                          ".\nAllowed are numbers, + - * / % ^ ( ), " + allowed +
                                          "and the functions " + Formula::function_names() + ".");
                   });
}

} // namespace

void check_counters(const Given& given, std::string_view text, Problems& problems, Config& config) {
    // A list with errors of its own was not taken, and says nothing about the rest.
    auto taken = [&](std::string_view path, bool filled) -> const Entry* {
        auto found = given.find(path);
        return filled && found != given.end() ? &found->second : nullptr;
    };
    const Entry* counters = taken("hwprof.counters", !config.hwprof_counters.empty());
    const Entry* observables = taken("hwprof.observables", !config.hwprof_observables.empty());
    const Entry* scenario =
        taken("hwprof.default_scenario", !config.hwprof_default_scenario.empty());
    bool counters_failed =
        given.contains("hwprof.counters") && !counters && given.at("hwprof.counters").node->child;

    if (scenario && (counters || observables)) {
        problems.error(scenario->value_at, "hwprof.default_scenario",
                       "\"hwprof.default_scenario\" stands instead of counters and observables, "
                       "but the file defines them too: allowed is one or the other.");
        config.hwprof_default_scenario.clear();
    }
    auto names = check_symbols(counters, text, problems);
    if (!names)
        config.hwprof_counters.clear();
    std::size_t errors_before = problems.errors();
    if (observables && names && !counters_failed)
        check_formulas(*observables, *names, text, problems);
    if (!names || counters_failed || problems.errors() != errors_before)
        config.hwprof_observables.clear(); // their formulas have lost their meaning
}

} // namespace vftr::config
