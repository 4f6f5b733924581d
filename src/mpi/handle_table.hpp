// SPDX-License-Identifier: BSD-3-Clause
//
// A hash table from an MPI handle (64 bits) to what is known about it, a small value. It does not call malloc. The
// caller locks.
//
// It uses open addressing. A handle that is forgotten keeps its slot, marked as not known, because MPI libraries give
// out the same handles again and again; such slots are dropped when the table grows.
#pragma once

#include "base/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace vftr::mpi {

template <class Value>
class HandleTable {
    static_assert(std::is_trivially_copyable_v<Value>);

public:
    // nullptr if the handle is not known. The pointer is valid until the next insert.
    Value* find(std::uint64_t handle) {
        Slot* slot = slots_ ? slot_of(handle) : nullptr;
        return slot && slot->handle == handle && slot->known ? &slot->value : nullptr;
    }

    // Replaces the value if there was one. Returns false if there is no memory.
    bool insert(std::uint64_t handle, const Value& value) {
        if (handle == 0 || (2 * (used_ + 1) > capacity_ && !grow()))
            return false;
        Slot* slot = slot_of(handle);
        if (slot->handle == 0)
            ++used_;
        if (!slot->known)
            ++known_;
        *slot = {handle, true, value};
        return true;
    }

    // Returns false if the handle was not known. `value`, if not null, receives the old value.
    bool forget(std::uint64_t handle, Value* value = nullptr) {
        Value* found = find(handle);
        if (!found)
            return false;
        if (value)
            *value = *found;
        slot_of(handle)->known = false;
        --known_;
        return true;
    }

    std::size_t size() const { return known_; }

private:
    struct Slot {
        std::uint64_t handle; // 0: never used
        bool known;
        Value value;
    };

    // Finds the slot of the handle, or the free one where it would be inserted.
    Slot* slot_of(std::uint64_t handle) {
        std::size_t i = static_cast<std::size_t>((handle * 0x9e3779b97f4a7c15u) >> 32) & (capacity_ - 1);
        while (slots_[i].handle != 0 && slots_[i].handle != handle)
            i = (i + 1) & (capacity_ - 1);
        return &slots_[i];
    }

    bool grow() {
        std::size_t capacity = capacity_ == 0 ? 64 : 4 * known_ > capacity_ ? 2 * capacity_ : capacity_;
        auto* fresh = static_cast<Slot*>(base::map_anonymous(capacity * sizeof(Slot)));
        if (!fresh)
            return false;
        Slot* old = slots_;
        std::size_t old_capacity = capacity_;
        slots_ = fresh;
        capacity_ = capacity;
        used_ = known_;
        for (std::size_t i = 0; i < old_capacity; ++i)
            if (old[i].known)
                *slot_of(old[i].handle) = old[i];
        if (old)
            base::unmap(old, old_capacity * sizeof(Slot));
        return true;
    }

    Slot* slots_ = nullptr;
    std::size_t capacity_ = 0; // a power of two
    std::size_t used_ = 0;     // slots with a handle, known or forgotten
    std::size_t known_ = 0;
};

} // namespace vftr::mpi
