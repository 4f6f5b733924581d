// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/tell/painted_text.hpp"

#include "config_tools/tell/colour.hpp"

#include <cstddef>
#include <cstdio>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace vftr::cli {
namespace {

struct ColouredWord {
    std::string_view word;
    Colour colour;
};
constexpr ColouredWord Verdicts[] = {
    {"slower", Colour::Red}, {"faster", Colour::Green}, {"new", Colour::Yellow}, {"gone", Colour::Yellow}};
constexpr ColouredWord Beginnings[] = {{"ok:", Colour::Green},         {"problem:", Colour::Red},
                                       {"Error:", Colour::Red},        {"error:", Colour::Red},
                                       {"Warning:", Colour::Yellow},   {"warning:", Colour::Yellow},
                                       {"What matters", Colour::Bold}, {"usage:", Colour::Bold}};
constexpr std::string_view VerdictTitle = "verdict";

// Where a cell without the blanks around it stands in a row of a table.
struct CellPlace {
    std::size_t begin, size;
};

// Cells stand between bars; a bar within one has a backslash before it.
std::vector<CellPlace> cell_places(std::string_view row) {
    std::vector<CellPlace> cells;
    for (std::size_t begin = 1, at = 1; at < row.size(); ++at) {
        if (row[at] == '\\') {
            ++at;
        } else if (row[at] == '|') {
            const std::string_view cell = row.substr(begin, at - begin);
            const std::size_t first = cell.find_first_not_of(' ');
            const std::size_t last = cell.find_last_not_of(' ');
            cells.push_back(first == cell.npos ? CellPlace{begin, 0} : CellPlace{begin + first, last - first + 1});
            begin = at + 1;
        }
    }
    return cells;
}

class Painter {
public:
    // `next` is the line behind it, by which a heading is known.
    void add(std::string_view line, std::string_view next) {
        const bool row = line.starts_with('|'), ruler = is_ruler(line);
        if (ruler)
            ++rulers_;
        else if (!row)
            rulers_ = 0;
        if (rulers_ == 3) // the one below the rows
            rulers_ = 0;
        if (row && rulers_ == 1)
            add_titles(line);
        else if (row && rulers_ == 2 && verdict_)
            add_row(line);
        else if (!row && !ruler && !line.empty() && is_ruler(next))
            text_ += coloured(Colour::Bold, line);
        else if (!row && !ruler)
            add_sentence(line);
        else
            text_ += line;
    }
    void end_line() { text_ += '\n'; }
    std::string text() && { return std::move(text_); }

private:
    static bool is_ruler(std::string_view line) {
        return line.size() > 2 && line.starts_with("+-") && line.find_first_not_of("+-") == line.npos;
    }

    void add_titles(std::string_view line) {
        verdict_.reset();
        const std::vector<CellPlace> cells = cell_places(line);
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (line.substr(cells[i].begin, cells[i].size) == VerdictTitle)
                verdict_ = i;
        text_ += coloured(Colour::Bold, line);
    }
    void add_row(std::string_view line) {
        const std::vector<CellPlace> cells = cell_places(line);
        if (*verdict_ < cells.size()) {
            const CellPlace place = cells[*verdict_];
            const std::string_view word = line.substr(place.begin, place.size);
            for (const ColouredWord& known : Verdicts)
                if (word == known.word) {
                    text_ += line.substr(0, place.begin);
                    text_ += coloured(known.colour, word);
                    text_ += line.substr(place.begin + place.size);
                    return;
                }
        }
        text_ += line;
    }
    void add_sentence(std::string_view line) {
        for (const ColouredWord& known : Beginnings)
            if (line.starts_with(known.word)) {
                text_ += coloured(known.colour, known.word);
                text_ += line.substr(known.word.size());
                return;
            }
        text_ += line;
    }

    std::string text_;
    int rulers_ = 0;                     // of the table that the line is in
    std::optional<std::size_t> verdict_; // the column
};

} // namespace

std::string painted(std::string_view text) {
    Painter painter;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        painter.add(line, text.substr(0, text.find('\n')));
        if (end != text.npos)
            painter.end_line();
    }
    return std::move(painter).text();
}

void print_text(std::string_view text, std::FILE* stream) {
    const std::string with_colours = has_colours(::fileno(stream)) ? painted(text) : std::string();
    const std::string_view shown = with_colours.empty() ? text : std::string_view(with_colours);
    std::fwrite(shown.data(), 1, shown.size(), stream);
}

} // namespace vftr::cli
