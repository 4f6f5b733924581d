// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include "symbols/linkage.hpp"

#include <catch2/catch.hpp>

using namespace vftr::symbols;
using namespace vftr::symbols::test;

namespace {

constexpr const char* Source = "const char text[] = \"a text to be found\";\n"
                               "int target(void) { return text[0]; }\n"
                               "int once(void) { return target() + 1; }\n"
                               "int twice(void) { return target() + target(); }\n"
                               "int never(void) { return 3; }\n"
                               "void _start(void) { once(); twice(); }\n";

ElfFile open(const Fixture& fixture, const std::string& name) {
    std::string reason;
    auto file = ElfFile::open(fixture.path(name), reason);
    INFO(reason);
    REQUIRE(file);
    return std::move(*file);
}

} // namespace

TEST_CASE("direct calls are counted in the code", "[symbols]") {
    Fixture fixture;
    fixture.write("code.c", Source);
    for (const std::string compiler : {"gcc", "clang", "aarch64-linux-gnu-gcc"}) {
        if (!fixture.run(compiler + " -O0 -nostdlib -static code.c -o code"))
            continue;
        ElfFile file = open(fixture, "code");
        if (!knows_calls_of(linkage_of(file)))
            continue;
        INFO(compiler);
        auto calls = [&](const char* name) {
            return count_calls(file, find_symbol(file, Table::Full, name).address, 100);
        };
        REQUIRE(calls("target") == 3);
        REQUIRE(calls("once") == 1);
        REQUIRE(calls("never") == 0);
        REQUIRE(count_calls(file, find_symbol(file, Table::Full, "target").address, 2) == 2);
    }
}

TEST_CASE("what a file needs, wants and gives", "[symbols]") {
    Fixture fixture;
    fixture.write("code.c", "int wanted(void); int given(void) { return wanted(); }\n");
    if (!fixture.run(
            "echo 'int wanted(void) { return 1; }' | gcc -shared -fPIC -x c - -o libother.so -Wl,-soname,libother.so.3 && "
            "gcc -shared -fPIC code.c -o libcode.so -Wl,-soname,libcode.so.1 -L. -lother"))
        return;
    ElfFile file = open(fixture, "libcode.so");
    Linkage linkage = linkage_of(file);
    REQUIRE(linkage.soname == "libcode.so.1");
    REQUIRE_FALSE(linkage.needed.empty());
    REQUIRE(linkage.needed[0] == "libother.so.3");
    REQUIRE(linkage.interpreter.empty());
    REQUIRE(find_symbol(file, Table::Dynamic, "given").presence == Presence::Given);
    REQUIRE(find_symbol(file, Table::Dynamic, "wanted").presence == Presence::Wanted);
    REQUIRE(find_symbol(file, Table::Dynamic, "want").presence == Presence::None);
    REQUIRE(has_table(file, Table::Full));
    REQUIRE(fixture.run("strip libcode.so"));
    ElfFile stripped = open(fixture, "libcode.so");
    REQUIRE_FALSE(has_table(stripped, Table::Full));
    REQUIRE(find_symbol(stripped, Table::Dynamic, "given").presence == Presence::Given);
}

TEST_CASE("texts in read-only data are found", "[symbols]") {
    Fixture fixture;
    fixture.write("code.c", Source);
    if (!fixture.run("gcc -nostdlib -static code.c -o code && strip code"))
        return;
    ElfFile file = open(fixture, "code");
    auto has = [&](std::string_view wanted) {
        return for_each_string(file, 4, [&](std::string_view text) { return text == wanted; });
    };
    REQUIRE(has("a text to be found"));
    REQUIRE_FALSE(has("text to be found"));
}
