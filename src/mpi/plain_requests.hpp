// SPDX-License-Identifier: BSD-3-Clause
//
// Plain requests that are under way: those of one MPI_Isend or MPI_Irecv that is recorded. They are nearly all requests
// of most programs, and end where they began: in the same variable, by a wait for it.
//
// So the address of the variable leads to the one slot in which the request lies, a cache line. To add a request is to
// fill the slot, and to take it is to compare handle and variable. There is no hash, no list and no copy, as there are
// in the table of all other requests (requests.hpp), which costs five times as many instructions. Neighbouring
// variables have slots of their own: an array of 1024 handles of 8 bytes fits.
//
// What is not plain goes through that table: the owner moves a request there when another one needs its slot, when
// anything but its end happens to it, and when a handle turns up in another variable than that which it was begun in.
//
// There is no lock, so programs whose threads share MPI do without slots.
#pragma once

#include "base/compiler.hpp"
#include "base/memory.hpp"
#include "mpi/peers.hpp"
#include "record/entries/call_instance.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::mpi {

struct alignas(64) PlainRequest {
    std::uint64_t handle; // 0: the slot is free
    const void* variable;
    record::CallInstance place; // the call that began it
    std::uint64_t counted_to;   // of a send: ticks at the end of that call, never 0; of a receive 0
    union {
        std::uint64_t bytes; // of a send
        const Group* peers;  // of a receive: its status gives sender and bytes
    };
    std::uint32_t target; // of a send, as in record::Transfer
    std::int32_t tag;
    std::uint32_t type;
    std::uint32_t communicator; // its number, as in record::Transfer
    bool is_send() const { return counted_to != 0; }
};
static_assert(sizeof(PlainRequest) == 64);

class PlainRequests {
public:
    // The slot of this variable, which may be taken; nullptr if there is no memory.
    PlainRequest* slot_of(const void* variable) {
        if (VFTR_UNLIKELY(!slots_) && !map())
            return nullptr;
        return &slots_[index_of(variable)];
    }
    // The request that was begun with this handle in this variable; nullptr if there is none.
    PlainRequest* find(std::uint64_t handle, const void* variable) {
        if (count_ == 0)
            return nullptr;
        PlainRequest& slot = slots_[index_of(variable)];
        return slot.handle == handle && slot.variable == variable ? &slot : nullptr;
    }
    // To be called when a free slot has been filled, and before it is filled anew.
    void fill(PlainRequest& slot, std::uint64_t handle, const void* variable) {
        slot.handle = handle;
        slot.variable = variable;
        ++count_;
        ++with_handle_[bin_of(handle)];
    }
    void clear(PlainRequest& slot) {
        --with_handle_[bin_of(slot.handle)];
        --count_;
        slot.handle = 0;
    }
    bool empty() const { return count_ == 0; }
    // Whether a request may be there with this handle, in any variable.
    bool may_have(std::uint64_t handle) const { return with_handle_[bin_of(handle)] != 0; }
    // Calls the functor with each slot that is taken.
    template <class Visit>
    void for_each(Visit visit) {
        for (std::size_t i = 0; i < Slots && count_ != 0; ++i)
            if (slots_[i].handle != 0)
                visit(slots_[i]);
    }

private:
    static constexpr std::size_t Slots = 2048, Bins = 256;
    // Handles have 4 bytes at least. The fold keeps arrays apart that lie a multiple of pages from each other.
    static std::size_t index_of(const void* variable) {
        const auto address = reinterpret_cast<std::uintptr_t>(variable);
        return ((address >> 2) ^ (address >> 13)) & (Slots - 1);
    }
    static std::size_t bin_of(std::uint64_t handle) { return (handle * 0x9e3779b97f4a7c15u) >> 56; }

    VFTR_COLD bool map() {
        slots_ = static_cast<PlainRequest*>(base::map_anonymous(Slots * sizeof(PlainRequest)));
        return slots_;
    }

    PlainRequest* slots_;
    std::uint32_t count_;
    std::uint16_t with_handle_[Bins]; // numbers of requests whose handles have this hash
};

} // namespace vftr::mpi
