// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include "symbols/linkage_stubs.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <sstream>

using namespace vftr::symbols;
using namespace vftr::symbols::test;

namespace {

constexpr const char* Source = "int first(int), second(int), third(int);\n"
                               "int (*pointer(void))(int) { return third; }\n"
                               "int calls(int x) { return first(x) + second(x) + third(x); }\n";

// What objdump says: the addresses of the stubs by the symbols that they lead to. That of another architecture is
// needed for another one.
std::map<std::string, std::uint64_t> stubs_of(const Fixture& fixture, const std::string& objdump) {
    fixture.run(objdump + " -d stubs.so | sed -n 's/^\\([0-9a-f]*\\) <\\(.*\\)@plt>:$/\\1 \\2/p' >stubs.txt");
    std::istringstream lines(read_bytes(fixture.path("stubs.txt")));
    std::map<std::string, std::uint64_t> stubs;
    for (std::string address, symbol; lines >> address >> symbol;)
        stubs[symbol] = std::stoull(address, nullptr, 16);
    return stubs;
}

} // namespace

TEST_CASE("a stub is known by the function that it leads to", "[symbols]") {
    Fixture fixture;
    fixture.write("stubs.c", Source);
    struct Case {
        std::string compiler, objdump;
    };
    for (const Case& tools : {Case{"gcc", "objdump"},
                              {"gcc -fcf-protection", "objdump"},
                              {"gcc -Wl,-z,now", "objdump"},
                              {"aarch64-linux-gnu-gcc", "aarch64-linux-gnu-objdump"}}) {
        if (!fixture.run(tools.compiler + " -O0 -nostdlib -shared -fPIC stubs.c -o stubs.so"))
            continue;
        const auto stubs = stubs_of(fixture, tools.objdump);
        if (stubs.empty()) // a processor of which none is known
            continue;
        INFO(tools.compiler);
        REQUIRE(stubs.contains("first"));
        REQUIRE(stubs.contains("second"));
        const LinkageStubs known(fixture.module("stubs.so"), 0);
        for (const auto& [symbol, address] : stubs)
            for (const std::uint64_t at : {address, address + 4})
                CHECK(known.callee(at) == symbol);
        CHECK(known.callee(fixture.functions("stubs.so").at("calls")) == std::nullopt);
        // What all stubs share in front of the first.
        CHECK(known.callee(stubs.at("first") & ~std::uint64_t{0xfff}).value_or("").empty());
    }
}

TEST_CASE("of a file that cannot be read no stub is known", "[symbols]") {
    Fixture fixture;
    CHECK(LinkageStubs(fixture.module("none"), 0).callee(0x1000) == std::nullopt);
    fixture.write("text", "no object");
    CHECK(LinkageStubs(fixture.module("text"), 0).callee(0) == std::nullopt);
}
