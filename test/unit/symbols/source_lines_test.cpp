// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: regions are named by function and line.
#include "symbols/source_lines.hpp"

#include "fixture.hpp"
#include "symbols/libdw.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace vftr::symbols;
using namespace vftr::symbols::test;

TEST_CASE("functions that compilers made of parts of a function have its name") {
    CHECK(without_outlining("solve._omp_fn.0") == "solve");
    CHECK(without_outlining("_Z5solvei._omp_fn.12.constprop.0") == "_Z5solvei");
    CHECK(without_outlining("solve._omp_cpyfn.1") == "solve");
    CHECK(without_outlining("solve.omp_outlined") == "solve");
    CHECK(without_outlining("solve.omp_outlined_debug__.3") == "solve");
    CHECK(without_outlining(".omp_outlined._debug__") == ".omp_outlined._debug__");
    CHECK(without_outlining("solve") == "solve");
}

#ifdef HAVE_LIBDW

namespace {

// Calls of marked(), in the order of their addresses.
std::vector<std::uint64_t> returns_of_calls(const Fixture& fixture, const std::string& program) {
    fixture.run("objdump -d --no-show-raw-insn " + program +
                " | grep -A1 'call.*<marked>\\|bl.*<marked>' | grep -v marked > calls.txt");
    std::istringstream lines(read_bytes(fixture.path("calls.txt")));
    std::vector<std::uint64_t> addresses;
    for (std::string line; std::getline(lines, line);)
        if (line.find(':') != std::string::npos)
            addresses.push_back(std::stoull(line, nullptr, 16));
    return addresses;
}

constexpr const char* Source = "__attribute__((noinline)) void marked(void) { __asm__ volatile(\"\"); }\n"
                               "static inline __attribute__((always_inline)) void inner(void)\n"
                               "{\n"
                               "    marked();\n"
                               "    __asm__ volatile(\"\");\n"
                               "}\n"
                               "__attribute__((noinline)) int solve(int n)\n"
                               "{\n"
                               "    marked();\n"
                               "    return n + 1;\n"
                               "}\n"
                               "int main(void)\n"
                               "{\n"
                               "    inner();\n"
                               "    return solve(3);\n"
                               "}\n";

Resolver resolver_of(const Fixture& fixture, const std::string& program) {
    return Resolver({fixture.module(program)}, {});
}

} // namespace

TEST_CASE("a call is named by function and line, an inlined one by the function that it is written in") {
    Fixture fixture;
    fixture.write("p.c", Source);
    const std::string flags = GENERATE("-g -O0", "-g -O2", "-g -O2 -gdwarf-4", "-g -O2 -fno-dwarf2-cfi-asm -gz");
    if (!Libdw::load() || !fixture.run("cc " + flags + " -fno-optimize-sibling-calls p.c -o p"))
        return;
    std::set<std::string> places;
    Resolver resolver = resolver_of(fixture, "p");
    for (std::uint64_t address : returns_of_calls(fixture, "p"))
        places.insert(resolver.call_location(address));
    CHECK(places == std::set<std::string>{"inner:4", "solve:9"});
}

TEST_CASE("the functions that were inlined at an instruction are known, from the inside outwards") {
    Fixture fixture;
    fixture.write("p.c", "__attribute__((noinline)) void marked(void) { __asm__ volatile(\"\"); }\n"
                         "#define INLINED static inline __attribute__((always_inline))\n"
                         "INLINED void inner(void) { marked(); __asm__ volatile(\"\"); }\n"
                         "INLINED void outer(int n) { for (int i = 0; i < n; i++) inner(); }\n"
                         "int main(int argc, char** argv) { outer(argc); marked(); return argv == 0; }\n");
    const std::string flags = GENERATE("-O2", "-O2 -gdwarf-4", "-O2 -gz", "-O1 -ffunction-sections");
    if (!Libdw::load() || !fixture.run("cc -g " + flags + " -fno-optimize-sibling-calls p.c -o p"))
        return;
    constexpr std::uint64_t Any = ~std::uint64_t{0};
    Module program = fixture.module("p");
    program.executable = true; // whose functions have no qualifier
    Resolver resolver({program}, {}), sparing({program}, {});
    std::set<std::vector<std::string>> inlined;
    for (std::uint64_t after : returns_of_calls(fixture, "p")) {
        inlined.insert(resolver.inlined(after - 1, 0, Any));
        CHECK(sparing.inlined(after - 1, 0, 100).empty()); // there is more to read
    }
    CHECK(inlined == std::set<std::vector<std::string>>{{}, {"inner", "outer"}});
}

TEST_CASE("a program without debug information has none to read") {
    Fixture fixture;
    fixture.write("p.c", Source);
    if (!Libdw::load() || !fixture.run("cc -g0 p.c -o p && cc -g p.c -o q"))
        return;
    CHECK(SourceLines::size_of(fixture.module("p")) == 0);
    CHECK(SourceLines::size_of(fixture.module("q")) > 100);
}

TEST_CASE("lines come from the separate debug file of a stripped program") {
    Fixture fixture;
    fixture.write("p.c", Source);
    if (!Libdw::load() || !fixture.run("cc -g -O0 -Wl,--build-id p.c -o p"))
        return;
    const std::vector<std::uint64_t> calls = returns_of_calls(fixture, "p");
    if (!fixture.run("objcopy --only-keep-debug p p.debug && objcopy --strip-all --add-gnu-debuglink=p.debug p"))
        return;
    Resolver resolver = resolver_of(fixture, "p");
    for (std::uint64_t address : calls)
        CHECK((resolver.call_location(address) == "inner:4" || resolver.call_location(address) == "solve:9"));
}

TEST_CASE("without debug information a call is named by function and offset") {
    Fixture fixture;
    fixture.write("p.c", Source);
    if (!fixture.run("cc -g0 -O0 p.c -o p"))
        return;
    const std::uint64_t solve = fixture.functions("p").at("solve");
    Resolver resolver = resolver_of(fixture, "p");
    CHECK(resolver.call_location(solve + 0x4) == "solve+0x4");
}

// libdw 0.188 does not free what it has when the damage stops it.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libdw.so\n"; }

TEST_CASE("damaged debug information gives no line or a wrong one") {
    Fixture fixture;
    fixture.write("p.c", Source);
    if (!Libdw::load() || !fixture.run("cc -g -O2 -Wl,--build-id=none p.c -o p"))
        return;
    const std::vector<std::uint64_t> calls = returns_of_calls(fixture, "p");
    const std::string sound = read_bytes(fixture.path("p"));
    const std::size_t from = sound.size() / 4;
    std::size_t answers = 0;
    for (std::size_t step = 0; step < 300; ++step) {
        std::string bytes = sound;
        bytes[from + step * 977 % (bytes.size() - from)] ^= static_cast<char>(1 << step % 8);
        fixture.write("q", bytes);
        Module module = fixture.module("q", 0, false);
        const SourceLines lines(module);
        for (std::uint64_t address : calls)
            answers += lines.find(address - 1).has_value() + !lines.inlined(address - 1).symbols.empty();
    }
    CHECK(answers != 0);
}

#endif
