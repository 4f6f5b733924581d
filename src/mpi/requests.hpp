// SPDX-License-Identifier: BSD-3-Clause
//
// What is under way: the transfers of each request that the program has not yet seen complete.
//
// Requests are found by handle, in constant time. MPI libraries give one handle to many requests at once (all sends
// that are complete when they return may share one), so a handle leads to a queue. Which of its members a program waits
// for does not matter to MPI, but its call path does to us: the address of the request variable tells, for members that
// have company, by a second hash. Where the program has moved the variable, the oldest member is taken.
//
// There are programs that never ask for the end of a send, for with such a handle the MPI library loses nothing by
// that. A queue that has become very long keeps one member for each variable: the one before is given up.
//
// Several threads may share the table: it is cut into shards by handle, each with a lock (guard.hpp). Entries and
// further transfers come from pools that only grow; there is neither malloc nor, in the long run, a system call.
#pragma once

#include "mpi/free_list.hpp"
#include "mpi/peers.hpp"
#include "record/entries/message_totals.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace vftr::mpi {

// One transfer of a request.
struct Part {
    Part* next;
    const Group* peers; // of a receive whose status tells sender and bytes; else null
    std::uint64_t bytes;
    std::uint32_t target; // as in record::Transfer
    std::int32_t tag;
    std::uint32_t type;
    vfd::Direction direction;
    vfd::Span span;
    bool used; // of Operation::first
};

// All that one request does.
struct Operation {
    record::CallInstance place; // the call that began it
    Part first;
    std::uint32_t group; // of a collective call, 0: is none
    std::int32_t root;   // likewise, as in record_collective
    bool persistent;
    bool active;              // not: persistent and not started
    bool recorded;            // the begin was recorded (no pause)
    bool cancel_asked;        // MPI_Cancel was called
    bool seen;                // its end was seen, and recorded, while the request lives on
    bool keeps_parts;         // of a copy: the parts belong to the table still
    std::uint64_t counted_to; // ticks: the end of the call that began it, where its sends were counted; else 0
};
static_assert(std::is_trivially_copyable_v<Operation>);

class Requests {
public:
    // Whether there ever was one. Free of cost.
    bool used() const { return used_.load(std::memory_order_relaxed); }

    // One more transfer of an operation that is not in the table yet. Without memory it is lost.
    void add_part(Operation& operation, const Part& part);
    // True: another one had to go, and is now in `given_up`; after use release() that. Null: none has to.
    bool add(std::uint64_t handle, const void* variable, const Operation& operation, Operation* given_up = nullptr);
    // How long the queue of one handle is when that begins.
    static constexpr std::uint32_t LongQueue = 1 << 17;
    // One more transfer of what the same thread has added last under this handle and variable.
    void extend(std::uint64_t handle, const void* variable, const Part& part);

    // The functions below are false where the request is not known. `operation` is a copy; after use release() it.
    //
    // It is complete: a persistent one becomes inactive, another one is forgotten.
    bool finish(std::uint64_t handle, const void* variable, Operation& operation);
    // It is complete, but the request lives on (MPI_Request_get_status).
    bool see(std::uint64_t handle, const void* variable, Operation& operation);
    // MPI_Request_free.
    bool forget(std::uint64_t handle, const void* variable, Operation& operation);
    // A persistent one begins. recorded: not during a pause. counted_to: as in Operation. `started`: a copy of it.
    bool start(std::uint64_t handle, const void* variable, const record::CallInstance& place, bool recorded,
               std::uint64_t counted_to = 0, Operation* started = nullptr);
    bool ask_cancel(std::uint64_t handle, const void* variable);

    void release(Operation& operation);

    // Calls the functor with each, before MPI ends. While it runs no thread may use the table.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Shard& shard : shards_)
            for (std::size_t i = 0; i < shard.buckets; ++i)
                for (const Entry* head = shard.heads[i]; head; head = head->next_head)
                    for (const Entry* entry = head; entry; entry = entry->next)
                        visit(entry->operation);
    }

private:
    struct Entry {
        std::uint64_t handle;
        const void* variable;
        Entry* next_head;      // of the first with its handle: the first of another handle in the same bucket
        Entry* last;           // likewise: the last with its handle
        Entry* next;           // with the same handle; of free entries: the next free one
        Entry* previous;       // likewise
        Entry* next_exact;     // in the same bucket by handle and variable
        std::uint32_t members; // of the first with its handle: how many there are
        bool exact;            // is in a bucket by handle and variable
        Operation operation;
    };
    struct alignas(64) Shard {
        base::SpinLock lock;
        Entry** heads;       // by handle
        Entry** exact;       // by handle and variable, of entries that share their handle
        std::size_t buckets; // of each, a power of two
        std::size_t entries;
        FreeList<Entry> free;
    };
    static constexpr int ShardBits = 4;

    Shard& shard_of(std::uint64_t handle);
    static Entry** head_of(Shard& shard, std::uint64_t handle);
    static Entry** exact_of(Shard& shard, std::uint64_t handle, const void* variable);
    static Entry* find(Shard& shard, std::uint64_t handle, const void* variable);
    static bool make_room(Shard& shard);
    static Entry* link(Shard& shard, Entry& entry);
    static void unlink(Shard& shard, Entry& entry);
    static void drop(Shard& shard, Entry& entry);
    static Entry* index(Shard& shard, Entry& entry);
    static void unindex(Shard& shard, Entry& entry);
    template <class Act>
    bool with(std::uint64_t handle, const void* variable, Act act);
    Part* new_part(const Part& part);

    Shard shards_[1 << ShardBits] = {};
    base::SpinLock part_lock_;
    FreeList<Part> free_parts_;
    std::atomic<bool> used_{false};
};
inline constinit Requests requests;

} // namespace vftr::mpi
