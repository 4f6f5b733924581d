// SPDX-License-Identifier: BSD-3-Clause
#include "base/leb128.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <utility>
#include <vector>

using namespace vftr;

namespace {

using Bytes = std::vector<std::uint8_t>;

// The number and how many bytes it took.
std::pair<std::optional<std::uint64_t>, std::size_t> read(const Bytes& bytes) {
    const std::uint8_t* at = bytes.data();
    std::uint64_t value = 1;
    const bool sound = base::get_leb128(at, bytes.data() + bytes.size(), value);
    CHECK((sound || value == 0));
    return {sound ? std::optional(value) : std::nullopt, static_cast<std::size_t>(at - bytes.data())};
}

} // namespace

TEST_CASE("numbers of all lengths come back", "[leb128]") {
    for (unsigned bits = 0; bits <= 64; ++bits)
        for (const std::uint64_t below : {0, 1}) {
            const std::uint64_t value = (bits == 64 ? 0 : std::uint64_t{1} << bits) - below;
            Bytes bytes(base::MostLeb128Bytes + 1);
            bytes.resize(static_cast<std::size_t>(base::put_leb128(bytes.data(), value) - bytes.data()));
            CHECK(read(bytes) == std::pair(std::optional(value), bytes.size()));
            CHECK(base::unzigzag(base::zigzag(value)) == value);
            for (const std::uint8_t behind : {0x00, 0x7f, 0x80, 0xff}) {
                Bytes more = bytes;
                more.push_back(behind);
                CHECK(read(more) == std::pair(std::optional(value), bytes.size()));
            }
            bytes.pop_back();
            CHECK(read(bytes).first == std::nullopt);
        }
}

TEST_CASE("no more than 64 bits and no more than there is are read", "[leb128]") {
    CHECK(read({}).first == std::nullopt);
    CHECK(read({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 7}) ==
          std::pair(std::optional(~std::uint64_t{0}), base::MostLeb128Bytes));
    CHECK(read({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2}).first == std::nullopt);
    CHECK(read({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0}).first == std::nullopt);
}

TEST_CASE("zigzag makes numbers near 0 small", "[leb128]") {
    CHECK(base::zigzag(0) == 0);
    CHECK(base::zigzag(~std::uint64_t{0}) == 1);
    CHECK(base::zigzag(1) == 2);
    CHECK(base::zigzag(std::uint64_t{1} << 63) == ~std::uint64_t{0});
}
