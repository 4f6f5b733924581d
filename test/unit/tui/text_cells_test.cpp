// SPDX-License-Identifier: BSD-3-Clause
#include "tui/text_cells.hpp"

#include <catch2/catch.hpp>

#include <clocale>
#include <string>

using namespace vftr::tui;

namespace {

// The locale's characters for one test; the other tests have "C".
class Characters {
public:
    explicit Characters(const char* locale) : is_there(std::setlocale(LC_CTYPE, locale) != nullptr) {}
    ~Characters() { std::setlocale(LC_CTYPE, "C"); }
    const bool is_there;
};

} // namespace

TEST_CASE("wide characters take two cells and accents none", "[tui]") {
    const Characters characters("C.UTF-8");
    if (!characters.is_there)
        return;
    CHECK(cells("abc") == 3);
    CHECK(cells("漢字") == 4);
    CHECK(cells("e\u0301") == 1);
    CHECK(cut("漢字漢字", 5) == "漢字…");
    CHECK(cut("漢字漢字", 6) == "漢字…");
    CHECK(left_aligned("漢", 4) == "漢  ");
    CHECK(right_aligned("漢", 3) == " 漢");
    Line line;
    line.add("a漢b");
    CHECK(text_of(window(line, 2, 2)) == " b"); // the second half of a wide character
    CHECK(text_of(window(line, 1, 10)) == "漢b");
}

TEST_CASE("without UTF-8 each character takes the cell of its question mark", "[tui]") {
    CHECK_FALSE(shows_utf8());
    CHECK(cells("漢字") == 2);
    CHECK(cut("abcdef", 4) == "abc~");
    CHECK(bar(0.5, 4) == "##  ");
    CHECK(bar(0.001, 4) == "#   ");
    CHECK(bar(0, 4) == "    ");
}

TEST_CASE("a line that is too long ends with a mark", "[tui]") {
    Line line;
    line.add("abc", Style::Title);
    line.add("def");
    CHECK(text_of(window(line, 0, 6)) == "abcdef");
    CHECK(text_of(window(line, 0, 5)) == "abcd~");
    CHECK(text_of(window(line, 2, 3)) == "cd~");
    CHECK(text_of(window(line, 9, 3)).empty());
    CHECK(text_of(window(line, 0, 0)).empty());
}

TEST_CASE("text is found whatever the case of its letters", "[tui]") {
    CHECK(find_text("MPI_Send", "mpi_s") == 0);
    CHECK(find_text("a.b.B", "b", 3) == 4);
    CHECK(find_text("abc", "d") == std::string::npos);
    CHECK(find_text("abc", "abcd") == std::string::npos);
    std::string text = "a漢";
    drop_last_character(text);
    CHECK(text == "a");
}
