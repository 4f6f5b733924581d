// SPDX-License-Identifier: BSD-3-Clause
//
// An ELF file that is cut off or changed anywhere may give wrong names, or none, but never harm.
// Run with the address and undefined behaviour sanitizers this is a fuzz test; the seed is fixed.
#include "fixture.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <elf.h>
#include <random>

using namespace vftr::symbols;
using test::Fixture;

namespace {

void ask(const Fixture& fixture, const std::string& name) {
    const SymbolTable table(fixture.module(name));
    std::size_t characters = 0;
    for (std::uint64_t address = 0; address < 0x5000; address += 7)
        characters += table.clean(address, {true, true}).size();
    CHECK((table.usable() || characters == 0));
    CHECK(table.usable() == table.reason().empty());
}

std::string small_object(const Fixture& fixture) {
    fixture.write("p.c", test::c_program);
    REQUIRE(fixture.run("gcc -O0 -shared -fPIC -nostdlib -Wl,-z,max-page-size=4096 p.c -o full && "
                        "objcopy --only-keep-debug full p.debug && "
                        "objcopy --add-gnu-debuglink=p.debug full p"));
    return test::read_bytes(fixture.path("p"));
}

template <class T>
T read_at(const std::string& bytes, std::size_t offset) {
    T value{};
    REQUIRE(offset + sizeof value <= bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

} // namespace

TEST_CASE("a truncated ELF file does no harm", "[symbols]") {
    const Fixture fixture;
    const std::string bytes = small_object(fixture);
    for (std::size_t size = 0; size < bytes.size(); size += size < 256 ? 5 : 97) {
        fixture.write("q", bytes.substr(0, size));
        ask(fixture, "q");
    }
}

TEST_CASE("a damaged ELF file does no harm", "[symbols]") {
    const Fixture fixture;
    const std::string bytes = small_object(fixture);
    std::mt19937 random(4711);
    const auto below = [&random](std::size_t limit) { return random() % limit; };
    const auto header = read_at<Elf64_Ehdr>(bytes, 0);
    for (int round = 0; round < 600; ++round) {
        std::string damaged = bytes;
        // Mostly where the structure is: the ELF header, the section headers, the symbol table.
        for (std::size_t hits = 1 + below(6); hits > 0; --hits) {
            std::size_t at = below(bytes.size());
            if (hits % 3 == 1)
                at = below(sizeof header);
            else if (hits % 3 == 2 && header.e_shoff < bytes.size())
                at = header.e_shoff + below(bytes.size() - header.e_shoff);
            static constexpr unsigned char nasty[] = {0, 1, 0x7f, 0x80, 0xff};
            damaged[at] = static_cast<char>(below(2) ? nasty[below(5)] : below(256));
        }
        fixture.write("q", damaged);
        ask(fixture, "q");
    }
}

TEST_CASE("section headers with impossible sizes, offsets and links do no harm", "[symbols]") {
    const Fixture fixture;
    const std::string bytes = small_object(fixture);
    const auto header = read_at<Elf64_Ehdr>(bytes, 0);
    for (int i = 0; i < header.e_shnum; ++i) {
        const std::size_t at = header.e_shoff + i * sizeof(Elf64_Shdr);
        for (const std::uint64_t value : {0ull, 1ull, 1ull << 31, 1ull << 40, ~0ull, ~0ull - 15}) {
            auto section = read_at<Elf64_Shdr>(bytes, at);
            const auto store = [&](const Elf64_Shdr& changed) {
                std::string damaged = bytes;
                std::memcpy(damaged.data() + at, &changed, sizeof changed);
                fixture.write("q", damaged);
                ask(fixture, "q");
            };
            auto changed = section;
            changed.sh_size = value;
            store(changed);
            changed = section;
            changed.sh_offset = value;
            store(changed);
            changed = section;
            changed.sh_addr = value;
            changed.sh_link = static_cast<Elf64_Word>(value);
            store(changed);
            changed = section;
            changed.sh_entsize = value;
            changed.sh_name = static_cast<Elf64_Word>(value);
            store(changed);
        }
    }
}
