// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/linker_cache.hpp"
#include "test/unit/symbols/fixture.hpp"

#include <catch2/catch.hpp>

using namespace vftr::cli;
using vftr::symbols::test::Fixture;
using vftr::symbols::test::read_bytes;

namespace {

using Files = std::vector<std::string>;

// A cache of ldconfig's with a library of which there is a variant. False where there is no ldconfig.
bool make_cache(const Fixture& fixture) {
    return fixture.run("PATH=$PATH:/sbin:/usr/sbin && mkdir -p one/glibc-hwcaps/x86-64-v2 two && "
                       "for folder in one one/glibc-hwcaps/x86-64-v2 two; do "
                       "gcc -shared -fPIC -x c /dev/null -o $folder/libcached.so.1 -Wl,-soname,libcached.so.1 || exit; "
                       "done && printf '%s/one\\n%s/two\\n' \"$PWD\" \"$PWD\" >conf && "
                       "ldconfig -X -f conf -C \"$PWD\"/cache && ldconfig -p -C \"$PWD\"/cache | grep -q libcached");
}

} // namespace

TEST_CASE("a library is found in the cache of the dynamic linker", "[cli]") {
    Fixture fixture;
    if (!make_cache(fixture))
        return;
    const std::string one = fixture.path("one/libcached.so.1"), two = fixture.path("two/libcached.so.1"),
                      variant = fixture.path("one/glibc-hwcaps/x86-64-v2/libcached.so.1");
    const LinkerCache cache(fixture.path("cache"));
    Files files = cache.files_of("libcached.so.1", {});
    REQUIRE_FALSE(files.empty());
    REQUIRE(files[0] == one);
    REQUIRE(cache.files_of("libcached.so", {}).empty());
    REQUIRE(cache.files_of("", {}).empty());
    if (!fixture.run(
            "PATH=$PATH:/sbin:/usr/sbin && ldconfig -p -C \"$PWD\"/cache | grep libcached | grep -q x86-64-v2"))
        return;
    files = cache.files_of("libcached.so.1", {"glibc-hwcaps/x86-64-v3/", "glibc-hwcaps/x86-64-v2/"});
    REQUIRE(files.size() >= 2);
    REQUIRE(files[0] == variant);
    REQUIRE(files[1] == one);
    files = cache.files_of("libcached.so.1", {"glibc-hwcaps/x86-64-v3/"});
    REQUIRE(files[0] == one);
    // Behind a cache of the older format.
    fixture.write("behind", "ld.so-1.7.0" + std::string(5, '\0') + read_bytes(fixture.path("cache")));
    REQUIRE(LinkerCache(fixture.path("behind")).files_of("libcached.so.1", {})[0] == one);
}

TEST_CASE("a damaged cache of the dynamic linker has fewer libraries", "[cli]") {
    Fixture fixture;
    REQUIRE(LinkerCache(fixture.path("absent")).files_of("libc.so.6", {}).empty());
    REQUIRE(LinkerCache(fixture.write("text", "no cache\n")).files_of("libc.so.6", {}).empty());
    if (!make_cache(fixture))
        return;
    const std::string whole = read_bytes(fixture.path("cache"));
    const Files variants{"glibc-hwcaps/x86-64-v2/"};
    for (std::size_t size = 0; size < whole.size(); size += size < 256 ? 1 : whole.size() / 32) {
        const Files files =
            LinkerCache(fixture.write("cut", whole.substr(0, size))).files_of("libcached.so.1", variants);
        REQUIRE(files.size() <= 3);
    }
    for (std::size_t at = 20; at < 256; ++at) {
        std::string damaged = whole;
        damaged[at] = '\xff';
        REQUIRE(LinkerCache(fixture.write("damaged", damaged)).files_of("libcached.so.1", variants).size() <= 3);
    }
}
