// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/settings.hpp"

#include <charconv>
#include <optional>

namespace vftr::instrument {
namespace {

std::optional<Mode> mode_of(std::string_view text) {
    constexpr struct {
        std::string_view name;
        Mode mode;
    } Modes[] = {{"auto", Mode::Auto}, {"before", Mode::Before}, {"after", Mode::After}, {"none", Mode::None}};
    for (const auto& [name, mode] : Modes)
        if (text == name)
            return mode;
    return std::nullopt;
}

bool read_number(std::string_view text, unsigned& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

} // namespace

std::string set_option(Settings& settings, std::string_view name, std::string_view value) {
    const std::string wrong = std::string(name) + "=" + std::string(value) + ": ";
    if (name == "hooks") {
        const std::optional<Mode> mode = mode_of(value);
        if (!mode)
            return wrong + "it is one of auto, before, after and none";
        settings.rules.mode = *mode;
        return "";
    }
    if (name == "min-size" || name == "min-late-size" || name == "min-keep-size") {
        unsigned& size = name == "min-size"        ? settings.rules.min_size
                         : name == "min-late-size" ? settings.rules.min_late_size
                                                   : settings.rules.min_keep_size;
        return read_number(value, size) ? "" : wrong + "it is a number of statements, 0 or more";
    }
    if (name == "include")
        return settings.include.read(std::string(value));
    if (name == "exclude")
        return settings.exclude.read(std::string(value));
    if (name == "report") {
        settings.report = value;
        return value.empty() ? wrong + "it is the name of a file" : "";
    }
    return "unknown option " + std::string(name) +
           "; there are hooks, min-size, min-late-size, min-keep-size, include, exclude and report";
}

} // namespace vftr::instrument
