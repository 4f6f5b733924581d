// SPDX-License-Identifier: BSD-3-Clause
#include "advice/expression.hpp"
#include "symbols/pattern.hpp"

#include <catch2/catch.hpp>

using namespace vftr::advice;
using Names = std::vector<std::string>;

namespace {

void check_matches(const Names& names, const Names& others) {
    const std::string expression = expression_for(names, others);
    const vftr::symbols::Pattern pattern(expression);
    INFO(expression);
    REQUIRE(pattern.valid());
    for (const std::string& name : names)
        CHECK(pattern.matches(name));
    for (const std::string& name : others)
        CHECK_FALSE(pattern.matches(name));
}

Names many(const std::string& prefix, int count) {
    Names names;
    for (int i = 0; i < count; ++i)
        names.push_back(prefix + std::to_string(i) + "()");
    return names;
}

} // namespace

TEST_CASE("An expression matches the names and nothing else, whatever characters they have") {
    CHECK(expression_for({"add"}, {"add_all"}) == "^(?:add)$");
    check_matches({"add", "geo::Vec<double>::operator[](int) const", "operator+(a*, b&)", "f(int) [clone .part.0]",
                   "a\\Eb", "x{lambda(int)#1}::operator()(int) const", "p^$?|"},
                  {"add_all", "badd", "geo::Vec<double>::operator[](int)", "operator", "f(int) [clone Xpart.0]", "p"});
}

TEST_CASE("Names of one namespace are one part of the expression only if all of it that is known is meant") {
    Names names = many("std::vec", 10);
    names.push_back("geo::dot(int)");
    names.push_back("geo::cross(int)");
    names.push_back("tiny");
    CHECK(expression_for(names, {"main", "geo::solve()"}) ==
          "^(?:geo::cross\\(int\\)|geo::dot\\(int\\)|std::.*|tiny)$");
    check_matches(names, {"main", "geo::solve()", "xstd::vec1()"});
    check_matches(names, {"std::sort()"});
    CHECK(expression_for(names, {"std::sort()"}).find(".*") == std::string::npos);
}

TEST_CASE("Of nested namespaces and templates the widest part is taken that has no other name") {
    Names names = many("lib::detail::Node<int>::get", 8);
    for (const std::string& name : many("lib::tools::f", 8))
        names.push_back(name);
    CHECK(expression_for(names, {"lib::run()"}) == "^(?:lib::detail::.*|lib::tools::.*)$");
    CHECK(expression_for(names, {"lib::detail::walk()"}) == "^(?:lib::detail::Node<.*|lib::tools::.*)$");
}

TEST_CASE("Few names are written one by one") {
    CHECK(expression_for({"std::a()", "std::b()", "std::c()"}, {}) == "^(?:std::a\\(\\)|std::b\\(\\)|std::c\\(\\))$");
}
