// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules/own_objects.hpp"

#include <catch2/catch.hpp>

using namespace vftr::record;

TEST_CASE("an object is ours if nothing but the library needs it", "[record]") {
    const std::vector<ObjectNeeds> objects = {
        {"program", {"libvftrace.so.2", "libc.so.6"}},
        {"libvftrace.so.2", {"libelf.so.1", "libpcre2-8.so.0", "libm.so.6", "libc.so.6"}},
        {"libelf.so.1", {"libz.so.1", "libc.so.6"}},
        {"libpcre2-8.so.0", {"libc.so.6"}},
        {"libm.so.6", {"libc.so.6"}},
        {"libz.so.1", {"libc.so.6"}},
        {"libc.so.6", {}},
        {"plugin.so", {"libz.so.1", "libvftrace.so.2"}}, // loaded by dlopen
    };
    CHECK(needed_by_own_only(objects, 1) == std::vector<std::size_t>{1, 2, 3, 4});
    CHECK(needed_by_own_only(objects, 0).empty());
    std::vector<ObjectNeeds> without_plugin(objects.begin(), objects.end() - 1);
    CHECK(needed_by_own_only(without_plugin, 1) == std::vector<std::size_t>{1, 2, 3, 4, 5});
    without_plugin[0].needed.push_back("libpcre2-8.so.0");
    CHECK(needed_by_own_only(without_plugin, 1) == std::vector<std::size_t>{1, 2, 4, 5});
}
