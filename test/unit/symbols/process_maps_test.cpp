// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/process_maps.hpp"

#include "fixture.hpp"
#include "symbols/hex.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sys/sysmacros.h>
#include <sys/wait.h>

using namespace vftr::symbols;
using test::Fixture;

namespace {

Mapping one(const std::string& line) {
    const auto mappings = parse_maps(line + "\n");
    REQUIRE(mappings.size() == 1);
    return mappings.front();
}

std::vector<std::string> rejected(const std::vector<std::string>& lines) {
    std::vector<std::string> taken;
    for (const auto& line : lines)
        if (!parse_maps(line).empty())
            taken.push_back(line);
    return taken;
}

} // namespace

TEST_CASE("a line of /proc/<pid>/maps", "[symbols][maps]") {
    const Mapping m = one("7f3c5e028000-7f3c5e17d000 r-xp 00026000 fd:11 2639 /usr/lib/libc.so.6");
    CHECK(m.start == 0x7f3c5e028000);
    CHECK(m.end == 0x7f3c5e17d000);
    CHECK(m.offset == 0x26000);
    CHECK(m.executable);
    CHECK(m.device == makedev(0xfd, 0x11));
    CHECK(m.inode == 2639);
    CHECK(m.path == "/usr/lib/libc.so.6");
    CHECK_FALSE(one("1000-2000 rw-s 00000000 00:01 5    /dev/shm/x").executable);
    CHECK(one("1000-2000 r-xp 00000000 00:00 0").path == "");
    CHECK(one("1000-2000 r-xp 00000000 00:00 0                          [vdso]").path == "[vdso]");
    CHECK(one("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]").start == 0xffffffffff600000);
}

TEST_CASE("the path runs to the end of the line", "[symbols][maps]") {
    CHECK(one("1000-2000 r-xp 0 08:01 7     /a b/  c.so x").path == "/a b/  c.so x");
    CHECK(one("1000-2000 r-xp 0 08:01 7     /x (deleted)").path == "/x (deleted)");
    CHECK(one("1000-2000 r-xp 0 00:01 9     /memfd:code (deleted)").path == "/memfd:code (deleted)");
    const std::string path = "/a\\012b\\012";
    std::string plain(path.size(), '\0');
    plain.resize(unescape_path(path, plain.data()));
    CHECK(plain == "/a\nb\n");
}

TEST_CASE("garbage between the lines of maps is skipped", "[symbols][maps]") {
    CHECK(rejected({"", "\n\n", "garbage", "1000-2000", "1000-2000 r-xp", "2000-1000 r-xp 0 08:01 7 /x",
                    "1000-1000 r-xp 0 08:01 7 /x", "-2000 r-xp 0 08:01 7 /x", "1000-2000 rwzp 0 08:01 7 /x",
                    "1000-2000 r-xp  08:01 7 /x", "1000-2000 r-xp 0 0801 7 /x", "1000-2000 r-xp 0 08:01 x /x",
                    "1000-2000 r-xp 0 08:01 7/x", "11112222333344445-2 r-xp 0 08:01 7 /x", std::string(5, '\0'),
                    "1000-2000 r-xp fffffffffffffffff 08:01 7 /x"}) == std::vector<std::string>{});
    const auto mappings = parse_maps("junk\n1000-2000 r-xp 0 08:01 7 /x\n\xff\xfe\n3000-4000 r--p 0 08:01 7 /x");
    REQUIRE(mappings.size() == 2);
    CHECK(mappings[1].start == 0x3000);
}

// lld puts the end of one segment and the begin of the next on one page of the file: p_offset 0x12e0 and p_vaddr 0x22e0. The mapping
// of the data before it ends on that page too.
TEST_CASE("the load bias comes from the executable segment, in whole pages", "[symbols][maps]") {
    const std::vector<CodeSegment> lld{{0x12e0, 0x22e0, 0x900}};
    CHECK(load_bias({.start = 0x555500002000, .end = 0x555500003000, .offset = 0x1000}, lld) == 0x555500000000);
    const std::vector<CodeSegment> plain{{0x1000, 0x1000, 0x3000}};
    const Mapping begin{.start = 0x7f0000001000, .end = 0x7f0000002000, .offset = 0x1000};
    const Mapping middle{.start = 0x7f0000002000, .end = 0x7f0000003000, .offset = 0x2000};
    CHECK(load_bias(begin, plain) == 0x7f0000000000); // text that was split by mprotect
    CHECK(load_bias(middle, plain) == 0x7f0000000000);
    const std::vector<CodeSegment> fixed{{0x1000, 0x401000, 0x800}};
    CHECK(load_bias({.start = 0x401000, .end = 0x402000, .offset = 0x1000}, fixed) == 0);
    CHECK_FALSE(load_bias({.start = 0x401000, .end = 0x402000, .offset = 0x3000}, fixed));
    CHECK_FALSE(load_bias({.start = 0x401000, .end = 0x402000, .offset = 0}, fixed));
    CHECK_FALSE(load_bias(begin, {}));
}
