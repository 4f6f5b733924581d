// SPDX-License-Identifier: BSD-3-Clause
//
// A hash table from 64-bit keys to 32-bit indices: open addressing, linear probing, at most half full. Profiles have up
// to millions of paths, and merging needs one look-up per path; std::unordered_map would allocate a node for each. The
// key ~0 is not allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vftr::analysis {

class FlatMap {
public:
    static constexpr std::uint32_t Missing = 0xffffffff;

    explicit FlatMap(std::size_t expected = 0) {
        std::size_t slots = 16;
        while (slots < 2 * expected)
            slots *= 2;
        resize(slots);
    }

    // The value of `key`. It is Missing where the key is new, and the caller then has to store one. The reference is
    // valid until the next call.
    std::uint32_t& operator[](std::uint64_t key) {
        if (2 * (size_ + 1) > slots_.size())
            grow();
        Slot& slot = find(key);
        if (slot.key == Empty) {
            slot.key = key;
            ++size_;
        }
        return slot.value;
    }

private:
    static constexpr std::uint64_t Empty = ~std::uint64_t{0};
    struct Slot {
        std::uint64_t key = Empty;
        std::uint32_t value = Missing;
    };

    Slot& find(std::uint64_t key) {
        std::size_t at = (key * 0x9e3779b97f4a7c15) >> shift_;
        while (slots_[at].key != key && slots_[at].key != Empty)
            at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }
    void resize(std::size_t slots) {
        slots_.assign(slots, Slot{});
        shift_ = 64;
        for (; slots > 1; slots /= 2)
            --shift_;
    }
    void grow() {
        std::vector<Slot> old;
        old.swap(slots_);
        resize(2 * old.size());
        for (const Slot& slot : old)
            if (slot.key != Empty)
                find(slot.key) = slot;
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
    int shift_ = 64;
};

// The key of the path with the name `name` below the path `parent`.
constexpr std::uint64_t path_key(std::uint32_t parent, std::uint32_t name) {
    return std::uint64_t{parent} << 32 | name;
}

} // namespace vftr::analysis
