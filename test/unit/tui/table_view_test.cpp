// SPDX-License-Identifier: BSD-3-Clause
#include "tui/table_view.hpp"

#include "planted_run.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace vftr;
using namespace vftr::tui;

namespace {

struct Fixture {
    PlantedRun run;
    Scene scene{run, run.subject().parts.front(), true};

    TableView view(const ViewSpec& spec) { return {spec, spec.grid(scene)}; }
};

} // namespace

TEST_CASE("a view writes the figures of the table as files have them", "[tui]") {
    Fixture fixture;
    TableView view = fixture.view(view_functions);
    CHECK(view.csv() == "calls,exclusive_ns,inclusive_ns,function\r\n"
                        "10,500000000,500000000,a\r\n"
                        "1,300000000,700000000,b\r\n"
                        "1,100000000,1000000000,main\r\n"
                        "2,100000000,100000000,c\r\n");
    view.sort({view.grid().find("calls"), false});
    view.show_only("0.1");
    CHECK(view.csv() == "calls,exclusive_ns,inclusive_ns,function\r\n"
                        "1,100000000,1000000000,main\r\n"
                        "2,100000000,100000000,c\r\n");
}

TEST_CASE("the text of a view has what is on the screen", "[tui]") {
    Fixture fixture;
    TableView view = fixture.view(view_functions);
    view.lines({10, 80}, Times::Seconds);
    CHECK(view.text(Times::Seconds) == "Calls t_excl[s]vt_incl[s]            Function\n"
                                       "   10  0.500000  0.500000 ########## a\n"
                                       "    1  0.300000  0.700000 ######     b\n"
                                       "    1  0.100000  1.000000 ##         main\n"
                                       "    2  0.100000  0.100000 ##         c\n");
    CHECK(view.text(Times::Nanoseconds).find("500000000") != std::string::npos);
}

TEST_CASE("callers and callees of a function are those of the call graph", "[tui]") {
    Fixture fixture;
    fixture.scene.set_function("a");
    TableView view = fixture.view(view_callers);
    CHECK(view.csv() == "relation,calls,exclusive_ns,inclusive_ns,function\r\n"
                        "called by,7,,300000000,b\r\n"
                        "called by,3,,200000000,main\r\n"
                        "function,10,500000000,500000000,a\r\n");
}

TEST_CASE("a search goes around, and into what is closed", "[tui]") {
    Fixture fixture;
    TableView functions = fixture.view(view_functions);
    CHECK(functions.search("B", false, true));
    CHECK(functions.cell("function") == "b");
    CHECK_FALSE(functions.search("nothing", false, true));
    CHECK(functions.search("a", false, false));
    CHECK(functions.cell("function") == "main");
    CHECK(functions.search("a", true, false));
    CHECK(functions.cell("function") == "a");
    TableView tree = fixture.view(view_tree);
    CHECK(tree.csv().find(",c\r\n") == std::string::npos);
    CHECK(tree.search("c", false, true));
    CHECK(tree.cell("function") == "c");
    CHECK(tree.csv().find(",c\r\n") != std::string::npos);
}

TEST_CASE("columns are shown and hidden, and the name stays the last", "[tui]") {
    Fixture fixture;
    TableView view = fixture.view(view_functions);
    view.show_column(*view.grid().find("inclusive_ns"), false);
    view.show_column(*view.grid().find("call_paths"), true);
    CHECK(view.csv().starts_with("calls,exclusive_ns,call_paths,function\r\n"));
    for (const std::size_t column : std::vector<std::size_t>(view.columns()))
        view.show_column(column, false);
    CHECK(view.columns().size() == 1);
}

TEST_CASE("the cursor stays among the lines that are seen", "[tui]") {
    Fixture fixture;
    TableView view = fixture.view(view_functions);
    for (const std::size_t rows : {24, 3, 2, 1, 0})
        CHECK(view.lines({rows, 80}, Times::Seconds).size() == std::min<std::size_t>(rows, 5));
    view.move(1000);
    const auto lines = view.lines({3, 20}, Times::Seconds);
    CHECK(lines.back().under_cursor);
    CHECK(view.cell("function") == "c");
    view.move(-1000);
    CHECK(view.lines({3, 20}, Times::Seconds)[1].under_cursor);
}
