// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/cxx_names.hpp"
#include "symbols/name_clean.hpp"

#include "fixture.hpp"
#include "symbols/fortran_traces.hpp"

#include <catch2/catch.hpp>

using namespace vftr::symbols;
using test::Fixture;

TEST_CASE("C++ names are demangled in full, or left alone where that is asked for", "[symbols]") {
    const NameOptions options;
    CHECK(clean_name("_ZNSt6vectorIiSaIiEE9push_backERKi", options) ==
          "std::vector<int, std::allocator<int> >::push_back(int const&)");
    CHECK(clean_name("_ZGVZ4mainE1x", options) == "guard variable for main::x");
    CHECK(clean_name("_Zgarbage", options) == "_Zgarbage");
    CHECK(clean_name("_Z3foov", {false, false}) == "_Z3foov");
    CHECK(clean_name("main", options) == "main");
    CHECK(clean_name("", options) == "");
}

TEST_CASE("clones that a compiler has made of a function have its name", "[symbols]") {
    const NameOptions options;
    for (const char* clone : {"_Z3foov.part.0", "_Z3foov.cold", "_Z3foov.constprop.0.isra.12", "_Z3foov.llvm.123456789",
                              "_Z3foov.lto_priv.0.cold"})
        CHECK(clean_name(clone, options) == "foo()");
    CHECK(clean_name("f.constprop.0", options) == "f");
    CHECK(clean_name("__geo_MOD_area.constprop.0", options, true) == "geo::area");
    CHECK(clean_name("_Z3foov.omp_fn.0", options) == "foo() [clone .omp_fn.0]");
    for (const char* other : {"f.constprop", "f.partly.0", "f.0", ".cold", "part.", "f..0", "cold", "f.cold.0"})
        CHECK(clean_name(other, options) == other);
    CHECK(former_name("_Z3foov.part.0", options, false) == "foo() [clone .part.0]");
    CHECK(former_name("f.constprop.0", options, false) == "f.constprop.0");
}

TEST_CASE("suffixes of Intel's compiler and symbol versions are removed", "[symbols]") {
    CHECK(clean_name("work.t10p", {}) == "work");
    CHECK(clean_name("_Z3foov.t1p", {}) == "foo()");
    CHECK(clean_name("work_.t10p", {}, true) == "work");
    CHECK(clean_name("work.tp", {}) == "work.tp");
    CHECK(clean_name("work.t1xp", {}) == "work.t1xp");
    CHECK(clean_name(".t1p", {}) == ".t1p");
    CHECK(clean_name("memcpy@@GLIBC_2.14", {}) == "memcpy");
}

TEST_CASE("one underscore is removed from Fortran's names only", "[symbols]") {
    CHECK(clean_name("solve_", {}, true) == "solve");
    CHECK(clean_name("solve_", {}) == "solve_");
    CHECK(clean_name("MAIN__", {}, true) == "MAIN");
    CHECK(clean_name("MAIN__", {}) == "MAIN__");
    CHECK(clean_name("two__", {}, true) == "two__");
    CHECK(clean_name("CamelCase_", {}, true) == "CamelCase_");
    CHECK(clean_name("_", {}, true) == "_");
    CHECK(clean_name("inner.3", {}, true) == "inner");
    CHECK(clean_name("inner.3", {}) == "inner.3");
}

TEST_CASE("strip_module_names cuts through _MOD_, _mp_ and _MP_", "[symbols]") {
    const NameOptions strip{true, true};
    CHECK(clean_name("__geo_MOD_area", strip) == "area");
    CHECK(clean_name("geo_mp_area_", strip) == "area");
    CHECK(clean_name("__geo.details_MOD_area", strip) == "area");
    CHECK(clean_name("_QMgeoSdetailsFareaPinner", strip) == "area::inner");
    CHECK(clean_name("MAIN__", strip, true) == "MAIN");
    CHECK(clean_name("geo_MP_area", strip) == "area");
    CHECK(clean_name("geo_MOD_", strip) == "geo_MOD_");
    CHECK(clean_name("_mp_x", strip) == "_mp_x");
    CHECK(clean_name("_Z7a_mp_b_v", strip) == "a_mp_b_()");
}

TEST_CASE("Fortran's procedures are named as in the source", "[symbols]") {
    const NameOptions strip_modules{true, true};
    struct Case {
        const char *symbol, *name, *former;
    };
    for (const Case& c : std::initializer_list<Case>{
             {"__clover_module_MOD_clover_exchange", "clover_module::clover_exchange",
              "__clover_module_MOD_clover_exchange"},
             {"__shapes.details_MOD_helper", "shapes::details::helper", "__shapes.details_MOD_helper"},
             {"__shapes_MOD___copy_shapes_Square", "shapes::__copy_shapes_Square", "__shapes_MOD___copy_shapes_Square"},
             {"__heat_MOD_step._omp_fn.0", "heat::step._omp_fn.0", "__heat_MOD_step._omp_fn.0"},
             {"geo_mp_area_", "geo::area", "geo_mp_area"},
             {"geo@details_mp_area_", "geo::details::area", "geo@details_mp_area"},
             {"_QMgeoParea", "geo::area", "_QMgeoParea"},
             {"_QMgeoSdetailsParea", "geo::details::area", "_QMgeoSdetailsParea"},
             {"_QMgeo_2Farea_ofPinner", "geo_2::area_of::inner", "_QMgeo_2Farea_ofPinner"},
             {"_QMgeoParea.omp_par.1", "geo::area.omp_par.1", "_QMgeoParea.omp_par.1"},
             {"_QFPinner", "MAIN::inner", "_QFPinner"},
             {"_QParea", "area", "_QParea"},
             {"_QQmain", "MAIN", "_QQmain"},
         }) {
        CHECK(clean_name(c.symbol, {}) == c.name);
        CHECK(former_name(c.symbol, {}, false) == c.former);
    }
    CHECK(clean_name("geo_MP_area", {}, true) == "geo::area");
    CHECK(clean_name("MAIN_", {}, true) == "MAIN");
    CHECK(clean_name("MAIN__._omp_fn.0", {}, true) == "MAIN._omp_fn.0");
    CHECK(former_name("MAIN__", {}, true) == "MAIN__");
    CHECK(former_name("work_", {}, true) == "");
    CHECK(former_name("__geo_MOD_area", strip_modules, true) == "");
    // Names of C and C++, and what is cut off.
    for (const char* symbol : {"__geo_MOD_", "___MOD_area", "geo_MOD_area", "fp_mp_add", "_QMgeo", "_QMgeoEtable",
                               "_Quick", "_Q", "_QMP", "MAIN_loop", "MAINLY_"})
        CHECK(clean_name(symbol, {}) == symbol);
}

TEST_CASE("a name cannot break a line of the output", "[symbols]") { CHECK(clean_name("a\nb\tc\x7f", {}) == "a?b?c?"); }

TEST_CASE("Fortran is known by its source files and its runtime", "[symbols]") {
    CHECK(is_fortran_source("solver.F90"));
    CHECK(is_fortran_source("a.b.for"));
    CHECK_FALSE(is_fortran_source("solver.c"));
    CHECK_FALSE(is_fortran_source("f90"));
    CHECK(is_fortran_runtime("_gfortran_st_write"));
    CHECK(is_fortran_runtime("__geo_MOD_area"));
    CHECK(is_fortran_runtime("_QMgeoParea"));
    CHECK_FALSE(is_fortran_runtime("for_each"));
    CHECK_FALSE(is_fortran_runtime("geo_MOD_area"));
}

TEST_CASE("C++ functions of a real program carry their full names", "[symbols]") {
    const Fixture fixture;
    fixture.write("p.cpp", R"(
        template <class T, class U> struct Pair { T a; U b; T sum(int n) { return a + n; } };
        namespace deep { static double twice(double x) { return 2 * x; } }
        int main() { Pair<int, Pair<char, long>> p{}; return p.sum(1) + (int)deep::twice(0) - 1; }
    )");
    REQUIRE(fixture.run("g++ -O0 -std=c++11 p.cpp -o p"));
    const auto functions = fixture.functions("p");
    Resolver resolver({fixture.module("p", 0x4000000)}, {});
    CHECK(resolver.name(0x4000000 + functions.at("_ZN4PairIiS_IclEE3sumEi")) ==
          "Pair<int, Pair<char, long> >::sum(int)");
    CHECK(resolver.name(0x4000000 + functions.at("_ZN4deepL5twiceEd")) == "deep::twice(double)");
}

TEST_CASE("a Fortran program loses its underscores, a C program keeps them", "[symbols]") {
    const Fixture fixture;
    fixture.write("f.f90", R"(
module geo
contains
  subroutine area(x)
    real :: x
    call inner
  contains
    subroutine inner
      x = x + 1
    end subroutine
  end subroutine
end module
subroutine plain(x)
  real :: x
  x = x * 2
end subroutine
program p
  use geo
  real :: x = 1
  call area(x)
  call plain(x)
end program
)");
    fixture.write("c.c", "static int own_(void) { return 1; } int keep(void) { return own_(); }");
    if (!fixture.run("gcc -O0 -c c.c && gfortran -O0 f.f90 c.o -o f && strip -s f -o g")) {
        WARN("no gfortran here");
        return;
    }
    const auto functions = fixture.functions("f");
    const SymbolTable table(fixture.module("f"));
    const NameOptions strip{true, true};
    CHECK(table.find(functions.at("plain_")) == "plain_");
    CHECK(table.clean(functions.at("plain_"), {}) == "plain");
    CHECK(table.clean(functions.at("__geo_MOD_area"), {}) == "geo::area");
    CHECK(table.clean(functions.at("__geo_MOD_area"), strip) == "area");
    CHECK(table.clean(functions.at("inner.0"), {}) == "inner");
    CHECK(table.clean(functions.at("MAIN__"), strip) == "MAIN");
    CHECK(table.clean(functions.at("own_"), {}) == "own_"); // static in a C file

    fixture.write("p.c", test::c_program);
    REQUIRE(fixture.run("gcc -O0 p.c -o p"));
    CHECK(SymbolTable(fixture.module("p")).clean(fixture.functions("p").at("visible_"), {}) == "visible_");
}

TEST_CASE("an underscore stays where the object has a function of the name without it", "[symbols][name_clean]") {
    const Fixture fixture;
    fixture.write("f.f90", "subroutine main\nend subroutine\nprogram p\n  call main\nend program\n");
    fixture.write(
        "c.c",
        "int dot(int n) { return n; }\nvoid dot_(int* n) { dot(*n); }\nvoid axpy_(void) {}\nint polka_dot(void) { return 1; }\nvoid scal_(void) {}\n"
        "void scal(void) __attribute__((weak, alias(\"scal_\")));\n");
    if (!fixture.run("gcc -O0 -c c.c && gfortran -O0 f.f90 c.o -o f")) {
        WARN("no gfortran here");
        return;
    }
    const auto functions = fixture.functions("f");
    const SymbolTable all(fixture.module("f"));
    const std::pair<std::string, std::string> names[] = {{"dot", "dot"},     {"dot_", "dot_"},  {"main", "main"},
                                                         {"main_", "main_"}, {"axpy_", "axpy"}, {"scal_", "scal"}};
    for (const auto& [symbol, shown] : names) {
        CHECK(all.clean(functions.at(symbol), {}) == shown);
        CHECK(SymbolTable(fixture.module("f")).clean(functions.at(symbol), {}) == shown); // alone
    }
}

TEST_CASE("local classes of one name have numbers", "[symbols][name_clean]") {
    const std::pair<std::string, std::string> names[] = {
        {"_ZZ4mainEN3Loc1mEv", "main::Loc::m()"},
        {"_ZZ4mainEN3Loc1mE_0v", "main::Loc#2::m()"},
        {"_ZZ4mainEN3Loc1mE__10_v", "main::Loc#12::m()"},
        {"_ZZ4mainEN3Loc1kE_0S_", "main::Loc#2::k(Loc#2)"},
        {"_ZZ4mainEN3LocD1E_0v", "main::Loc#2::~Loc#2()"},
        {"_ZZ4mainENK3Loc2IncvPiE_0v", "main::Loc#2::In::operator int*() const"},
        {"_ZZ3inliEN1L1fE_0i", "inl(int)::L#2::f(int)"},
        {"_Z3fooIZ4mainE3LocEiT_", "int foo<main::Loc>(main::Loc)"},
        {"_Z3fooIZ4mainE3Loc_0EiT_", "int foo<main::Loc#2>(main::Loc#2)"},
        {"_ZZZ4mainENKUliE_clEiEN1Q1zE_0v", "main::{lambda(int)#1}::operator()(int) const::Q#2::z()"},
        // These are none of such a class.
        {"_ZZ4mainENUliE_4_FUNEi", "main::{lambda(int)#1}::_FUN(int)"},
        {"_ZZ4mainEN3$_08__invokeEi", "main::$_0::__invoke(int)"},
        {"_ZZ4mainEN3Loc3_0xEv", "main::Loc::_0x()"},
    };
    for (const auto& [symbol, shown] : names) {
        CHECK(clean_name(symbol, {}, false) == shown);
        CHECK(clean_name(symbol, {false, false}, false) == symbol);
        std::string bare = shown;
        for (const std::string number : {"#2", "#12"})
            for (std::size_t at; (at = bare.find(number)) != bare.npos;)
                bare.erase(at, number.size());
        CHECK(former_name(symbol, {}, false) == (bare == shown ? "" : bare)); // filters that name it go on working
    }
}

TEST_CASE("a name of C++ without its parameters", "[symbols]") {
    CHECK(without_parameters("ns::f(int)") == "ns::f");
    CHECK(without_parameters("ns::C::f(std::function<void (int)>, char (*)[3]) const") == "ns::C::f");
    CHECK(without_parameters("C::f() volatile &&") == "C::f");
    CHECK(without_parameters("C::operator()(int)") == "C::operator()");
    CHECK(without_parameters("solve") == "solve");
    CHECK(without_parameters("odd)") == "odd)");
}
