// SPDX-License-Identifier: BSD-3-Clause
//
// A set of offsets in a piece of machine code: one bit for each of its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace vftr::patch {

// Longer pieces of code are not analysed.
constexpr std::size_t MaxCodeBytes = 1 << 18;

class OffsetSet {
public:
    // Makes the set empty, for a piece of this many bytes.
    void clear(std::size_t text) { std::memset(words_, 0, (text / 64 + 1) * sizeof words_[0]); }
    bool has(std::uint64_t place) const { return words_[place / 64] >> place % 64 & 1; }
    // Returns false if it was in the set already.
    bool add(std::uint64_t place) {
        const bool is_new = !has(place);
        words_[place / 64] |= std::uint64_t{1} << place % 64;
        return is_new;
    }

    // Counts the elements; after that each one has a number.
    std::size_t count(std::size_t text) {
        std::uint32_t before = 0;
        for (std::size_t i = 0; i <= text / 64; ++i) {
            before_[i] = before;
            before += static_cast<std::uint32_t>(__builtin_popcountll(words_[i]));
        }
        return before;
    }
    std::size_t number_of(std::uint64_t place) const {
        return before_[place / 64] + static_cast<std::size_t>(__builtin_popcountll(
                                         words_[place / 64] & ((std::uint64_t{1} << place % 64) - 1)));
    }

private:
    static constexpr std::size_t Words = MaxCodeBytes / 64 + 1;
    std::uint64_t words_[Words];
    std::uint32_t before_[Words];
};

} // namespace vftr::patch
