// SPDX-License-Identifier: BSD-3-Clause
#include "base/temporary_folder.hpp"
#include "instrument/function_list.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace vftr::instrument;

namespace {

struct ListFile {
    explicit ListFile(const char* text) { std::ofstream(path) << text; }
    const vftr::base::TemporaryFolder folder;
    const std::string path = folder.file("list");
};

} // namespace

TEST_CASE("a list of functions names them as tables do, as the linker does, or without parameters", "[instrument]") {
    const ListFile file(
        "# what is hot\n\n  geo::area(double)  \nlinker_name\n_ZN3geo4sideEi\ngeo::Vec<double>::at\nmod::solve\r\n");
    FunctionList list;
    CHECK(list.empty());
    REQUIRE(list.read(file.path).empty());
    CHECK(!list.empty());
    CHECK(list.has("_ZN3geo4areaEd", false)); // geo::area(double)
    CHECK(!list.has("_ZN3geo4areaEi", false));
    CHECK(list.has("linker_name", false));
    CHECK(!list.has("linker_name2", false));
    CHECK(list.has("_ZN3geo4sideEi", false));
    CHECK(list.has("_ZN3geo3VecIdE2atEi", false));
    CHECK(list.has("_ZNK3geo3VecIdE2atEi", false)); // const
    CHECK(list.has("__mod_MOD_solve", true));
    CHECK(!list.has("what", false));
}

TEST_CASE("an entry between slashes is a regular expression for the name in tables", "[instrument]") {
    const ListFile file("/^geo::/\n/solve$/\n//\n/\n");
    FunctionList list;
    REQUIRE(list.read(file.path).empty());
    CHECK(list.has("_ZN3geo4areaEd", false));
    CHECK(list.has("resolve", false));
    CHECK(!list.has("solver", false));
    CHECK(list.has("/", false)); // too short for an expression: a name
}

TEST_CASE("what is wrong with a list is told with its line", "[instrument]") {
    const ListFile file("good\n/(/\n");
    FunctionList list;
    const std::string problem = list.read(file.path);
    CHECK(problem.starts_with(file.path + ":2: no valid regular expression: "));
    CHECK(list.read(file.folder.path()) == "cannot read " + file.folder.path() + ": Is a directory");
}
