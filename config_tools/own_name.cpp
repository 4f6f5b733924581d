// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/own_name.hpp"

#include "config_tools/files/real_path.hpp"

#include <cstddef>

namespace vftr::cli {

OwnName OwnName::of_file(std::string_view path) {
    constexpr std::string_view Plain = "vftr";
    path.remove_prefix(path.rfind('/') + 1);
    const std::size_t at = path.find(Plain);
    if (at == path.npos)
        return {};
    return {.prefix = std::string(path.substr(0, at)), .suffix = std::string(path.substr(at + Plain.size()))};
}

std::string OwnName::command(std::string_view installed) const {
    if (installed.size() < prefix.size() + suffix.size() || !installed.starts_with(prefix) ||
        !installed.ends_with(suffix))
        return "";
    return std::string(installed.substr(prefix.size(), installed.size() - prefix.size() - suffix.size()));
}

const OwnName& own_name() {
    static const OwnName name = OwnName::of_file(real_path("/proc/self/exe"));
    return name;
}

std::string with_name(std::string_view text, const OwnName& name) {
    constexpr std::string_view Plain = "vftr";
    std::string result;
    for (std::size_t at; (at = text.find(Plain)) != text.npos;) {
        const std::size_t end = at + Plain.size();
        const std::string_view before = " (\n";
        const bool begins = at == 0 || before.find(text[at - 1]) != before.npos;
        const bool is_command = begins && end < text.size() && text[end] == ' ';
        result.append(text.substr(0, at)).append(is_command ? name.of(Plain) : std::string(Plain));
        text.remove_prefix(end);
    }
    return result.append(text);
}

std::string own_command(std::string_view verb) {
    std::string command = own_name().of("vftr");
    if (!verb.empty())
        command.append(" ").append(verb);
    return command;
}

} // namespace vftr::cli
