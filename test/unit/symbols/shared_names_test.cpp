// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/shared_names.hpp"

#include "fixture.hpp"
#include "symbols/store.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace vftr::symbols;
using test::Fixture;

namespace {

// Two static functions of one name that no other file sees, one that all see, and one of a header that both files
// include.
void build(const Fixture& fixture, const std::string& command) {
    fixture.write("h.h", "static inline int inner(int n) { return n ^ 1; }\n");
    fixture.write(
        "a.c",
        "#include \"h.h\"\nstatic int init(int n) { return n + 1; }\nint both(int n) { return n; }\nint a(int n) { return inner(init(n)); }\n");
    fixture.write(
        "b.c",
        "#include \"h.h\"\nstatic int both(int n) { return n + 2; }\nstatic int init(int n) { return both(n) * 2; }\nint b(int n) { return inner(init(n)); }\n");
    fixture.run("mkdir -p sub; cp h.h sub; sed 's/int b(/int c(/' b.c >sub/b.c");
    fixture.write("m.c", "int a(int), b(int);\nint main(void) { return a(b(1)) == 0; }\n");
    REQUIRE(fixture.run(command));
}

// The origins of all functions of the object by their bare names, as one table tells them.
std::map<std::string, std::multiset<std::string>> origins(const Fixture& fixture, const Module& module,
                                                          const NameSources& sources) {
    fixture.run("gcc-nm '" + module.path + "' > all.txt");
    const SymbolTable table(module, sources);
    std::map<std::string, std::multiset<std::string>> result;
    std::istringstream lines(test::read_bytes(fixture.path("all.txt")));
    for (std::string address, type, name; lines >> address;) {
        if (address.size() < 8) { // an undefined symbol has none
            lines >> name;
            continue;
        }
        lines >> type >> name;
        if (type == "t" || type == "T")
            result[name].emplace(table.origin(std::stoull(address, nullptr, 16)));
    }
    return result;
}

using Origins = std::multiset<std::string>;

} // namespace

TEST_CASE("static functions of one name are told apart by their files", "[symbols][shared_names]") {
    const Fixture fixture;
    const std::string compiler = GENERATE("gcc", "clang", "gcc -static", "gcc -fuse-ld=lld", "gcc -O2 -fno-inline");
    if (compiler.find("clang") != compiler.npos && !fixture.run("clang --version"))
        return;
    if (compiler.find("lld") != compiler.npos && !fixture.run("ld.lld --version"))
        return;
    build(fixture, compiler + " a.c b.c m.c -o p");
    const Module module = fixture.module("p");
    SymbolStore(fixture.path("store")).put(module);
    for (const std::string& store : {std::string(), fixture.path("store")}) {
        auto told = origins(fixture, module, {store, 0});
        CHECK(told["init"] == Origins{"a.c", "b.c"});
        CHECK(told["inner"] == Origins{"a.c", "b.c"}); // without debug information nobody can know that they are one
        CHECK(told["both"] == Origins{"", "b.c"});
        CHECK(told["main"] == Origins{""});
        CHECK(told["a"] == Origins{""});
    }
}

TEST_CASE("functions of one line of source are one function", "[symbols][shared_names]") {
    const Fixture fixture;
    build(fixture, "gcc -g a.c b.c m.c -o p");
    if (!SourceLines(fixture.module("p")).known())
        return;
    SymbolStore(fixture.path("store")).put(fixture.module("p"));
    for (const std::string& store : {std::string(), fixture.path("store")}) {
        auto told = origins(fixture, fixture.module("p"), {store, 0});
        CHECK(told["init"] == Origins{"a.c", "b.c"});
        CHECK(told["inner"] == Origins{"", ""});
    }
}

TEST_CASE("files of one name are told apart by their folders, else by the address", "[symbols][shared_names]") {
    const Fixture fixture;
    build(fixture,
          "gcc -g a.c b.c sub/b.c m.c -o with && gcc a.c b.c sub/b.c m.c -o without && cp with bare && strip -g bare");
    auto told = origins(fixture, fixture.module("without"), {});
    REQUIRE(told["init"].size() == 3);
    CHECK(told["init"].count("a.c") == 1);
    for (const std::string& origin : told["init"])
        CHECK((origin == "a.c" || origin.starts_with("b.c 0x")));
    CHECK(std::set(told["init"].begin(), told["init"].end()).size() == 3);
    auto nowhere =
        origins(fixture, fixture.module("bare"), {}); // the names of source files went with the debug information
    CHECK(std::set(nowhere["init"].begin(), nowhere["init"].end()).size() == 3);
    for (const std::string& origin : nowhere["init"])
        CHECK(origin.starts_with("0x"));
    if (!SourceLines(fixture.module("with")).known())
        return;
    auto folders = origins(fixture, fixture.module("with"), {});
    CHECK(folders["init"].count("a.c") == 1);
    CHECK(folders["init"].count("sub/b.c") == 1);
    CHECK(std::set(folders["init"].begin(), folders["init"].end()).size() == 3);
}

TEST_CASE("what one asks for does not change what tells functions apart", "[symbols][shared_names]") {
    const Fixture fixture;
    build(fixture, "gcc a.c b.c m.c -o p");
    const Module module = fixture.module("p");
    const std::uint64_t init = fixture.functions("p").at("init"); // nm's last one
    const std::string told(SymbolTable(module).origin(init));
    SymbolTable others(module);
    others.expect({init, fixture.functions("p").at("main"), fixture.functions("p").at("a")});
    CHECK(others.origin(init) == told);
    CHECK_FALSE(told.empty());
    CHECK(others.origin(fixture.functions("p").at("main")).empty());
    CHECK(others.find(init) == "init");
}

TEST_CASE("anonymous namespaces share names", "[symbols][shared_names]") {
    const Fixture fixture;
    const std::string source = "namespace { int init(int n) { return n + 1; } }\nint ";
    fixture.write("a.cpp", source + "a(int n) { return init(n); }\n");
    fixture.write("b.cpp", source + "b(int n) { return init(n); }\nint main() { return b(1); }\n");
    REQUIRE(fixture.run("g++ a.cpp b.cpp -o p"));
    CHECK(origins(fixture, fixture.module("p"), {})["_ZN12_GLOBAL__N_14initEi"] == Origins{"a.cpp", "b.cpp"});
}

TEST_CASE("a static function of C++ is told apart from one that all files see", "[symbols][shared_names]") {
    const Fixture fixture;
    fixture.write("a.cpp", "static int init(int n) { return n + 1; }\nint a(int n) { return init(n); }\n");
    fixture.write("b.cpp", "int init(int n) { return n * 2; }\nint main() { return init(1); }\n");
    REQUIRE(fixture.run("g++ a.cpp b.cpp -o p"));
    auto told = origins(fixture, fixture.module("p"), {});
    CHECK(told["_ZL4initi"] == Origins{"a.cpp"});
    CHECK(told["_Z4initi"] == Origins{""});
}

TEST_CASE("a name without its origin", "[symbols][shared_names]") {
    for (const std::string name :
         {"init", "init(int)", "(anonymous namespace)::init(int)", "operator()",
          "void (anonymous namespace)::f<int>(int)", "f(void (*)(int))", "f() const", "void (*f<int>(int))(double)",
          "f(int, (anonymous namespace)::X)", "f(int) (.cold)"}) {
        CHECK(without_origin(name) == name);
        CHECK(without_origin(with_origin(name, "a.cpp")) == name);
        CHECK(without_origin(with_origin(name, "x/util.c 0x12")) == name);
        CHECK(with_origin(name, "") == name);
    }
}

TEST_CASE("functions that begin with the same inlined code are two functions", "[symbols][shared_names]") {
    const Fixture fixture;
    // Without hooks a function may begin with the code of another one.
    fixture.write("v.h",
                  "extern volatile int v;\nstatic inline __attribute__((always_inline)) int get(void) { return v; }\n");
    for (const std::string name : {"a", "b"})
        fixture.write(name + ".c",
                      "#include \"v.h\"\n\nstatic __attribute__((noinline)) int init(void) { return get(); }\nint " +
                          name + "(void) { return init() + 1; }\n");
    fixture.write("m.c", "volatile int v;\nint a(void), b(void);\nint main(void) { return a() + b(); }\n");
    REQUIRE(fixture.run("gcc -O2 -g a.c b.c m.c -o p"));
    CHECK(origins(fixture, fixture.module("p"), {})["init"] == Origins{"a.c", "b.c"});
}
