// SPDX-License-Identifier: BSD-3-Clause
//
// A hash table of pointers to entries that stay for good: open addressing with linear probing, at most half full. Its
// memory comes from the kernel, and it throws nothing. An entry has its hash and contents before it is inserted, which
// is one store; so work that is abandoned (a signal handler that jumps away) leaves a whole table behind.
//
// Only one thread at a time may change a table. With Outgrown::Kept, any thread may read it meanwhile without a lock:
// the slots are replaced as a whole when the table grows, and the old ones stay, which are together smaller than the
// new ones.
//
// Tables that are not of this kind: hooks probe record/hot/child_table.hpp inline, which has pairs instead of pointers
// and moves frequent ones to their home slots. The small values of mpi/handle_table.hpp come and go with their handles.
// Users of analysis/merge/flat_map.hpp want numbers, and std::bad_alloc. Any thread may claim a slot in
// filter/patience.hpp, whose size is fixed, as is that of the functions that are out in patch/hook_site_index.hpp; both
// may refuse an entry. Lists are what mpi/requests.hpp, mpi/peers.hpp, filter/trigger_places.hpp and the sites in
// patch/hook_site_index.hpp need, because entries of one key are many, or are taken out.
#pragma once

#include "base/memory.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::base {

// What becomes of the slots when a table has grown.
enum class Outgrown { Unmapped, Kept };

// FirstSlots is a power of two. All zeros is an empty table. The memory of a table is never returned.
template <class Entry, Outgrown outgrown, std::uint64_t FirstSlots>
class ProbeTable {
public:
    // Returns the entry with this hash for which is(entry) returns true, or nullptr.
    template <class Is>
    Entry* find(std::uint64_t hash, Is is) const {
        if (const Slots* slots = __atomic_load_n(&slots_, Loads))
            for (std::uint64_t i = hash;; ++i) {
                Entry* entry = __atomic_load_n(&slots->at[i & slots->mask], Loads);
                if (!entry || is(*entry))
                    return entry;
            }
        return nullptr;
    }
    // Makes room for one more entry. Without memory to grow, the table may get fuller than intended: lookups then take
    // longer, but still end. Returns false if there is no room at all.
    template <class HashOf>
    bool make_room(HashOf hash_of) {
        const std::uint64_t wanted = used_ + 1, mask = slots_ ? slots_->mask : 0;
        return 2 * wanted <= mask || grow(hash_of) || 16 * wanted <= 15 * mask;
    }
    // There must be room, and the entry must not be in the table.
    void insert(std::uint64_t hash, Entry* entry) {
        put(*slots_, hash, entry);
        ++used_;
    }
    template <class Visit>
    void for_each(Visit visit) const {
        if (const Slots* slots = __atomic_load_n(&slots_, Loads))
            for (std::uint64_t i = 0; i <= slots->mask; ++i)
                if (Entry* entry = __atomic_load_n(&slots->at[i], Loads))
                    visit(*entry);
    }
    std::uint64_t size() const { return used_; }

private:
    struct Slots {
        std::uint64_t mask;
        Entry* at[];
    };
    static constexpr int Loads = outgrown == Outgrown::Kept ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED;

    static std::size_t bytes_of(std::uint64_t slots) { return sizeof(Slots) + slots * sizeof(Entry*); }

    static void put(Slots& slots, std::uint64_t hash, Entry* entry) {
        while (__atomic_load_n(&slots.at[hash & slots.mask], __ATOMIC_RELAXED))
            ++hash;
        __atomic_store_n(&slots.at[hash & slots.mask], entry, __ATOMIC_RELEASE);
    }

    template <class HashOf>
    bool grow(HashOf hash_of) {
        Slots* const old = slots_;
        const std::uint64_t count = old ? 2 * (old->mask + 1) : FirstSlots;
        auto* bigger = static_cast<Slots*>(map_anonymous(bytes_of(count)));
        if (!bigger)
            return false;
        bigger->mask = count - 1;
        for_each([&](Entry& entry) { put(*bigger, hash_of(entry), &entry); });
        __atomic_store_n(&slots_, bigger, __ATOMIC_RELEASE);
        if (old && outgrown == Outgrown::Unmapped)
            unmap(old, bytes_of(count / 2));
        return true;
    }

    Slots* slots_;
    std::uint64_t used_;
};

} // namespace vftr::base
