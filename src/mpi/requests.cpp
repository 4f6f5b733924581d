// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/requests.hpp"

#include "mpi/guard.hpp"

namespace vftr::mpi {
namespace {

constexpr std::size_t FirstBuckets = 256;

constexpr std::uint64_t mixed(std::uint64_t value) { return value * 0x9e3779b97f4a7c15u; }

} // namespace

// If threads do not share requests, one shard is enough: each further shard would cost memory and time at its first
// use.
Requests::Shard& Requests::shard_of(std::uint64_t handle) {
    return shards_[threads_share.load(std::memory_order_relaxed) ? mixed(handle) >> (64 - ShardBits) : 0];
}

Requests::Entry** Requests::head_of(Shard& shard, std::uint64_t handle) {
    return &shard.heads[(mixed(handle) >> 24) & (shard.buckets - 1)];
}

Requests::Entry** Requests::exact_of(Shard& shard, std::uint64_t handle, const void* variable) {
    const std::uint64_t both = mixed(handle) ^ reinterpret_cast<std::uintptr_t>(variable);
    return &shard.exact[(mixed(both) >> 24) & (shard.buckets - 1)];
}

// Finds the entry of `variable`, or else the oldest entry of the handle.
Requests::Entry* Requests::find(Shard& shard, std::uint64_t handle, const void* variable) {
    if (shard.entries == 0)
        return nullptr;
    Entry* head = *head_of(shard, handle);
    while (head && head->handle != handle)
        head = head->next_head;
    if (!head || !head->next)
        return head;
    Entry* exact = *exact_of(shard, handle, variable);
    while (exact && !(exact->handle == handle && exact->variable == variable))
        exact = exact->next_exact;
    return exact ? exact : head;
}

// Doubles the buckets when there are as many entries as buckets.
bool Requests::make_room(Shard& shard) {
    if (shard.entries < shard.buckets)
        return true;
    const std::size_t buckets = shard.buckets == 0 ? FirstBuckets : 2 * shard.buckets;
    auto* heads = static_cast<Entry**>(base::map_anonymous(2 * buckets * sizeof(Entry*)));
    if (!heads)
        return shard.buckets != 0;
    const Shard old = {{}, shard.heads, shard.exact, shard.buckets, 0, {}};
    shard.heads = heads;
    shard.exact = heads + buckets;
    shard.buckets = buckets;
    for (std::size_t i = 0; i < old.buckets; ++i) {
        for (Entry *head = old.heads[i], *next; head; head = next) {
            next = head->next_head;
            Entry** bucket = head_of(shard, head->handle);
            head->next_head = *bucket;
            *bucket = head;
        }
        for (Entry *entry = old.exact[i], *next; entry; entry = next) {
            next = entry->next_exact;
            Entry** bucket = exact_of(shard, entry->handle, entry->variable);
            entry->next_exact = *bucket;
            *bucket = entry;
        }
    }
    if (old.heads)
        base::unmap(old.heads, 2 * old.buckets * sizeof(Entry*));
    return true;
}

// Enters the entry in the second hash. Returns an older entry of the same variable, if there is one: the program has
// moved that request, because another one is in its variable now.
Requests::Entry* Requests::index(Shard& shard, Entry& entry) {
    Entry** bucket = exact_of(shard, entry.handle, entry.variable);
    Entry* moved = nullptr;
    for (Entry** at = bucket; *at; at = &(*at)->next_exact)
        if ((*at)->handle == entry.handle && (*at)->variable == entry.variable) {
            moved = *at;
            moved->exact = false;
            *at = moved->next_exact;
            break;
        }
    entry.next_exact = *bucket;
    entry.exact = true;
    *bucket = &entry;
    return moved;
}

void Requests::unindex(Shard& shard, Entry& entry) {
    if (!entry.exact)
        return;
    Entry** at = exact_of(shard, entry.handle, entry.variable);
    while (*at != &entry)
        at = &(*at)->next_exact;
    *at = entry.next_exact;
    entry.exact = false;
}

// Enters the entry in the queue of its handle: at the end or, if it was displaced, behind all that began earlier.
// Returns the entry that has to be given up for it, if any.
Requests::Entry* Requests::link(Shard& shard, Entry& entry, bool displaced) {
    entry.next = nullptr;
    entry.exact = false;
    Entry** bucket = head_of(shard, entry.handle);
    Entry** at = bucket;
    while (*at && (*at)->handle != entry.handle)
        at = &(*at)->next_head;
    Entry* head = *at;
    if (!head) {
        entry.previous = nullptr;
        entry.last = &entry;
        entry.members = 1;
        entry.next_head = *bucket;
        *bucket = &entry;
        return nullptr;
    }
    if (!head->next)
        index(shard, *head);
    Entry* moved = index(shard, entry);
    const std::uint32_t members = head->members + 1;
    Entry* before = head->last;
    while (displaced && before && before->operation.place.enter > entry.operation.place.enter)
        before = before->previous;
    entry.previous = before;
    if (before) {
        entry.next = before->next;
        (entry.next ? entry.next->previous : head->last) = &entry;
        before->next = &entry;
        head->members = members;
    } else {
        entry.next = head;
        head->previous = &entry;
        entry.last = head->last;
        entry.members = members;
        entry.next_head = head->next_head;
        *at = &entry;
    }
    return members > LongQueue ? moved : nullptr;
}

void Requests::unlink(Shard& shard, Entry& entry) {
    unindex(shard, entry);
    if (entry.previous) {
        Entry* head = *head_of(shard, entry.handle);
        while (head->handle != entry.handle)
            head = head->next_head;
        --head->members;
        entry.previous->next = entry.next;
        (entry.next ? entry.next->previous : head->last) = entry.previous;
        return;
    }
    Entry** at = head_of(shard, entry.handle);
    while (*at != &entry)
        at = &(*at)->next_head;
    if (Entry* heir = entry.next) {
        heir->previous = nullptr;
        heir->last = entry.last;
        heir->members = entry.members - 1;
        heir->next_head = entry.next_head;
        *at = heir;
    } else {
        *at = entry.next_head;
    }
}

void Requests::drop(Shard& shard, Entry& entry) {
    unlink(shard, entry);
    shard.free.give(&entry);
    --shard.entries;
}

bool Requests::add(std::uint64_t handle, const void* variable, const Operation& operation, Operation* given_up) {
    if (PlainRequest* const earlier = plain_.find(handle, variable))
        displace(*earlier);
    return put(handle, variable, operation, given_up, false);
}

bool Requests::displace(PlainRequest& slot, Operation* given_up) {
    const PlainRequest request = slot;
    plain_.clear(slot);
    Operation operation{};
    operation.place = request.place;
    operation.active = operation.recorded = true;
    operation.counted_to = request.counted_to;
    operation.first = {.next = nullptr,
                       .peers = request.is_send() ? nullptr : request.peers,
                       .bytes = request.is_send() ? request.bytes : 0,
                       .target = request.target,
                       .tag = request.tag,
                       .type = request.type,
                       .communicator = request.communicator,
                       .direction = request.is_send() ? vfd::Direction::Send : vfd::Direction::Receive,
                       .span = vfd::Span::Rank,
                       .used = true};
    return put(request.handle, request.variable, operation, given_up, true);
}

bool Requests::put(std::uint64_t handle, const void* variable, const Operation& operation, Operation* given_up,
                   bool displaced) {
    Shard& shard = shard_of(handle);
    const Guard guard(shard.lock);
    if (!make_room(shard))
        return false;
    Entry* const taken = shard.free.take();
    if (!taken)
        return false;
    Entry& entry = *taken;
    entry.handle = handle;
    entry.variable = variable;
    entry.operation = operation;
    Entry* moved = link(shard, entry, displaced);
    ++shard.entries;
    if (!used())
        used_.store(true, std::memory_order_relaxed);
    if (!moved || !given_up || moved->operation.persistent)
        return false;
    *given_up = moved->operation;
    drop(shard, *moved);
    return true;
}

void Requests::displace_all() {
    plain_.for_each([this](PlainRequest& slot) { displace(slot); });
}

// Moves plain requests to the table where one of them may be what a program means by this handle.
void Requests::displace_what_may_be_meant(std::uint64_t handle, const void* variable) {
    if (PlainRequest* const plain = plain_.find(handle, variable)) {
        displace(*plain);
        return;
    }
    if (!plain_.may_have(handle))
        return;
    if (const Entry* const entry = find(shard_of(handle), handle, variable); entry && entry->variable == variable)
        return;
    ++searches_;
    displace_all();
}

template <class Act>
bool Requests::with(std::uint64_t handle, const void* variable, Act act) {
    if (!plain_.empty())
        displace_what_may_be_meant(handle, variable);
    Shard& shard = shard_of(handle);
    const Guard guard(shard.lock);
    Entry* entry = find(shard, handle, variable);
    if (!entry)
        return false;
    if (!act(*entry))
        drop(shard, *entry);
    return true;
}

void Requests::extend(std::uint64_t handle, const void* variable, const Part& part) {
    with(handle, variable, [&](Entry& entry) {
        add_part(entry.operation, part);
        return true;
    });
}

bool Requests::finish(std::uint64_t handle, const void* variable, Operation& operation) {
    return with(handle, variable, [&](Entry& entry) {
        operation = entry.operation;
        operation.keeps_parts = operation.persistent;
        entry.operation.active = false;
        return operation.persistent;
    });
}

bool Requests::see(std::uint64_t handle, const void* variable, Operation& operation) {
    return with(handle, variable, [&](Entry& entry) {
        operation = entry.operation;
        operation.keeps_parts = true;
        entry.operation.seen = true;
        return true;
    });
}

bool Requests::forget(std::uint64_t handle, const void* variable, Operation& operation) {
    return with(handle, variable, [&](Entry& entry) {
        operation = entry.operation;
        operation.keeps_parts = false;
        return false;
    });
}

bool Requests::start(std::uint64_t handle, const void* variable, const record::CallInstance& place, bool recorded,
                     std::uint64_t counted_to, Operation* started) {
    return with(handle, variable, [&](Entry& entry) {
        Operation& operation = entry.operation;
        operation.place = place;
        operation.recorded = recorded;
        operation.active = true;
        operation.cancel_asked = operation.seen = false;
        operation.counted_to = counted_to;
        if (started) {
            *started = operation;
            started->keeps_parts = true;
        }
        return true;
    });
}

bool Requests::ask_cancel(std::uint64_t handle, const void* variable) {
    return with(handle, variable, [&](Entry& entry) {
        entry.operation.cancel_asked = true;
        return true;
    });
}

Part* Requests::new_part(const Part& part) {
    const Guard guard(part_lock_);
    Part* const fresh = free_parts_.take();
    if (fresh)
        *fresh = part;
    return fresh;
}

void Requests::add_part(Operation& operation, const Part& part) {
    if (!operation.first.used) {
        operation.first = part;
        operation.first.next = nullptr;
        operation.first.used = true;
    } else if (Part* more = new_part(part)) {
        more->next = operation.first.next;
        operation.first.next = more;
    }
}

void Requests::release(Operation& operation) {
    Part* part = operation.first.next;
    if (!part || operation.keeps_parts)
        return;
    Part* last = part;
    while (last->next)
        last = last->next;
    const Guard guard(part_lock_);
    free_parts_.give(part, last);
    operation.first.next = nullptr;
}

} // namespace vftr::mpi
