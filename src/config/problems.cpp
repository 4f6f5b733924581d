// SPDX-License-Identifier: BSD-3-Clause
#include "config/problems.hpp"

#include <algorithm>
#include <tuple>

namespace vftr::config {
namespace {

// A file of nothing but mistakes is reported up to here.
constexpr std::size_t MaxProblems = 1000;
// Of a long line, as many bytes are shown before and after the place.
constexpr std::size_t Around = 60;

bool starts_character(char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

// Control characters would move the caret, or the terminal.
std::string printable(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
            c = ' ';
    return line;
}

void set_place(Problem& problem, std::string_view text, std::size_t offset) {
    offset = std::min(offset, text.size());
    std::size_t begin = text.substr(0, offset).rfind('\n') + 1; // npos + 1 is 0
    std::size_t end = std::min(text.find_first_of("\r\n", offset), text.size());
    problem.line = 1 + static_cast<std::size_t>(
                           std::count(text.begin(), text.begin() + static_cast<long>(begin), '\n'));
    problem.column = 1 + characters(text.substr(begin, offset - begin));

    std::size_t first = offset - begin > Around ? offset - Around : begin;
    while (first < offset && !starts_character(text[first]))
        ++first;
    std::size_t last = std::min(end, offset + Around);
    while (last < end && !starts_character(text[last]))
        ++last;
    problem.excerpt = printable(text.substr(first, last - first));
    problem.caret = 1 + characters(text.substr(first, offset - first));
}

} // namespace

void Problems::add(Problem::Severity severity, std::size_t offset, std::string option,
                   std::string message) {
    if (severity == Problem::Severity::Error)
        ++errors_;
    if (problems_.size() >= MaxProblems)
        return;
    Problem problem{.severity = severity,
                    .file = file_,
                    .option = std::move(option),
                    .message = std::move(message),
                    .excerpt = {}};
    set_place(problem, text_, offset);
    problems_.push_back(std::move(problem));
}

void Problems::error(std::size_t offset, std::string option, std::string message) {
    add(Problem::Severity::Error, offset, std::move(option), std::move(message));
}

void Problems::warning(std::size_t offset, std::string option, std::string message) {
    add(Problem::Severity::Warning, offset, std::move(option), std::move(message));
}

void Problems::error_without_place(std::string message) {
    ++errors_;
    problems_.push_back({.severity = Problem::Severity::Error,
                         .file = file_,
                         .option = {},
                         .message = std::move(message),
                         .excerpt = {}});
}

std::size_t Problems::line_of(std::size_t offset) const {
    return 1 + static_cast<std::size_t>(
                   std::count(text_.begin(), text_.begin() + static_cast<long>(offset), '\n'));
}

std::vector<Problem> Problems::take() {
    std::stable_sort(problems_.begin(), problems_.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    if (problems_.size() >= MaxProblems)
        error_without_place("there are more problems than these " + std::to_string(MaxProblems));
    return std::move(problems_);
}

std::string run_text(const Loaded& loaded) {
    std::string text;
    bool errors = false, no_directory = false;
    for (const Problem& problem : loaded.problems) {
        text += to_text(problem);
        const bool is_error = problem.severity == Problem::Severity::Error;
        errors |= is_error;
        no_directory |= is_error && problem.option == "output_directory" && loaded.config.output_directory == Config().output_directory;
    }
    if (!errors || loaded.config.off)
        return text;
    if (loaded.source.empty())
        return text + "vftrace: recording goes on with the default configuration\n";
    return text + "vftrace: recording goes on; an option whose value is wrong has its default" + (no_directory ? ", files go to the current directory\n" : "\n");
}

std::string to_text(const Problem& problem) {
    std::string head = problem.severity == Problem::Severity::Warning ? "Warning: " : "Error: ";
    std::string margin(head.size(), ' ');
    std::string out = head;
    for (char c : problem.message) {
        out += c;
        if (c == '\n')
            out += margin;
    }
    out += "\n" + margin + "in " + problem.file;
    if (problem.line == 0)
        return out + "\n";
    out += ", line " + std::to_string(problem.line) + ", column " + std::to_string(problem.column) +
           ":\n";
    out += margin + problem.excerpt + "\n";
    return out + margin + std::string(problem.caret > 0 ? problem.caret - 1 : 0, ' ') + "^\n";
}

} // namespace vftr::config
