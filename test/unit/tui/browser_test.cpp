// SPDX-License-Identifier: BSD-3-Clause
#include "tui/browser.hpp"

#include "planted_run.hpp"
#include "tui/text_cells.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

using namespace vftr;
using namespace vftr::tui;

namespace {

constexpr Size Small{24, 80};

std::string screen(Browser& browser, Size size = Small) {
    std::string text;
    for (const Line& line : browser.lines(size)) {
        text += line.under_cursor ? ">" : "";
        text += text_of(line) + '\n';
    }
    return text;
}

void type(Browser& browser, std::string_view keys) {
    for (const char key : keys)
        browser.take(static_cast<Key>(static_cast<unsigned char>(key)));
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a screen has as many lines as the terminal, and none is wider", "[tui]") {
    PlantedRun run;
    Browser browser(run, "functions");
    for (const char* keys : {"", "?", "\033d", "\033s", "\033C", "\033/abc"})
        for (const Size size : {Size{24, 80}, Size{60, 200}, Size{3, 10}, Size{1, 1}, Size{0, 0}}) {
            type(browser, keys);
            const auto lines = browser.lines(size);
            CHECK(lines.size() == size.rows);
            for (const Line& line : lines) {
                std::size_t width = 0;
                for (const Span& span : line.spans)
                    width += span.text.size();
                CHECK(width <= size.columns);
            }
        }
}

TEST_CASE("views that have nothing to show are absent", "[tui]") {
    PlantedRun run;
    Browser browser(run);
    const std::string text = screen(browser);
    CHECK(has(text, "Functions"));
    CHECK(has(text, "Tree"));
    CHECK_FALSE(has(text, "Communication"));
    CHECK_FALSE(has(text, "Ranks"));
    CHECK_THROWS_WITH(Browser(run, "waits"), Catch::Matchers::Contains("there is no view waits"));
}

TEST_CASE("Enter leads to callers, and Back leads back", "[tui]") {
    PlantedRun run;
    Browser browser(run, "functions");
    type(browser, "j\n");
    CHECK(has(screen(browser), "all calls  of b"));
    CHECK(has(screen(browser), "called by"));
    type(browser, "b");
    CHECK_FALSE(has(screen(browser), "called by"));
}

TEST_CASE("where the cursor is on the root the screen says that it is no function", "[tui]") {
    PlantedRun run;
    Browser browser(run, "tree");
    const std::string text = screen(browser);
    CHECK(has(text, "; init is the root, not a function"));
    CHECK(has(text, "? help  q quit")); // beside it
    type(browser, "j");
    CHECK_FALSE(has(screen(browser), "root"));
}

TEST_CASE("the page of help has all keys", "[tui]") {
    PlantedRun run;
    Browser browser(run);
    type(browser, "?");
    const std::string text = screen(browser, {80, 80});
    for (const Binding& binding : bindings()) {
        CHECK(has(text, binding.help));
        for (const Key key : binding.keys)
            CHECK(has(text, name_of(key)));
    }
    type(browser, "q");
    CHECK_FALSE(browser.wants_to_quit());
    type(browser, "q");
    CHECK(browser.wants_to_quit());
}

TEST_CASE("a refresh keeps what is looked at", "[tui]") {
    PlantedRun run;
    run.live = true;
    Browser browser(run, "tree");
    browser.take('+');
    browser.take('/');
    type(browser, "c\n");
    CHECK(has(screen(browser), ">    2"));
    run.next = "new<main<init";
    browser.refresh();
    CHECK(has(screen(browser), "new"));
    CHECK(has(screen(browser), ">    2"));
    CHECK(has(screen(browser), "live"));
    run.trouble = "the disk is gone";
    browser.refresh();
    CHECK(has(screen(browser), "the disk is gone"));
    CHECK(has(screen(browser), "new"));
    browser.take('z');
    CHECK(has(screen(browser), "held"));
    CHECK_FALSE(browser.follows());
}

TEST_CASE("a click on a title sorts, one on a tab opens its view", "[tui]") {
    PlantedRun run;
    Browser browser(run, "functions");
    screen(browser);
    browser.take(Click::Press, 2, 1);
    CHECK(has(screen(browser), "by Calls"));
    browser.take(Click::Press, 4, 1);
    CHECK(has(screen(browser), "row 2 of"));
    browser.take(Click::WheelDown, 4, 1);
    CHECK(has(screen(browser), "row 4 of"));
    const std::string text = screen(browser);
    const std::string tabs = text.substr(text.find('\n') + 1);
    browser.take(Click::Press, 1, tabs.find("Tree"));
    CHECK(has(screen(browser), "by t_incl[s]"));
}

namespace {

struct Changed {
    const char* function;
    std::uint64_t depth;
    double base, next;
    const char* verdict;
    const char* calls_change = "";
};

constexpr exports::Column<Changed> ChangedColumns[] = {
    {"function", [](const Changed& row, exports::Cell& cell) { cell.text(row.function); }},
    {"depth", [](const Changed& row, exports::Cell& cell) { cell.number(row.depth); }},
    {"base", [](const Changed& row, exports::Cell& cell) { cell.real(row.base); }},
    {"new", [](const Changed& row, exports::Cell& cell) { cell.real(row.next); }},
    {"difference", [](const Changed& row, exports::Cell& cell) { cell.real(row.next - row.base); }},
    {"verdict", [](const Changed& row, exports::Cell& cell) { cell.text(row.verdict); }},
    {"calls_change",
     [](const Changed& row, exports::Cell& cell) {
         if (*row.calls_change)
             cell.text(row.calls_change);
     }},
};

std::shared_ptr<const Grid> changes(std::initializer_list<Changed> rows) {
    GridBuilder builder(exports::names_of<ChangedColumns>());
    for (const Changed& row : rows)
        exports::put_row(ChangedColumns, row, builder);
    return std::make_shared<const Grid>(std::move(builder).grid());
}

struct TwoPlantedRuns {
    TwoPlantedRuns() {
        base.next = "old<main<init";
        base.read();
        next.other = &base;
        next.changes = Difference{"New is slower",
                                  {"one run each"},
                                  changes({{"a", 0, 0.25, 0.5, "slower"}, {"old", 0, 0.001, 0, "gone"}}),
                                  changes({{"init", 0, 0, 0, "same"}, {"main", 1, 0.1, 0.1, "same", "+50.0 %"}})};
    }
    PlantedRun base, next;
};

} // namespace

TEST_CASE("of two runs the difference comes first, and either run can be looked at", "[tui]") {
    TwoPlantedRuns runs;
    Browser browser(runs.next);
    std::string text = screen(browser);
    CHECK(has(text, "planted  New is slower"));
    CHECK(has(text, "1 Difference"));
    CHECK(has(text, ">0.250000 0.500000  0.250000 slower "));
    CHECK(has(text, "0.001000 0.000000 -0.001000 gone "));
    type(browser, "u");
    CHECK(has(screen(browser), ">250000000 500000000 250000000 slower "));
    // A column for changed numbers of calls is there where some have.
    CHECK_FALSE(has(screen(browser), "calls   Function"));
    type(browser, "2+");
    CHECK(has(screen(browser), "same    +50.0 %"));
    // Each view but the difference is of one of the runs.
    type(browser, "4");
    text = screen(browser);
    CHECK(has(text, "new: all calls"));
    CHECK_FALSE(has(text, " old"));
    type(browser, "p");
    browser.take(keys::Down);
    browser.take(keys::Enter);
    text = screen(browser);
    CHECK(has(text, "base: all calls"));
    CHECK(has(text, " old"));
    // The answer is told in full where the run is.
    browser.take(keys::BackTab);
    for (int i = 0; i < 10 && !has(screen(browser), "one run each"); ++i)
        browser.take(keys::BackTab);
    CHECK(has(screen(browser), "New is slower"));
}

TEST_CASE("a function that the shown run lacks leads nowhere", "[tui]") {
    TwoPlantedRuns runs;
    Browser browser(runs.next);
    screen(browser);
    browser.take(keys::Down);
    browser.take(keys::Enter);
    CHECK(has(screen(browser), "This run has no such function"));
    browser.take(keys::Up);
    browser.take(keys::Enter);
    CHECK(has(screen(browser), "of a"));
}
