// SPDX-License-Identifier: BSD-3-Clause
//
// The text of --help: usage, about, and two columns of what the table has.
#include "config_tools/syntax/syntax.hpp"

#include "config_tools/own_name.hpp"

#include "report/number_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace vftr::cli {
namespace {

// A longer name has a line of its own, so that the column of the texts stays near the names.
constexpr std::size_t LineWidth = 120, Indent = 2, LongestName = 22;

// Text whose lines fit between `column` and the width of a line; the first one has begun.
std::string folded_help(std::string_view text, std::size_t column) {
    std::string lines, line;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        if (!line.empty() && column + report::width(line) + 1 + report::width(word) > LineWidth) {
            lines += line + '\n' + std::string(column, ' ');
            line.clear();
        }
        line.append(line.empty() ? "" : " ").append(word);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines + line + '\n';
}

std::string help_row(const std::string& name, const std::string& help, std::size_t indent, std::size_t column) {
    const std::size_t used = indent + report::width(name);
    return std::string(indent, ' ') + name +
           (used + Indent > column ? "\n" + std::string(column, ' ') : std::string(column - used, ' ')) +
           folded_help(help, column);
}

std::string choice_rows(const std::vector<Choice>& choices, std::size_t indent) {
    std::size_t longest = 0;
    for (const Choice& choice : choices)
        longest = std::max(longest, choice.name.size());
    std::string text;
    for (const Choice& choice : choices)
        if (!choice.help.empty())
            text += help_row(choice.name, choice.help, indent, indent + longest + Indent);
    return text;
}

} // namespace

std::string help_text(const char* verb, const Syntax& syntax) {
    std::size_t longest = 0;
    const auto measure = [&](const std::string& name) {
        if (report::width(name) <= LongestName)
            longest = std::max(longest, report::width(name));
    };
    for (const Action& action : syntax.actions)
        measure(action.spelling);
    for (const Option& option : syntax.options)
        if (!option.help.empty())
            measure(option.spelling);
    const std::size_t column = Indent + longest + Indent;
    std::string text;
    for (const std::string& line : syntax.usage)
        text.append(text.empty() ? "usage: " : "       ").append(verb).append(" ").append(line) += '\n';
    text += '\n' + syntax.about + '\n';
    for (const Action& action : syntax.actions)
        text += help_row(action.spelling, action.help, Indent, column);
    if (!syntax.actions.empty())
        text += '\n';
    for (const Option& option : syntax.options) {
        if (option.help.empty())
            continue;
        text += option.spelling.empty() ? option.help + '\n' : help_row(option.spelling, option.help, Indent, column);
        if (option.choices)
            text += choice_rows(option.choices(), column + Indent);
    }
    return with_name(text + (syntax.after.empty() ? "" : '\n' + syntax.after));
}

} // namespace vftr::cli
