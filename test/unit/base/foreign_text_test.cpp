// SPDX-License-Identifier: BSD-3-Clause
#include "base/foreign_text.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace vftr::base;

TEST_CASE("text that a terminal or a log could misread is made harmless") {
    CHECK(foreign_text("a\x1b[2Jb") == "a?[2Jb");
    CHECK(foreign_text("a\x7f\xc2\x9b\x9b") == "a???");
    CHECK(foreign_text("a\nb\xe2\x80\xa8", "\n") == "a\nb?");
    CHECK(foreign_text("\xed\xa0\x80\xc0\xaf") == "?????");
}

// Issue: invisible characters (U+200E, U+200F, U+061C, zero width, tags) pass into every text.
TEST_CASE("characters that cannot be seen are shown as question marks") {
    const std::string invisible = GENERATE(
        as<std::string>(), "\xe2\x80\x8e", "\xe2\x80\x8f", "\xd8\x9c", "\xe2\x80\x8b", "\xe2\x80\x8d", "\xe2\x81\xa0",
        "\xef\xbb\xbf", "\xc2\xad", "\xe2\x80\xae", "\xe2\x81\xa6", "\xef\xb8\x8f", "\xf3\xa0\x81\x81", "\xe3\x85\xa4");
    CHECK(foreign_text("f" + invisible + "g") == "f?g");
}

TEST_CASE("characters of all scripts stay as they are") {
    const std::string visible = GENERATE(as<std::string>(), "\xc3\xa9", "\xd8\x80", "\xe2\x80\x90", "\xe2\x80\x93",
                                         "\xe6\xbc\xa2", "\xf0\x9d\x84\x9e", "\xef\xbf\xbd", "\xe2\x81\x9f");
    CHECK(foreign_text(visible) == visible);
}
