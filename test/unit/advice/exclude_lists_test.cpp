// SPDX-License-Identifier: BSD-3-Clause
#include "advice/exclude_lists.hpp"

#include <catch2/catch.hpp>

using namespace vftr::advice;
using Texts = std::vector<std::string>;

TEST_CASE("gcc's names of functions are qualified, without return types and parameters") {
    CHECK(gcc_name("add") == "add");
    CHECK(gcc_name("plain(int, double)") == "plain");
    CHECK(gcc_name("add (a.c)") == "add");
    CHECK(gcc_name("(anonymous namespace)::add(int) (x/a.cpp)") == "{anonymous}::add");
    CHECK(gcc_name("geo::Vec<double>::at(int)") == "geo::Vec<double>::at");
    CHECK(gcc_name("geo::Vec<double>::dot(geo::Vec<double> const&) const") == "geo::Vec<double>::dot");
    CHECK(gcc_name("int geo::twice<int>(int)") == "geo::twice<int>");
    CHECK(gcc_name("std::map<int, char> make<int, char>(std::pair<int, char>)") == "make<int, char>");
    CHECK(gcc_name("geo::(anonymous namespace)::hidden(int)") == "geo::{anonymous}::hidden");
    CHECK(gcc_name("S::operator int() const") == "S::operator int");
    CHECK(gcc_name("S::operator()(int) const") == "S::operator()");
    CHECK(gcc_name("geo::Vec<double>::operator<(geo::Vec<double> const&) const") == "geo::Vec<double>::operator<");
    CHECK(gcc_name("work(int) [clone .part.0]") == "work");
    CHECK(gcc_name("Text::count[abi:cxx11]() const") == "Text::count");
    CHECK(gcc_name("geo_MOD_area") == "area");
    CHECK(gcc_name("geo::area") == "area"); // Fortran
    CHECK_FALSE(gcc_name("main::{lambda(int)#1}::operator()(int) const"));
    CHECK_FALSE(gcc_name("libx.so+0x1234"));
    CHECK_FALSE(gcc_name(""));
}

TEST_CASE("An entry of a list hits no function that is to be recorded") {
    const ExcludeLists lists = exclude_lists({{"add", ""}, {"tiny(int)", ""}, {"geo::Vec<int>::at(int)", ""}},
                                             {{"add_all", ""}, {"main", ""}}, {});
    CHECK(lists.functions == Texts{"geo::Vec<", "tiny"});
    CHECK(lists.files.empty());
    CHECK(lists.uncovered == Texts{"add"});
}

TEST_CASE("What another template has as its argument counts as its name") {
    const ExcludeLists lists = exclude_lists({{"Vec<int>::at(int)", ""}}, {{"void sort<Vec<int> >(Vec<int>)", ""}}, {});
    CHECK(lists.uncovered == Texts{"Vec<int>::at(int)"});
    CHECK(exclude_lists({{"Vec<int>::at(int)", ""}}, {{"sort(Vec<int>)", ""}}, {}).functions == Texts{"Vec<"});
}

TEST_CASE("Templates of a file of their own are left out by the file, those of the system by its folder") {
    const std::vector<ListedFunction> excluded{
        {"Vec<int>::at(int)", "/home/me/src/vec.hpp"},
        {"std::vector<int>::size() const", "/usr/include/c++/12/bits/stl_vector.h"}};
    const Texts folders{"/usr/include"};
    CHECK(exclude_lists(excluded, {{"main", "/home/me/src/main.cpp"}}, folders).files ==
          Texts{"/usr/include", "vec.hpp"});
    const ExcludeLists partly = exclude_lists(
        excluded, {{"run(Vec<int>)", "/home/me/src/vec.hpp"}, {"std::sort()", "/usr/include/c++/12/bits/stl_algo.h"}},
        folders);
    CHECK(partly.files == Texts{"/usr/include/c++/12/bits/stl_vector.h"});
    CHECK(partly.functions == Texts{"Vec<"});
}

TEST_CASE("A file or template may take functions of little worth along, and they are told; a name may not") {
    ExcludeLists lists = exclude_lists({{"Vec<int>::at(int)", "/src/vec.hpp"}},
                                       {{"Vec<int>::Vec()", "/src/vec.hpp", true}, {"main", "/src/main.cpp"}}, {});
    CHECK(lists.files == Texts{"vec.hpp"});
    CHECK(lists.also == Texts{"Vec<int>::Vec()"});
    lists = exclude_lists({{"Vec<int>::at(int)", ""}}, {{"Vec<int>::Vec()", "", true}}, {});
    CHECK(lists.functions == Texts{"Vec<"});
    CHECK(lists.also == Texts{"Vec<int>::Vec()"});
    CHECK(exclude_lists({{"add", ""}}, {{"add_all", "", true}}, {}).uncovered == Texts{"add"});
}

TEST_CASE("Entries that another one has within it are not repeated") {
    CHECK(exclude_lists(
              {{"geo::Vec<int>::at(int)", ""}, {"geo::Vec<int>::at2(int)", ""}, {"tiny", ""}, {"tiny_too", ""}}, {}, {})
              .functions == Texts{"geo::Vec<", "tiny"});
}

TEST_CASE("Lists are escaped for gcc and for the shell") {
    CHECK(list_text({"a", "operator,"}) == "a,operator\\,");
    CHECK(shell_word("-f=/usr/include,x.hpp") == "-f=/usr/include,x.hpp");
    CHECK(shell_word("-f=Vec<") == "'-f=Vec<'");
    CHECK(shell_word("it's") == "'it'\\''s'");
}
