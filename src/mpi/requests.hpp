// SPDX-License-Identifier: BSD-3-Clause
//
// The transfers that are under way, by request: those that the program has not yet seen complete.
//
// Requests are found by handle, in constant time. MPI libraries give one handle to many requests at once (all sends
// that are complete when they return may share one), so a handle leads to a queue. MPI does not care which member of
// the queue a program waits for, but the member's call path matters to the recorder. Therefore members of queues with
// several entries are also found by a second hash, over the address of the request variable. If the program has moved
// the variable, the oldest member is taken.
//
// Most requests never come into this table: those that are plain lie in slots (plain_requests.hpp) and are moved here
// only where the table's lists are needed for them.
//
// Some programs never ask for the end of a send, because with such a handle the MPI library loses nothing by that. A
// queue that has become very long keeps one member for each variable: the older one is given up.
//
// Several threads may share the table: it is divided into shards by handle, each with a lock (guard.hpp). Entries and
// additional parts come from pools that only grow, so there is no malloc and, in the long run, no system call.
#pragma once

#include "mpi/free_list.hpp"
#include "mpi/guard.hpp"
#include "mpi/peers.hpp"
#include "mpi/plain_requests.hpp"
#include "record/entries/message_totals.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace vftr::mpi {

// One transfer of a request.
struct Part {
    Part* next;
    const Group* peers; // of a receive whose status gives sender and bytes; else null
    std::uint64_t bytes;
    std::uint32_t target; // as in record::Transfer
    std::int32_t tag;
    std::uint32_t type;
    std::uint32_t communicator; // its number, as in record::Transfer
    vfd::Direction direction;
    vfd::Span span;
    bool used; // meaningful in Operation::first only
};

// All transfers of one request.
struct Operation {
    record::CallInstance place; // the call that began it
    Part first;
    std::uint32_t group;        // of a collective call; 0 if it is none
    std::int32_t root;          // of a collective call, as in record_collective
    std::uint32_t communicator; // of a collective call, its number
    bool persistent;
    bool active;              // false: persistent and not started
    bool recorded;            // its begin was recorded (there was no pause)
    bool cancel_asked;        // MPI_Cancel was called
    bool seen;                // its end was seen and recorded, but the request is still valid
    bool keeps_parts;         // of a copy: the parts still belong to the table
    std::uint64_t counted_to; // ticks at the end of the call that began it, if its sends were counted; else 0
};
static_assert(std::is_trivially_copyable_v<Operation>);

class Requests {
public:
    // Whether there ever was a request. The check costs nothing.
    bool used() const { return used_.load(std::memory_order_relaxed); }

    // The slot for a plain request in this variable; nullptr if it has to be added to the table. The caller frees the
    // slot with displace() if it is taken, fills in what is known of the request, and then calls hold().
    PlainRequest* slot_of(const void* variable) {
        if (threads_share.load(std::memory_order_relaxed) || VFTR_UNLIKELY(searches_ >= MostSearches))
            return nullptr;
        return plain_.slot_of(variable);
    }
    void hold(PlainRequest& slot, std::uint64_t handle, const void* variable) {
        plain_.fill(slot, handle, variable);
        if (!used())
            used_.store(true, std::memory_order_relaxed);
    }
    // The plain request with this handle in this variable, to be freed with release(); nullptr if it is not plain.
    PlainRequest* find_plain(std::uint64_t handle, const void* variable) { return plain_.find(handle, variable); }
    void release(PlainRequest& slot) { plain_.clear(slot); }
    // Moves a plain request to the table, behind all that began earlier. For the rest see add().
    bool displace(PlainRequest& slot, Operation* given_up = nullptr);

    // Adds a transfer to an operation that is not in the table yet. Without memory the transfer is lost.
    void add_part(Operation& operation, const Part& part);
    // Returns true if another operation had to go and is now in `given_up`; release() it after use. With a null
    // `given_up` none has to go.
    bool add(std::uint64_t handle, const void* variable, const Operation& operation, Operation* given_up = nullptr);
    // The length from which on the queue of one handle gives up older operations.
    static constexpr std::uint32_t LongQueue = 1 << 17;
    // Adds a transfer to the operation that the same thread has added last under this handle and variable.
    void extend(std::uint64_t handle, const void* variable, const Part& part);

    // The functions below return false if the request is not known. `operation` receives a copy; release() it after
    // use.
    //
    // Completes a request: a persistent one becomes inactive, any other is forgotten.
    bool finish(std::uint64_t handle, const void* variable, Operation& operation);
    // Marks a request as complete that is still valid (MPI_Request_get_status).
    bool see(std::uint64_t handle, const void* variable, Operation& operation);
    // Forgets a request (MPI_Request_free).
    bool forget(std::uint64_t handle, const void* variable, Operation& operation);
    // Starts a persistent request. `recorded`: there is no pause. `counted_to`: as in Operation. `started` receives a
    // copy.
    bool start(std::uint64_t handle, const void* variable, const record::CallInstance& place, bool recorded,
               std::uint64_t counted_to = 0, Operation* started = nullptr);
    bool ask_cancel(std::uint64_t handle, const void* variable);

    void release(Operation& operation);

    // Calls the functor with each operation, before MPI ends. No thread may use the table while it runs.
    template <class Visit>
    void for_each(Visit visit) {
        displace_all();
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
        Entry* next_head;      // of a handle's first entry: the first entry of another handle in the same bucket
        Entry* last;           // of a handle's first entry: the last entry with that handle
        Entry* next;           // the next entry with the same handle; of a free entry: the next free one
        Entry* previous;       // the previous entry with the same handle
        Entry* next_exact;     // the next entry in the same bucket by handle and variable
        std::uint32_t members; // of a handle's first entry: the number of entries with that handle
        bool exact;            // the entry is in a bucket by handle and variable
        Operation operation;
    };
    struct alignas(64) Shard {
        base::SpinLock lock;
        Entry** heads;       // by handle
        Entry** exact;       // by handle and variable, of entries that share their handle
        std::size_t buckets; // the number of buckets of each table, a power of two
        std::size_t entries;
        FreeList<Entry> free;
    };
    static constexpr int ShardBits = 4;

    Shard& shard_of(std::uint64_t handle);
    static Entry** head_of(Shard& shard, std::uint64_t handle);
    static Entry** exact_of(Shard& shard, std::uint64_t handle, const void* variable);
    static Entry* find(Shard& shard, std::uint64_t handle, const void* variable);
    static bool make_room(Shard& shard);
    static Entry* link(Shard& shard, Entry& entry, bool displaced);
    static void unlink(Shard& shard, Entry& entry);
    static void drop(Shard& shard, Entry& entry);
    static Entry* index(Shard& shard, Entry& entry);
    static void unindex(Shard& shard, Entry& entry);
    template <class Act>
    bool with(std::uint64_t handle, const void* variable, Act act);
    Part* new_part(const Part& part);
    bool put(std::uint64_t handle, const void* variable, const Operation& operation, Operation* given_up,
             bool displaced);
    void displace_all();
    void displace_what_may_be_meant(std::uint64_t handle, const void* variable);

    // A program that moves its requests, as bindings of other languages may do, makes us search all slots. After so
    // many searches there are no slots any more.
    static constexpr std::uint32_t MostSearches = 64;
    PlainRequests plain_ = {};
    std::uint32_t searches_ = 0;
    Shard shards_[1 << ShardBits] = {};
    base::SpinLock part_lock_;
    FreeList<Part> free_parts_;
    std::atomic<bool> used_{false};
};
inline constinit Requests requests;

} // namespace vftr::mpi
