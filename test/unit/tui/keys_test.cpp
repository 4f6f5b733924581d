// SPDX-License-Identifier: BSD-3-Clause
#include "tui/keys.hpp"

#include "tui/view_spec.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace vftr::tui;

TEST_CASE("a key has one meaning", "[tui]") {
    std::set<Key> seen;
    for (const Binding& binding : bindings())
        for (const Key key : binding.keys) {
            CHECK(seen.insert(key).second);
            CHECK(command_of(key) == binding.command);
        }
    CHECK_FALSE(command_of(0));
    CHECK(name_of(keys::Ctrl + 'L') == "Ctrl-L");
    CHECK(name_of('q') == "q");
    CHECK(name_of(' ') == "Space");
    CHECK(name_of(keys::PageUp) == "PgUp");
}

TEST_CASE("help fits into 80 columns", "[tui]") {
    for (const Binding& binding : bindings())
        CHECK(binding.help.size() <= 60);
    for (const ViewSpec* view : view_specs())
        CHECK(view->help.size() <= 60);
}
