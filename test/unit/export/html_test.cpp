// SPDX-License-Identifier: BSD-3-Clause
#include "export/html/base64_sink.hpp"
#include "export/html/columns.hpp"
#include "export/html/longest.hpp"

#include "../analysis/profile_builder.hpp"
#include "exported_text.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

namespace {

std::string base64_of(std::string_view bytes) {
    std::string text;
    Sink sink([&](std::span<const std::byte> written) {
        text.append(reinterpret_cast<const char*>(written.data()), written.size());
        return true;
    });
    Base64 base64(sink);
    base64.add(std::as_bytes(std::span(bytes)).first(bytes.size() / 2));
    base64.add(std::as_bytes(std::span(bytes)).subspan(bytes.size() / 2));
    base64.end();
    REQUIRE(sink.flush());
    return text;
}

template <class Number>
Number number_at(const TreeColumns& columns, std::string_view name, std::size_t row) {
    for (const NumberColumn& column : columns.columns)
        if (column.name == name) {
            Number number;
            REQUIRE(column.bytes.size() == columns.rows * sizeof number);
            std::memcpy(&number, column.bytes.data() + row * sizeof number, sizeof number);
            return number;
        }
    FAIL("no column");
    return {};
}

analysis::Profile sample() {
    analysis::Profile profile = one_rank(0);
    add(profile, "main<init", 1, 100, 1000);
    add(profile, "g<main<init", 5, 600, 600);
    add(profile, "f<main<init", 7, 200, 300);
    add(profile, "g<f<main<init", 3, 100, 100);
    return profile;
}

} // namespace

TEST_CASE("base64 is that of RFC 4648", "[export]") {
    CHECK(base64_of("").empty());
    CHECK(base64_of("f") == "Zg==");
    CHECK(base64_of("fo") == "Zm8=");
    CHECK(base64_of("foo") == "Zm9v");
    CHECK(base64_of("foob") == "Zm9vYg==");
    CHECK(base64_of(std::string_view("\0\xff\xfe", 3)) == "AP/+");
}

TEST_CASE("the columns of a page have the call tree depth first", "[export]") {
    const TreeColumns columns = path_columns(sample());
    REQUIRE(columns.rows == 5);
    const char* const names[] = {"init", "main", "g", "f", "g"};
    const std::uint32_t parents[] = {0, 0, 1, 1, 3};
    for (std::uint32_t row = 0; row < columns.rows; ++row) {
        CHECK(columns.titles[number_at<std::uint32_t>(columns, "name", row)] == names[row]);
        CHECK(number_at<std::uint32_t>(columns, "parent", row) == parents[row]);
    }
    CHECK(number_at<double>(columns, "exclusive", 2) == 600);
    CHECK(number_at<double>(columns, "inclusive", 3) == 300);
    CHECK(number_at<double>(columns, "calls", 4) == 3);
}

TEST_CASE("a page is ASCII and has its data in one element, whatever functions are called", "[export]") {
    analysis::Profile profile = sample();
    add(profile, "</script><b>\xc3\xa4<main<init", 1, 1, 1);
    const std::string page = exported_text("html", {"prog", {{"all calls", std::move(profile)}}, {}, nullptr});
    CHECK(page.starts_with("<!doctype html>"));
    CHECK(page.ends_with("</html>\n"));
    CHECK(page.find_first_of("\x80\xc3") == page.npos);
    const std::size_t data = page.find("id=\"data\">");
    REQUIRE(data != page.npos);
    CHECK(page.substr(data + 10, 6) == "\nH4sIA"); // gzip
    CHECK(page.find("<b>") == page.npos);
    CHECK(page.find("http") == page.find("http-equiv")); // no address
    CHECK(page.find("http", page.find("http-equiv") + 1) == page.npos);
}

TEST_CASE("of the marks of a timeline the longest are kept, of equal ones the first", "[export]") {
    struct Mark {
        int ns, number;
    };
    Longest<Mark> longest(3);
    const int lengths[] = {5, 1, 9, 5, 7, 5};
    for (int i = 0; i < 6; ++i)
        longest.add({lengths[i], i});
    std::vector<int> numbers;
    for (const Mark& mark : longest.take())
        numbers.push_back(mark.number);
    std::ranges::sort(numbers);
    CHECK(numbers == std::vector<int>{0, 2, 4});
    CHECK(longest.take().empty());
}
