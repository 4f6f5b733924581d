// SPDX-License-Identifier: BSD-3-Clause
#include "config/ineffective_options.hpp"

#include "config/option.hpp"

#include <variant>

namespace vftr::config {
namespace {

// These options are about the timeline, which does not exist without sampling.active.
constexpr std::string_view OfTimelines[] = {
    "sampling.sample_interval", "sampling.outbuffer_size", "sampling.precise_functions", "sampling.compress",
    "sampling.keep_last",       "filter.min_duration",     "mpi.clock_offsets"};

bool is_default(const Option& option, const Config& config) {
    return std::visit([&](auto member) { return config.*member == Config().*member; }, option.member);
}

// False if the flag's value is a mistake, which is reported anyway.
bool is_off(const Given& given, std::string_view flag) {
    const auto found = given.find(flag);
    return found == given.end() || found->second.raw == "false";
}

std::string_view section_of(std::string_view path) { return path.substr(0, path.find('.') + 1); }

bool is_switch(std::string_view path) {
    const std::string_view name = path.substr(path.find('.') + 1);
    return name == "active" || name == "show_table";
}

// A section that is switched off asks for nothing. A section in which all options are given has probably been printed.
struct Section {
    bool off = false, whole = true;
};
Section section_in(std::string_view name, const Given& given) {
    Section section;
    for (const Option& option : all_options())
        if (section_of(option.path) == name) {
            section.whole &= given.contains(option.path);
            section.off |= is_switch(option.path) && is_off(given, option.path) && given.contains(option.path);
        }
    return section;
}

} // namespace

std::string options_of_later(const Given& given, const Config& config) {
    std::string names;
    for (const Option& option : all_options()) {
        const auto value = given.find(option.path);
        if (option.since != Since::Later || value == given.end() || value->second.raw == "false")
            continue;
        const Section section = section_in(section_of(option.path), given);
        const bool switched_on = is_switch(option.path) && !section.whole;
        if (!section.off && (switched_on || !is_default(option, config)))
            names.append(names.empty() ? "" : ", ").append(option.path);
    }
    return names;
}

std::vector<Problem> ineffective_options(const Given& given, std::string_view text, const std::string& file,
                                         const Config& config) {
    Problems found(text, file);
    const auto is_set = [&](const Option& option) {
        return given.contains(option.path) && !is_default(option, config);
    };
    const auto warn = [&](std::string_view path, const std::string& message) {
        for (const Option& option : all_options())
            if (option.path == path && is_set(option))
                found.warning(given.at(path).key_at, std::string(path), message);
    };
    for (const Option& option : all_options())
        if (option.since == Since::Later && is_set(option))
            warn(option.path, json_string(option.path) + " does nothing: it takes effect in a later version.");
    if (!config.sampling_active && is_off(given, "sampling.active"))
        for (std::string_view path : OfTimelines)
            warn(path, json_string(path) + " does nothing: it is about timelines, and \"sampling.active\" is false.");
    if (config.timing == "exact")
        warn("timing_error",
             "\"timing_error\" does nothing: it is about adaptive timing, and \"timing\" is \"exact\".");
    if (config.timing != "budget")
        warn("overhead_budget", "\"overhead_budget\" does nothing: \"timing\" is not \"budget\".");
    else if (!config.filter_live_patching)
        warn("timing", "timing is adaptive and keeps no budget: \"filter.live_patching\" is false.");
    if (config.sampling_active && config.sampling_keep_last)
        warn("sampling.compress", std::string(compress_beside_keep_last) + ".");
    return found.take();
}

} // namespace vftr::config
