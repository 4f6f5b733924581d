// SPDX-License-Identifier: BSD-3-Clause
#include "config/counters_check.hpp"

#include "config/formula.hpp"
#include "config/value.hpp"

#include <algorithm>
#include <optional>

namespace vftr::config {
namespace {

// The values that every formula may use.
constexpr std::string_view Builtin[] = {"T", "CALLS"}; // has no destructor, since it is used until the process ends

// The number of names that a message lists.
constexpr std::size_t MostListed = 20;

int type_of(const Entry& entry) { return entry.node->type & 0xff; }

// Calls function(path of the field, its entry) for `field` of every entry of the list. The entry is null if there is no
// usable string; that has been reported then.
template <class Function>
void for_each_string(const Entry& list, const std::string& path, std::string_view field, std::string_view text,
                     Function function) {
    std::size_t index = 0;
    for_each_entry(list.node, text, list.value_at, [&](const Entry& item) {
        std::optional<Entry> found; // if a key is repeated, the first one counts
        if (type_of(item) == cJSON_Object)
            for_each_entry(item.node, text, item.value_at, [&](const Entry& value) {
                if (!found && value.node->string == field)
                    found = value;
            });
        const bool usable =
            found && type_of(*found) == cJSON_String && *found->node->valuestring && clean_string(found->raw);
        function(join(path + "[" + std::to_string(index++) + "]", field), usable ? &*found : nullptr);
    });
}

// The names that formulas may use.
struct Names {
    Formula::Names known;
    std::string first; // the first of them, as a message lists them
    bool all = true;   // there are no other names; false if a counter's symbol could not be read

    void add(std::string_view name) {
        if (known.emplace(name, known.size()).second && known.size() <= MostListed + 1)
            first.append(known.size() <= MostListed ? name : "…").append(known.size() <= MostListed ? ", " : " ");
    }
    Names() {
        for (std::string_view name : Builtin)
            add(name);
    }
};

std::string symbol_fault(std::string_view symbol, const Names& taken) {
    if (!Formula::is_name(symbol))
        return "a symbol is made of letters, digits and '_', with no digit first";
    if (Formula::is_function(symbol))
        return "this is the name of a function";
    if (!taken.known.contains(symbol))
        return {};
    bool builtin = std::find(std::begin(Builtin), std::end(Builtin), symbol) != std::end(Builtin);
    return builtin ? "formulas use this name for something else" : "another counter has this symbol";
}

Names check_symbols(const Entry* list, std::string_view text, Problems& problems) {
    Names names;
    names.all = !problems.is_incomplete();
    if (!list)
        return names;
    if (type_of(*list) != cJSON_Array) {
        names.all = false;
        return names;
    }
    for_each_string(*list, "hwprof.counters", "symbol", text, [&](const std::string& path, const Entry* value) {
        if (!value) {
            names.all = false;
            return;
        }
        const std::string_view symbol = value->node->valuestring;
        if (std::string fault = symbol_fault(symbol, names); !fault.empty())
            problems.error(value->value_at, path, json_string(path) + " is " + shown(*value) + ": " + fault + ".");
        names.add(symbol);
    });
    return names;
}

void check_formulas(const Entry& list, const Names& names, std::string_view text, Problems& problems) {
    if (type_of(list) != cJSON_Array)
        return;
    for_each_string(list, "hwprof.observables", "formula", text, [&](const std::string& path, const Entry* value) {
        if (!value)
            return;
        const auto fault = Formula::check(value->node->valuestring, names.known, names.all);
        if (fault)
            problems.error(value->value_at + raw_offset(value->raw, fault->offset), path,
                           json_string(path) + " is " + shown(*value) + ": " + fault->message +
                               ".\nAllowed are numbers, + - * / % ^ ( ), " + names.first + "and the functions " +
                               Formula::function_names() + ".");
    });
}

} // namespace

void check_counters(const Given& given, std::string_view text, Problems& problems, Config& config) {
    const auto entry = [&](std::string_view path) -> const Entry* {
        auto found = given.find(path);
        return found != given.end() ? &found->second : nullptr;
    };
    const Entry *counters = entry("hwprof.counters"), *observables = entry("hwprof.observables");
    const Entry* scenario = config.hwprof_default_scenario.empty() ? nullptr : entry("hwprof.default_scenario");
    // A list with errors of its own has not been stored.
    const bool counters_failed = counters && counters->node->child && config.hwprof_counters.empty();

    if (scenario && (!config.hwprof_counters.empty() || !config.hwprof_observables.empty())) {
        problems.error(scenario->value_at, "hwprof.default_scenario",
                       "\"hwprof.default_scenario\" stands instead of counters and observables, "
                       "but the file defines them too: allowed is one or the other.");
        config.hwprof_default_scenario.clear();
    }
    std::size_t errors_before = problems.errors();
    const Names names = check_symbols(counters, text, problems);
    if (problems.errors() != errors_before)
        config.hwprof_counters.clear();
    if (observables)
        check_formulas(*observables, names, text, problems);
    if (counters_failed || problems.errors() != errors_before)
        config.hwprof_observables.clear(); // their formulas may refer to missing symbols
}

} // namespace vftr::config
