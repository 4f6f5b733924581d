// SPDX-License-Identifier: BSD-3-Clause
#include "config/problems.hpp"

#include "base/foreign_text.hpp"

#include <algorithm>
#include <clocale>
#include <cwchar>
#include <tuple>

namespace vftr::config {
namespace {

// The number of bytes of a long line that are shown before and after the position.
constexpr std::size_t Around = 60;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

// While an object lives, this thread uses the C library's character tables for UTF-8, because the locale of the process
// may differ from that of the terminal.
class Unicode {
public:
    Unicode()
        : own_(newlocale(LC_CTYPE_MASK, "C.UTF-8", static_cast<locale_t>(nullptr))),
          before_(own_ ? uselocale(own_) : own_) {}
    ~Unicode() {
        if (!own_)
            return;
        uselocale(before_);
        freelocale(own_);
    }
    Unicode(const Unicode&) = delete;
    Unicode& operator=(const Unicode&) = delete;
    // The width in columns; negative if it is not known.
    int width(char32_t c) const { return own_ ? wcwidth(static_cast<wchar_t>(c)) : -1; }

private:
    locale_t own_, before_;
};

// The width if the C library does not know the character.
std::size_t usual_width(char32_t c) {
    struct Range {
        char32_t first, last;
    };
    static constexpr Range None[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},
                                     {0x64b, 0x65f},   {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0x3099, 0x309a},
                                     {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef}};
    static constexpr Range Two[] = {{0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2e80, 0x303e},
                                    {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0xa4cf},   {0xa960, 0xa97f},
                                    {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                                    {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff},
                                    {0x20000, 0x2fffd}, {0x30000, 0x3fffd}};
    const auto is_in = [c](const Range& range) { return c >= range.first && c <= range.last; };
    return std::any_of(std::begin(None), std::end(None), is_in) ? 0
           : std::any_of(std::begin(Two), std::end(Two), is_in) ? 2
                                                                : 1;
}

// The width of UTF-8 text on a terminal.
std::size_t columns(std::string_view text) {
    if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        return text.size();
    const Unicode unicode;
    std::size_t sum = 0;
    for (std::size_t at = 0; at < text.size();) {
        char32_t character;
        at += std::max<std::size_t>(base::utf8_sequence(text.substr(at), character), 1);
        const int width = unicode.width(character);
        sum += width >= 0 ? static_cast<std::size_t>(width) : usual_width(character);
    }
    return sum;
}

} // namespace

// `offset` refers to text_.
void Problems::set_place(Problem& problem, std::size_t offset) {
    offset = std::min(offset, text_.size());
    problem.line = original_line_of(offset);
    const std::size_t begin = problem.line == 1 ? 0 : line_ends_[problem.line - 2] + 1;
    if (counted_to_ < begin || counted_to_ > offset) {
        counted_to_ = begin;
        counted_column_ = 1;
    }
    counted_column_ += characters(text_.substr(counted_to_, offset - counted_to_));
    counted_to_ = offset;
    problem.column = counted_column_;

    std::size_t first = offset - begin > Around ? offset - Around : begin;
    while (first < offset && !starts_character(text_[first]))
        ++first;
    const std::size_t near = std::min(offset + Around, text_.size());
    std::size_t last = std::min(text_.substr(0, near).find_first_of("\r\n", offset), near);
    while (last < std::min(near + 3, text_.size()) && !starts_character(text_[last])) // three more bytes at most
        ++last;
    problem.excerpt = base::foreign_text(text_.substr(first, last - first), {}, ' ');
    problem.caret = 1 + columns(base::foreign_text(text_.substr(first, offset - first), {}, ' '));
}

void Problems::add(Problem::Severity severity, std::size_t offset, std::string option, std::string message) {
    if (severity == Problem::Severity::Error)
        ++errors_;
    if (copy_ && copy_->is_reported(offset))
        return;
    if (is_full()) {
        ++(severity == Problem::Severity::Error ? errors_left_out_ : warnings_left_out_);
        return;
    }
    Problem problem{
        .severity = severity, .file = file_, .option = std::move(option), .message = std::move(message), .excerpt = {}};
    set_place(problem, copy_ ? copy_->original(offset) : offset);
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
    return original_line_of(copy_ ? copy_->original(offset) : offset);
}

std::size_t Problems::original_line_of(std::size_t offset) const {
    if (line_ends_.empty()) {
        for (std::size_t at = text_.find('\n'); at != text_.npos; at = text_.find('\n', at + 1))
            line_ends_.push_back(at);
        line_ends_.push_back(text_.size()); // ensures that it is never empty
    }
    return 1 + static_cast<std::size_t>(std::lower_bound(line_ends_.begin(), line_ends_.end(), offset) -
                                        line_ends_.begin());
}

void Problems::leave_out(Problem::Severity severity, std::size_t count, const std::string& what) {
    if (count != 0)
        problems_.push_back({.severity = severity,
                             .file = file_,
                             .option = {},
                             .message = "and " + std::to_string(count) + " more " + what + (count == 1 ? "" : "s"),
                             .excerpt = {},
                             .stands_for = count});
}

std::vector<Problem> Problems::take() {
    std::stable_sort(problems_.begin(), problems_.end(), [](const Problem& a, const Problem& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    leave_out(Problem::Severity::Error, errors_left_out_, "error");
    leave_out(Problem::Severity::Warning, warnings_left_out_, "warning");
    return std::move(problems_);
}

std::string not_yet_text(const Loaded& loaded) {
    if (loaded.not_yet.empty() || loaded.config.off)
        return {};
    const bool one = loaded.not_yet.find(',') == loaded.not_yet.npos;
    return "vftrace: warning: " + loaded.not_yet + (one ? ": this option takes" : ": these options take") +
           " effect in a later version; what was asked for is not recorded\n";
}

std::string run_text(const Loaded& loaded) {
    std::string text;
    bool errors = false, no_directory = false;
    text = to_text(loaded.problems);
    for (const Problem& problem : loaded.problems) {
        const bool is_error = problem.severity == Problem::Severity::Error;
        errors |= is_error;
        no_directory |= is_error && problem.option == "output_directory" &&
                        loaded.config.output_directory == Config().output_directory;
    }
    text += not_yet_text(loaded);
    if (!errors || loaded.config.off)
        return text;
    if (loaded.source.empty())
        return text + "vftrace: recording goes on with the default configuration\n";
    return text + "vftrace: recording goes on; an option whose value is wrong has its default" +
           (no_directory ? ", files go to the current directory\n" : "\n");
}

namespace {

// Joins the message's first line, what is wrong, and its second one, what is allowed.
std::string in_one_line(std::string message) {
    const std::size_t first = message.find('\n');
    if (first == message.npos)
        return message;
    message.resize(std::min(message.find('\n', first + 1), message.size()));
    message[first] = ' ';
    return message;
}

const char* head_of(const Problem& problem) {
    return problem.severity == Problem::Severity::Warning ? "Warning: " : "Error: ";
}

std::string place_of(const Problem& problem) {
    std::string place = "in " + problem.file;
    if (problem.line != 0)
        place += ", line " + std::to_string(problem.line) + ", column " + std::to_string(problem.column);
    return base::foreign_text(place);
}

// As to_text(problem), in one line without the excerpt.
std::string in_brief(const Problem& problem) {
    const std::string place = problem.file.empty() ? "" : " (" + place_of(problem) + ")";
    return head_of(problem) + base::foreign_text(in_one_line(problem.message)) + place + "\n";
}

} // namespace

std::string to_line(const Problem& problem) {
    std::string place =
        problem.file + (problem.line ? ':' + std::to_string(problem.line) + ':' + std::to_string(problem.column) : "");
    const char* kind = problem.severity == Problem::Severity::Error ? "error: " : "warning: ";
    return base::foreign_text(place + (place.empty() ? "" : ": ") + kind + in_one_line(problem.message));
}

std::string to_text(const std::vector<Problem>& problems) {
    constexpr std::size_t MostLines = 20;
    const std::size_t shown = problems.size() <= MostLines ? problems.size() : MostLines - 1;
    std::size_t spare = MostLines - (problems.size() <= MostLines ? shown : MostLines), left = 0;
    std::string out;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        if (i >= shown) {
            left += problems[i].stands_for;
            continue;
        }
        const std::string whole = to_text(problems[i]);
        const auto more = static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n')) - 1;
        out += more <= spare ? whole : in_brief(problems[i]);
        spare -= more <= spare ? more : spare; // the following problems get one line each
    }
    return left == 0 ? out : out + "and " + std::to_string(left) + " more problems\n";
}

std::string to_text(const Problem& problem) {
    const std::string head = head_of(problem);
    std::string margin(head.size(), ' ');
    std::string out = head;
    for (char c : base::foreign_text(problem.message, "\n")) {
        out += c;
        if (c == '\n')
            out += margin;
    }
    if (problem.file.empty())
        return out + "\n";
    out += "\n" + margin + place_of(problem);
    if (problem.line == 0)
        return out + "\n";
    out += ":\n" + margin + problem.excerpt + "\n";
    return out + margin + std::string(problem.caret > 0 ? problem.caret - 1 : 0, ' ') + "^\n";
}

} // namespace vftr::config
