// SPDX-License-Identifier: BSD-3-Clause
//
// What is picked for some addresses must tell the same of them as all functions of the object do.
#include "symbols/elf_symbols.hpp"
#include "symbols/name_clean.hpp"

#include "fixture.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace vftr::symbols;
using test::Fixture;

namespace {

using Numbers = std::vector<std::uint64_t>;

std::string answer(const SymbolIndex& index, std::uint64_t address) {
    const auto found = index.find(address);
    return found ? std::string(found->name) + " " + std::to_string(found->start) + " " +
                       clean_name(found->name, {}, found->fortran)
                 : "";
}

// The answers about these addresses, `batch` of them at a time.
void check_against_all(const Module& module, const Numbers& addresses, std::size_t batch) {
    ElfSymbols symbols(module, 0);
    const auto all = symbols.index();
    CAPTURE(module.path, all->size(), batch);
    REQUIRE(all->size() != 0);
    std::size_t different = 0, named = 0;
    for (std::size_t from = 0; from < addresses.size(); from += batch) {
        const Numbers asked(addresses.begin() + static_cast<long>(from),
                            addresses.begin() + static_cast<long>(std::min(addresses.size(), from + batch)));
        const auto some = symbols.index_at(asked);
        for (const std::uint64_t address : asked) {
            const std::string expected = answer(*all, address), is = answer(*some, address);
            named += !expected.empty();
            if (is != expected && different++ == 0) {
                CAPTURE(address);
                CHECK(is == expected);
            }
        }
    }
    CHECK(different == 0);
    CHECK(named != 0);
}

// Begins, insides and ends of functions, and what lies around them.
Numbers addresses_in(const Module& module, std::mt19937& random, std::size_t count) {
    const auto all = ElfSymbols(module, 0).index();
    Numbers addresses = {0, ~std::uint64_t{0}};
    while (all->size() != 0 && addresses.size() < count) {
        const auto function = all->at(random() % all->size());
        const std::uint64_t size = function.end - function.start;
        for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1}, size / 2, size - 1,
                                           size, size + 5, std::uint64_t{0} - 1})
            addresses.push_back(function.start + offset);
    }
    std::shuffle(addresses.begin(), addresses.end(), random);
    return addresses;
}

void check_real_file(const Fixture& fixture, const std::string& name) {
    std::mt19937 random(17);
    const Module module = fixture.module(name);
    const Numbers addresses = addresses_in(module, random, 4000);
    check_against_all(module, addresses, addresses.size());
    check_against_all(module, {addresses.begin(), addresses.begin() + 300}, 20);
    check_against_all(module, {addresses.begin(), addresses.begin() + 30}, 1);
}

// Functions in functions, of no size, aliases of other sizes, labels with and without sizes, in two sections.
std::string random_program(std::mt19937& random) {
    std::ostringstream text;
    text << ".text\n";
    for (int i = 0; i < 60; ++i) {
        const std::string name = std::string(random() % 3, '_') + "s" + std::to_string(i);
        const auto pick = [&](unsigned of) { return random() % of == 0; };
        if (i == 40)
            text << ".section .other, \"ax\", @progbits\n";
        if (pick(4))
            text << (pick(2) ? ".globl " : ".weak ") << name << "\n";
        if (!pick(3))
            text << ".type " << name << ", " << (pick(6) ? "%gnu_indirect_function" : "%function") << "\n";
        if (!pick(3))
            text << ".size " << name << ", " << (pick(4) ? random() % 200 : random() % 12) << "\n";
        text << name << ":\n";
        if (!pick(3))
            text << ".skip " << random() % 12 << "\n";
        if (pick(8))
            text << "$x." << i << ":\n";
    }
    text << ".skip 8\n";
    return text.str();
}

} // namespace

// Issue: at the end of a program of a million symbols of which ten were called: time and memory must follow what was
// called
TEST_CASE("a search finds in the system's libraries what an index of all their functions finds", "[symbols]") {
    const Fixture fixture;
    for (const std::string name : {"libc.so.6", "libstdc++.so.6", "libgfortran.so.5"}) {
        fixture.run("ln -s \"$(gcc -print-file-name=" + name + ")\" " + name);
        if (fixture.module(name).file_size == 0)
            WARN(name << " is not here");
        else
            check_real_file(fixture, name);
    }
}

TEST_CASE("a search finds in programs what an index of all their functions finds", "[symbols]") {
    const Fixture fixture;
    fixture.write("c.c", std::string(test::c_program) +
                             "\nstatic int own_(void) { return 1; }\nint keep_(void) { return own_(); }\n");
    fixture.write(
        "f.f90",
        "subroutine plain(x)\n  real :: x\n  x = x * 2\ncontains\n  subroutine inner\n    x = 1\n  end subroutine\nend subroutine\n");
    for (const auto& command : std::vector<std::string>{
             "ln -s /proc/" + std::to_string(getpid()) + "/exe p", "gcc -O0 c.c -o p", "gcc -O0 -static c.c -o p",
             "gcc -O0 -rdynamic c.c -o p && strip -s p", "gcc -m32 -O0 -fno-pie -nostdlib -no-pie -Wl,-e,main c.c -o p",
             "gcc -c c.c && gfortran -c f.f90 && gfortran c.o f.o -o p", "aarch64-linux-gnu-gcc -O0 -static c.c -o p",
             "clang -fuse-ld=lld c.c -o p"}) {
        if (!fixture.run("rm -f p; " + command)) {
            WARN("not built here: " << command);
            continue;
        }
        DYNAMIC_SECTION(command) { check_real_file(fixture, "p"); }
    }
}

TEST_CASE("a search finds what an index of all functions finds, however symbols lie over each other", "[symbols]") {
    const Fixture fixture;
    std::mt19937 random(GENERATE(range(1, 13)));
    fixture.write("a.s", random_program(random));
    REQUIRE(fixture.run("gcc -shared -nostdlib a.s -o a"));
    const Module module = fixture.module("a");
    const auto all = ElfSymbols(module, 0).index();
    Numbers every;
    for (std::uint64_t address = all->at(0).start - 20; address < all->at(all->size() - 1).end + 20; ++address)
        every.push_back(address);
    REQUIRE(every.size() < 10000);
    check_against_all(module, every, every.size());
    std::shuffle(every.begin(), every.end(), random);
    check_against_all(module, every, 1);
    check_against_all(module, every, 3);
}

TEST_CASE("addresses get the same names whether they were expected or not", "[symbols]") {
    const Fixture fixture;
    fixture.write("p.c", test::c_program);
    REQUIRE(fixture.run("gcc -O0 p.c -o p"));
    const auto functions = fixture.functions("p");
    const Module module = fixture.module("p");
    SymbolTable one(module), all(module);
    for (const auto& [name, address] : functions)
        all.expect({address});
    REQUIRE(functions.size() > 9); // more than are searched for one at a time
    for (const auto& [name, address] : functions) {
        const auto expected = all.function(address), found = one.function(address);
        REQUIRE(expected.has_value() == found.has_value());
        if (!expected)
            continue; // weak data
        CHECK(found->name == expected->name);
        CHECK(found->start == address);
        CHECK(expected->start == address);
    }
    CHECK(all.find(functions.at("main") + 1) == "main"); // not expected
}

TEST_CASE("names of a symbol table are read in any order", "[symbols]") {
    const Fixture fixture;
    std::string bytes(1, '\0');
    Numbers begins;
    for (int i = 0; i < 3000; ++i) {
        begins.push_back(bytes.size());
        bytes += "name" + std::to_string(i) + std::string(i % 97 == 0 ? 70000 : i % 7, 'x') + '\0';
    }
    bytes += "open end";
    fixture.write("p.c", test::c_program);
    REQUIRE(fixture.run("gcc p.c -o p"));
    const std::string program = test::read_bytes(fixture.path("p"));
    fixture.write("p", program + bytes);
    std::string reason;
    const auto file = ElfFile::open(fixture.path("p"), reason);
    REQUIRE(file);
    SymbolNames names(*file, {program.size(), bytes.size()});
    std::vector<int> order(begins.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int>(i);
    if (GENERATE(false, true))
        std::shuffle(order.begin(), order.end(), std::mt19937(3));
    std::size_t wrong = 0;
    for (const int i : order)
        wrong += names.at(static_cast<std::uint32_t>(begins[static_cast<std::size_t>(i)])) !=
                 bytes.c_str() + begins[static_cast<std::size_t>(i)];
    CHECK(wrong == 0);
    CHECK(names.at(0) == "");
    CHECK(names.at(static_cast<std::uint32_t>(bytes.size() - 3)) == "end");
    CHECK(names.at(static_cast<std::uint32_t>(bytes.size())) == "");
    CHECK(names.at(~0u) == "");
    CHECK(SymbolNames(*file, {program.size(), bytes.size() + 100}).at(static_cast<std::uint32_t>(bytes.size() - 3)) ==
          ""); // the file was cut
}
