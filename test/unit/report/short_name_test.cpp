// SPDX-License-Identifier: BSD-3-Clause
#include "report/short_name.hpp"

#include "report/distinct_names.hpp"
#include "report/number_text.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <set>
#include <string>
#include <vector>

using namespace vftr::report;

namespace {

std::string shortened(std::string_view name, std::size_t limit, Keep keep = Keep::Class) {
    return short_name(name, limit, 2 * limit, keep);
}

} // namespace

TEST_CASE("a name that fits stays as it is", "[names]") {
    const std::string name = "void f<std::vector<int, std::allocator<int> > >(int)";
    CHECK(shortened(name, name.size()) == name);
    CHECK(shortened("", 1) == "");
}

TEST_CASE("the standard library is written as people write it", "[names]") {
    const std::string string = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
    CHECK(shortened(string + "::append(char const*)", 60) == "std::string::append(char const*)");
    CHECK(shortened("f(std::map<" + string + ", double, std::less<" + string + " >, std::allocator<std::pair<" +
                        string + " const, double> > > const&)",
                    60) == "f(std::map<std::string, double> const&)");
    CHECK(shortened("std::vector<double, std::allocator<double> >::push_back(double const&)", 60) ==
          "std::vector<double>::push_back(double const&)");
    CHECK(
        shortened(
            "std::unordered_map<int, int, std::hash<int>, std::equal_to<int>, std::allocator<std::pair<int const, int> > >::clear()",
            60) == "std::unordered_map<int, int>::clear()");
    CHECK(shortened("std::unique_ptr<mesh::cell, std::default_delete<mesh::cell> >::~unique_ptr()", 60) ==
          "std::unique_ptr<mesh::cell>::~unique_ptr()");
    CHECK(
        shortened(
            "std::basic_ostream<wchar_t, std::char_traits<wchar_t> >::operator<<(std::basic_ostream<wchar_t, std::char_traits<wchar_t> >&)",
            70) == "std::wostream::operator<<(std::wostream&)");
    CHECK(shortened("std::__1::vector<double, std::__1::allocator<double> >::push_back(double const&)", 60) ==
          "std::vector<double>::push_back(double const&)");
    CHECK(shortened("std::queue<solver::task, std::deque<solver::task, std::allocator<solver::task> > >::pop()", 60) ==
          "std::queue<solver::task>::pop()");
    // What is not the default stays.
    CHECK(shortened("std::set<long, std::less<void>, std::allocator<long> >::insert(long const&)", 60) ==
          "std::set<long, std::less<void>>::insert(long const&)");
    CHECK(shortened("std::vector<double, aligned<double, 64> >::push_back(double const&)", 66) ==
          "std::vector<double, aligned<double, 64>>::push_back(double const&)");
    CHECK(shortened("mine::vector<double, std::allocator<double> >::push_back(double const&)", 70) ==
          "mine::vector<double, std::allocator<double>>::push_back(double const&)");
}

TEST_CASE("what tells least goes first", "[names]") {
    const std::string name =
        "void la::sparse::Matrix<la::csr<double>, 3>::multiply<la::view<la::row<int> > >(la::view<la::row<int> > const&, double*)";
    CHECK(
        shortened(name, 115) ==
        "la::sparse::Matrix<la::csr<double>, 3>::multiply<la::view<la::row<int>>>(la::view<la::row<int>> const&, double*)");
    CHECK(shortened(name, 105) ==
          "la::sparse::Matrix<csr<double>, 3>::multiply<view<row<int>>>(view<row<int>> const&, double*)");
    CHECK(shortened(name, 90) ==
          "la::sparse::Matrix<csr<double>, 3>::multiply<view<row<…>>>(view<row<int>> const&, double*)");
    CHECK(shortened(name, 80) == "la::sparse::Matrix<csr<…>, 3>::multiply<view<…>>(view<row<…>> const&, double*)");
    CHECK(shortened(name, 70) == "la::sparse::Matrix<csr<…>, 3>::multiply<view<…>>(view<…> const&, …)");
    CHECK(shortened(name, 60) == "la::sparse::Matrix<la::csr<…>, 3>::multiply<la::view<…>>(…)");
    CHECK(shortened(name, 50) == "la::sparse::Matrix<csr<double>, 3>::multiply<…>(…)");
    CHECK(shortened(name, 40) == "la::sparse::Matrix<…>::multiply<…>(…)");
    CHECK(shortened(name, 30) == "…::Matrix<…>::multiply<…>(…)");
    CHECK(shortened(name, 20) == "…::Matrix<…>::multiply<…>(…)"); // the function and its class stay
    CHECK(width(short_name(name, 20, 20)) == 20);
    CHECK(shortened("particle::push(particle::state&, double, double, double)", 42) ==
          "particle::push(state&, double, double, …)");
}

TEST_CASE("names of all kinds are understood", "[names]") {
    CHECK(shortened("bool geometry::operator< <double>(geometry::point<double> const&, geometry::point<double> const&)",
                    40) == "geometry::operator< <double>(…)");
    CHECK(shortened("std::ostream& geometry::operator<< <double, 3>(std::ostream&, geometry::point<double, 3> const&)",
                    40) == "geometry::operator<< <double, 3>(…)");
    CHECK(shortened("some::very::long_namespace::smart_pointer<some::thing>::operator->() const", 50) ==
          "…::smart_pointer<some::thing>::operator->() const");
    CHECK(shortened("field<double, 3>::operator()(unsigned long, unsigned long, unsigned long) const", 40) ==
          "field<double, 3>::operator()(…) const");
    CHECK(shortened("field<double, 3>::operator std::vector<double, std::allocator<double> > const&() const", 64) ==
          "field<double, 3>::operator std::vector<double> const&() const");
    CHECK(shortened("callback<double, 3>::operator void (*)(std::vector<int, std::allocator<int> >)() const", 70) ==
          "callback<double, 3>::operator void (*)(std::vector<int>)() const");
    CHECK(shortened("operator\"\" _kilometres_per_hour(unsigned long long, unsigned long long)", 50) ==
          "operator\"\" _kilometres_per_hour(…)");
    CHECK(shortened("void* memory::pool<memory::arena>::operator new[](unsigned long, std::align_val_t)", 50) ==
          "memory::pool<memory::arena>::operator new[](…)");
    CHECK(shortened(
              "void (*table::lookup<table::entry>(int, std::basic_string_view<char, std::char_traits<char> >))(double)",
              60) == "table::lookup<table::entry>(int, std::string_view)");
    CHECK(shortened("decltype (((declval<int>)())+((declval<long>)())) sum<int, long>(int const&, long const&)", 50) ==
          "sum<int, long>(int const&, long const&)");
    CHECK(shortened("std::enable_if<((sizeof (int))<(8)), int>::type widen<int>(int, std::allocator<int> const&)",
                    50) == "widen<int>(int, std::allocator<int> const&)");
    CHECK(shortened("(anonymous namespace)::assembler<3>::run(std::vector<int, std::allocator<int> >&, double)", 60) ==
          "(anonymous namespace)::assembler<3>::run(vector<…>&, double)");
    CHECK(shortened("name_of[abi:cxx11](std::vector<int, std::allocator<int> > const&)", 60) ==
          "name_of(std::vector<int> const&)");
    CHECK(shortened("void work<std::vector<int, std::allocator<int> > >(long) [clone .constprop.0]", 60) ==
          "void work<std::vector<int>>(long) [clone .constprop.0]");
    CHECK(shortened("void work<std::vector<std::vector<int>, int> >(long) [clone .constprop.0]", 40) ==
          "work<vector<…>>(…) [clone .constprop.0]");
    CHECK(shortened("non-virtual thunk to very_long_namespace::derived<double>::evaluate(double) const", 60) ==
          "non-virtual thunk to …::derived<double>::evaluate(…) const");
}

TEST_CASE("a lambda keeps the function that it stands in", "[names]") {
    const std::string name =
        "void solver::sweep<double>(field<double>&, int)::{lambda(unsigned long, unsigned long)#2}::operator()(unsigned long, unsigned long) const";
    CHECK(shortened(name, 70) == "solver::sweep<double>(…)::{lambda(…)#2}::operator()(…) const");
    CHECK(shortened(name, 40) == "…::sweep<…>(…)::{lambda(…)#2}::operator()(…) const");
    CHECK(
        shortened("auto solver::sweep()::'lambda'(unsigned long, double)::operator()(unsigned long, double) const", 60)
            .find("...") != std::string::npos); // no template, so the word before is none of C++'s
    CHECK(shortened("solver::sweep()::'lambda'(unsigned long, double)::operator()(unsigned long, double) const", 60) ==
          "solver::sweep()::'lambda'(…)::operator()(…) const");
}

TEST_CASE("OpenMP's constructs keep their words and lines", "[names]") {
    CHECK(
        shortened(
            "omp parallel void smooth<std::vector<double, std::allocator<double> > >(std::vector<double, std::allocator<double> >&):42",
            50) == "omp parallel smooth<vector<…>>(vector<double>&):42");
    CHECK(shortened("omp implicit barrier smooth(std::vector<double, std::allocator<double> >&):7", 60) ==
          "omp implicit barrier smooth(std::vector<double>&):7");
}

TEST_CASE("what is no name of C++ loses its middle", "[names]") {
    CHECK(shortened("a_function_of_the_language_c_with_a_long_name", 20) == "a_functio...ong_name");
    CHECK(shortened("assemble all contributions of the element matrices (order 4)", 30) ==
          fit("assemble all contributions of the element matrices (order 4)", 30));
    CHECK(shortened("assemble all contributions by quadrature(order 4)", 30) ==
          fit("assemble all contributions by quadrature(order 4)", 30));
    for (const std::string broken :
         {"f<int(", "f)))))))))))))))))))))))))))", "operator", "operator operator operator operator",
          "a::::::::::::::::b", "~", "::", "<>>>>>>>>>>>>>>>>>>>>>>"})
        CHECK(shortened(broken, 6) == fit(broken, 6));
    CHECK(shortened(std::string(100000, '<') + std::string(100000, '>'), 60).size() == 60);
    CHECK(shortened("f\x1b[31m<int>(a_type_of_some_length)", 10).find('\x1b') == std::string::npos);
}

TEST_CASE("whatever a name holds, its text has a bound", "[names]") {
    const std::string seed =
        "void (*std::a<b(*)(int), {lambda(c)#1}>::operator<<  <d>(e::f[abi:g] const&, 'h')::operator()() const&)(i)->*,";
    std::mt19937 random(1);
    for (int i = 0; i < 20000; ++i) {
        std::string name = seed;
        for (int j = 0; j < 8; ++j) {
            const std::size_t at = random() % name.size(), length = random() % 12;
            random() % 2 ? name.erase(at, length) : name.insert(at, seed.substr(random() % seed.size(), length));
            if (name.empty())
                name = "x";
        }
        for (Keep keep : {Keep::Class, Keep::Parameters, Keep::Arguments})
            REQUIRE(width(short_name(name, 20, 30, keep)) <= 30);
    }
}

TEST_CASE("different names read differently", "[names]") {
    const std::vector<std::string> names = {
        "solver::solve(la::matrix<double> const&, la::vector<double> const&, la::vector<double>&, solver::options const&)",
        "solver::solve(la::matrix<float> const&, la::vector<float> const&, la::vector<float>&, solver::options const&)",
        "solver::solve(la::matrix<double> const&, la::vector<double> const&, la::vector<double>&, solver::results&)",
        "field<la::vector<double>, mesh::tetrahedron>::interpolate(std::vector<double, std::allocator<double> > const&)",
        "field<la::vector<double>, mesh::hexahedron>::interpolate(std::vector<double, std::allocator<double> > const&)",
        "a_region_with_a_name_that_is_much_too_wide_for_a_column_number_1_of_three_regions",
        "a_region_with_a_name_that_is_much_too_wide_for_a_column_number_2_of_three_regions",
        "a_region_with_a_name_that_is_much_too_wide_for_a_column_number_3_of_three_regions",
        "main",
    };
    std::vector<std::string_view> all(names.begin(), names.end()), reversed(names.rbegin(), names.rend());
    for (std::size_t limit : {30, 40, 60}) {
        const DistinctNames one(all, limit, 2 * limit), other(reversed, limit, 2 * limit);
        std::set<std::string> texts;
        for (const std::string& name : names) {
            CHECK(width(one.of(name)) <= 2 * limit);
            CHECK(one.of(name) == other.of(name));
            texts.insert(one.of(name));
        }
        CHECK(texts.size() == names.size());
    }
    const DistinctNames narrow(all, 24, 48);
    CHECK(narrow.of(names[0]) == "solver::solve(…)#1");
    CHECK(narrow.of(names[2]) == "solver::solve(…)#2");
    CHECK(narrow.of(names[1]) == "solver::solve(…)#3");
    CHECK(narrow.of("main") == "main");
}

TEST_CASE("a number gives way to a name that has it", "[names]") {
    const std::vector<std::string_view> names = {"f(…)#1", "f(…)", "f(a_class_with_a_long_name)",
                                                 "f(another_class_with_a_long_name)"};
    const DistinctNames distinct(names, 8, 16);
    CHECK(distinct.of(names[0]) == "f(…)#1");
    CHECK(distinct.of(names[1]) == "f(…)");
    CHECK(distinct.of(names[2]) == "f(…)#2");
    CHECK(distinct.of(names[3]) == "f(…)#3");
}

TEST_CASE("what tells functions of one name apart is not cut off", "[names]") {
    CHECK(
        shortened(
            "mesh::(anonymous namespace)::refine(std::vector<mesh::cell, std::allocator<mesh::cell> > const&, double) (refine_serial.cpp)",
            60) == "mesh::(anonymous namespace)::refine(…) (refine_serial.cpp)");
}
