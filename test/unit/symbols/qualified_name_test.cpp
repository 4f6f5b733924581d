// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/qualified_name.hpp"

#include "fixture.hpp"
#include "symbols/module_label.hpp"
#include "symbols/module_names.hpp"
#include "symbols/name_clean.hpp"
#include "symbols/store.hpp"

#include <catch2/catch.hpp>

using namespace vftr::symbols;
using test::Fixture;

namespace {

std::vector<std::string> shown(const std::vector<std::string>& names) {
    const ShownQualifiers qualifiers(names);
    std::vector<std::string> texts;
    for (const std::string& name : names)
        texts.push_back(qualifiers.of(name));
    return texts;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a qualified name has two parts", "[symbols][qualified_name]") {
    CHECK(qualified("init", "") == "init");
    const std::string text = qualified("init", "a.so{00000001}");
    CHECK(parse_qualified(text).name == "init");
    CHECK(parse_qualified(text).qualifier == "a.so{00000001}");
    CHECK(parse_qualified("init").name == "init");
    CHECK(parse_qualified("init").qualifier == "");
    // Behind the bare name, before all others that begin so.
    CHECK("init" < text);
    CHECK(text < "init (a.c)");
    CHECK(text < "init2");
}

TEST_CASE("a qualifier is shown where names read alike", "[symbols][qualified_name]") {
    const std::string a = qualified("init", "a.so{00000001}"), b = qualified("init", "b.so{00000002}"),
                      other_a = qualified("init", "a.so{00000003}");
    CHECK(shown({a}) == Texts{"init"});
    CHECK(shown({a, a}) == Texts{"init", "init"});
    CHECK(shown({a, "init", "main"}) == Texts{"init (a.so)", "init", "main"});
    CHECK(shown({b, a}) == Texts{"init (b.so)", "init (a.so)"});
    CHECK(shown({other_a, b, a}) == Texts{"init (a.so{00000003})", "init (b.so)", "init (a.so{00000001})"});
    CHECK(shown({qualified("init (a.c)", "a.so{00000001}"), "init (a.c)"}) == Texts{"init (a.c, a.so)", "init (a.c)"});
    CHECK(shown({qualified("f(int)", "a.so{00000001}"), "f(int)", "f(long)"}) ==
          Texts{"f(int) (a.so)", "f(int)", "f(long)"});
}

// Issue: main of two programs of one job (-n 2 ./a : -n 2 ./b) is one row
TEST_CASE("functions of several executables are told apart, that of one has the bare name",
          "[symbols][qualified_name]") {
    const std::string a = qualified("f", "a{00000001}*"), b = qualified("f", "b{00000002}*"),
                      other_a = qualified("f", "a{00000003}*"), library = qualified("f", "a.so{00000004}");
    CHECK(shown({a}) == Texts{"f"});
    CHECK(shown({a, b}) == Texts{"f (a)", "f (b)"});
    CHECK(shown({a, b, other_a}) == Texts{"f (a{00000001})", "f (b)", "f (a{00000003})"});
    CHECK(shown({a, library}) == Texts{"f", "f (a.so)"});
    CHECK(shown({a, b, library}) == Texts{"f (a)", "f (b)", "f (a.so)"});
    CHECK(shown({"f", a}) == Texts{"f", "f (a)"}); // that of a process that is no rank
    CHECK(ShownQualifiers(Texts{a, library}).of(a) == "f");
    CHECK(is_executable_label("a{00000001}*"));
    CHECK_FALSE(is_executable_label("a.so{00000001}"));
}

TEST_CASE("files are shown with as many folders as it takes", "[symbols][qualified_name]") {
    CHECK(shown({qualified("omp parallel f:1", "/x/a.c"), qualified("omp parallel f:1", "/x/b.c")}) ==
          Texts{"omp parallel f:1 (a.c)", "omp parallel f:1 (b.c)"});
    CHECK(shown({qualified("f", "/p/x/a.c"), qualified("f", "/p/y/a.c"), qualified("f", "/p/y/b.c")}) ==
          Texts{"f (x/a.c)", "f (y/a.c)", "f (b.c)"});
    CHECK(shown({qualified("f", "/a.c"), qualified("f", "/x/a.c")}) == Texts{"f (/a.c)", "f (a.c)"});
    const std::string deep = "/1/2/3/4/5/6/7/8/9/a.c";
    CHECK(shown({qualified("f", "/x" + deep), qualified("f", "/y" + deep)}) ==
          Texts{"f (/x" + deep + ")", "f (/y" + deep + ")"});
}

TEST_CASE("a name that is not in the list is shown as if it were", "[symbols][qualified_name]") {
    const std::vector<std::string> names{qualified("init", "a.so{00000001}"), "init",
                                         qualified("run", "a.so{00000001}")};
    const ShownQualifiers qualifiers(names);
    CHECK(qualifiers.of(qualified("run", "b.so{00000002}")) == "run");
    CHECK(qualifiers.of(qualified("init", "b.so{00000002}")) == "init (b.so{00000002})");
    CHECK(qualifiers.of("exit") == "exit");
}

TEST_CASE("what tells a name apart can be taken off", "[symbols][qualified_name]") {
    CHECK(without_last_qualifier("init (a.c, a.so)") == "init (a.c)");
    for (const char* whole :
         {"init (a.c)", "init", "f(int, long)", "f((anonymous namespace)::A, int)", "f(int, long) (a.so)"})
        CHECK(without_last_qualifier(whole) == whole);
}

TEST_CASE("hidden functions of C++ are not those of one source file", "[symbols][qualified_name]") {
    for (const char* symbol :
         {"_Z5twicei", "_ZN7Counter4nextEi", "_ZNK2ns1A1fEv", "_ZNSt6vectorIiSaIiEE4sizeEv", "_Z4halfIiET_S0_"})
        CHECK(is_hidden_cxx(symbol));
    for (const char* symbol : {"init", "_ZL5twicei", "_ZN2nsL1fEv", "_ZN12_GLOBAL__N_11fEv", "_ZZ1fvENKUlvE_clEv",
                               "_ZN1BIN12_GLOBAL__N_11AEE1fEv", "_Z1fi.part.0"})
        CHECK_FALSE(is_hidden_cxx(symbol));
    for (const char* damaged :
         {"_Z", "_ZN", "_ZN3", "_ZN99999999999999999999999L", "_ZN5ab"}) // what is longer than the text ends with it
        CHECK_NOTHROW(is_hidden_cxx(damaged));
}

TEST_CASE("an object has one label whatever its folder", "[symbols][qualified_name]") {
    Module a, b;
    a.path = "/x/plugin.so";
    b.path = "/y/z/plugin.so";
    a.file_size = b.file_size = 1000;
    CHECK(object_label(a) == object_label(b)); // without build-ids
    CHECK(object_label(a).starts_with("plugin.so{"));
    b.file_size = 1001;
    CHECK(object_label(a) != object_label(b));
    a.build_id = b.build_id = {1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(object_label(a) == "plugin.so{01020304}");
    CHECK(object_label(a) == object_label(b));
}

TEST_CASE("functions of a library are qualified by it, but for those that are one with others'",
          "[symbols][qualified_name]") {
    const Fixture fixture;
    fixture.write(
        "l.cpp",
        "static int own() { return 1; }\ninline int everywhere() { return own(); }\nextern \"C\" int entry() { return everywhere(); }\n");
    const bool hidden = GENERATE(false, true);
    REQUIRE(fixture.run(std::string("g++ -O0 -shared -fPIC ") + (hidden ? "-fvisibility-inlines-hidden" : "") +
                        " l.cpp -o l.so"));
    Module module = fixture.module("l.so");
    SymbolStore(fixture.path("store")).put(module);
    const auto addresses = fixture.functions("l.so");
    for (const std::string& store : {std::string(), fixture.path("store")})
        for (const bool executable : {false, true}) {
            module.executable = executable;
            ModuleNames names({}, {store, 0});
            const std::string object = executable ? "" : object_label(module);
            CHECK(names.qualified_name(module, module.bias + addresses.at("entry")) == qualified("entry", object));
            CHECK(names.qualified_name(module, module.bias + addresses.at("_ZL3ownv")) == qualified("own()", object));
            CHECK(names.qualified_name(module, module.bias + addresses.at("_Z10everywherev")) == "everywhere()");
        }
}
