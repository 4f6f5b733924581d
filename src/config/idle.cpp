// SPDX-License-Identifier: BSD-3-Clause
#include "config/idle.hpp"

#include "config/option.hpp"

#include <variant>

namespace vftr::config {
namespace {

// Without sampling.active there is no timeline, which these are about.
constexpr std::string_view OfTimelines[] = {"sampling.sample_interval", "sampling.outbuffer_size", "sampling.precise_functions", "sampling.compress",
                                            "sampling.keep_last",       "filter.min_duration",     "mpi.clock_offsets"};

bool is_default(const Option& option, const Config& config) {
    return std::visit([&](auto member) { return config.*member == Config().*member; }, option.member);
}

// Not where its value is a mistake, which is told anyway.
bool is_off(const Given& given, std::string_view flag) {
    const auto found = given.find(flag);
    return found == given.end() || found->second.raw == "false";
}

} // namespace

std::vector<Problem> idle_options(const Given& given, std::string_view text, const std::string& file, const Config& config) {
    Problems found(text, file);
    const auto is_set = [&](const Option& option) { return given.contains(option.path) && !is_default(option, config); };
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
        warn("timing_error", "\"timing_error\" does nothing: it is about adaptive timing, and \"timing\" is \"exact\".");
    if (config.sampling_active && config.sampling_keep_last)
        warn("sampling.compress", std::string(compress_beside_keep_last) + ".");
    return found.take();
}

} // namespace vftr::config
