// SPDX-License-Identifier: BSD-3-Clause
#include "report/command_text.hpp"

#include "report/number_text.hpp"

#include <algorithm>
#include <string_view>

namespace vftr::report {

using analysis::Ending;
using analysis::Recording;

namespace {

bool plain_character(char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u >= '0' && u <= '9') || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u >= 0x80 ||
           std::string_view("_-+=./,:@%^").find(c) != std::string_view::npos;
}

} // namespace

std::string ending_text(const Recording& r) {
    const std::string status = r.exit_status ? " " + std::to_string(*r.exit_status) : "";
    if (r.snapshot)
        return "snapshot";
    switch (r.ending) {
    case Ending::Runs:
        return "runs";
    case Ending::Exit:
        return "exit" + status;
    case Ending::Left:
        return "_exit" + status;
    case Ending::Executed:
        return "exec";
    case Ending::Killed:
        return "killed";
    default:
        return "open";
    }
}

std::string command_word(const std::string& argument) {
    if (!argument.empty() && std::all_of(argument.begin(), argument.end(), plain_character))
        return argument;
    std::string result = "'";
    for (char c : argument)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

std::string command_text(const Recording& r, std::size_t limit) {
    std::string text = command_word(r.program());
    for (std::size_t i = 1; i < r.arguments.size(); ++i)
        text += ' ' + command_word(r.arguments[i]);
    if (r.arguments_cut)
        text += "...";
    return head(text, limit == 0 ? text.size() : limit);
}

} // namespace vftr::report
