// SPDX-License-Identifier: BSD-3-Clause
//
// The hash function FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo; RFC 9923): small, the same on every machine, and not made
// to resist anyone who looks for collisions.
#pragma once

#include <cstdint>
#include <string_view>

namespace vftr::base {

template <class Number, Number Begin, Number Prime>
class Fnv1a {
public:
    constexpr Fnv1a() = default;
    // Another begin gives another, independent hash.
    constexpr explicit Fnv1a(Number begin) : value_(begin) {}

    // Adds something as one unit: a byte or, where speed counts more than the standard's results, a larger number.
    constexpr void add(Number unit) { value_ = (value_ ^ unit) * Prime; }
    constexpr void add(std::string_view bytes) {
        for (const char c : bytes)
            add(Number{static_cast<unsigned char>(c)});
    }
    constexpr Number value() const { return value_; }

private:
    Number value_ = Begin;
};

using Fnv1a32 = Fnv1a<std::uint32_t, 0x811c9dc5, 0x01000193>;
using Fnv1a64 = Fnv1a<std::uint64_t, 0xcbf29ce484222325, 0x100000001b3>;

template <class Hash>
constexpr auto fnv1a(std::string_view bytes) {
    Hash hash;
    hash.add(bytes);
    return hash.value();
}

// The standard's test vectors.
static_assert(fnv1a<Fnv1a32>("a") == 0xe40c292c && fnv1a<Fnv1a64>("foobar") == 0x85944171f73967e8);

} // namespace vftr::base
