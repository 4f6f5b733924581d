// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/peers.hpp"

#include "config/config.hpp"
#include "mpi/mapped.hpp"
#include "record/entries/message_totals.hpp"
#include "vfd/format.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

namespace vftr::mpi {
namespace {

std::uint64_t hash_of(std::span<const std::uint32_t> ranks) {
    std::uint64_t hash = ranks.size();
    for (const std::uint32_t rank : ranks)
        hash = (hash ^ rank) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

// Whether each rank is the previous one plus `stride`.
bool regular(std::span<const std::uint32_t> ranks, std::int32_t& stride) {
    stride = ranks.size() < 2 ? 0 : static_cast<std::int32_t>(ranks[1] - ranks[0]);
    for (std::size_t i = 1; i < ranks.size(); ++i)
        if (ranks[i] - ranks[i - 1] != static_cast<std::uint32_t>(stride))
            return false;
    return true;
}

bool equal(const Group& group, std::span<const std::uint32_t> ranks) {
    if (group.size() != ranks.size())
        return false;
    for (std::uint32_t i = 0; i < group.size(); ++i)
        if (group.rank(i) != ranks[i])
            return false;
    return true;
}

} // namespace

bool Selection::listed(std::uint32_t rank) const { return !(rank & vfd::ForeignRank) && ranks_->contains(rank); }

std::uint32_t Group::lowest() const {
    if (ranks_)
        return *std::min_element(ranks_, ranks_ + size_);
    return std::min(rank(0), rank(size_ - 1));
}

// Two threads may do this at once; both get the same id.
std::uint32_t Group::intern() const {
    const Mapped<std::uint32_t> members(selected_);
    if (!members)
        return 0;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < size_; ++i)
        if (selection.has(rank(i)))
            members[count++] = rank(i);
    const std::uint32_t id = record::intern_group({members.begin(), count});
    id_.store(id, std::memory_order_relaxed);
    return id;
}

const Group* Groups::of(std::span<const std::uint32_t> ranks) {
    const std::uint64_t hash = hash_of(ranks);
    const std::lock_guard hold(lock_);
    Group*& bucket = buckets_[hash % Buckets];
    for (const Group* group = bucket; group; group = group->next_)
        if (group->hash_ == hash && equal(*group, ranks))
            return group;
    Group* group = make(ranks);
    if (group) {
        group->hash_ = hash;
        group->next_ = bucket;
        bucket = group;
    }
    return group;
}

Group* Groups::make(std::span<const std::uint32_t> ranks) {
    std::int32_t stride = 0;
    std::uint32_t* copy = nullptr;
    if (!regular(ranks, stride)) {
        copy = static_cast<std::uint32_t*>(take(ranks.size_bytes()));
        if (!copy)
            return nullptr;
        std::copy(ranks.begin(), ranks.end(), copy);
    }
    void* place = take(sizeof(Group));
    if (!place)
        return nullptr;
    auto* group = new (place) Group{};
    group->ranks_ = copy;
    group->size_ = static_cast<std::uint32_t>(ranks.size());
    group->first_ = ranks.empty() ? 0 : ranks[0];
    group->stride_ = stride;
    const auto own = std::find(ranks.begin(), ranks.end(), own_rank_);
    group->own_place_ = own == ranks.end() ? -1 : static_cast<std::int32_t>(own - ranks.begin());
    group->selected_ = static_cast<std::uint32_t>(
        std::count_if(ranks.begin(), ranks.end(), [](std::uint32_t rank) { return selection.has(rank); }));
    group->selected_others_ = group->selected_ - (group->own_place_ >= 0 && selection.has(own_rank_) ? 1 : 0);
    return group;
}

void* Groups::take(std::size_t bytes) {
    bytes = (bytes + 15) / 16 * 16;
    if (bytes > room_bytes_) {
        const std::size_t chunk = std::max<std::size_t>(base::round_to_pages(bytes), 1 << 16);
        auto* fresh = static_cast<std::byte*>(base::map_anonymous(chunk));
        if (!fresh)
            return nullptr;
        room_ = fresh;
        room_bytes_ = chunk;
    }
    void* place = room_;
    room_ += bytes;
    room_bytes_ -= bytes;
    return place;
}

} // namespace vftr::mpi
