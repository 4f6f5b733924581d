// SPDX-License-Identifier: BSD-3-Clause
#include "tui/browser.hpp"

#include "planted_run.hpp"
#include "tui/text_cells.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

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
