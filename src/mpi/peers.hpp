// SPDX-License-Identifier: BSD-3-Clause
//
// Groups of ranks as messages need them: the rank in MPI_COMM_WORLD of each member, and a name for all members
// together.
//
// Groups never die. Programs make communicators over and over, but of few different groups; so equal groups are one
// object, and whoever still has a message under way on a communicator that was freed may go on using it. Nearly all
// groups are regular (all ranks, a row, a column of a grid) and then take the same few bytes whatever the number of
// ranks.
#pragma once

#include "base/memory.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vftr::config {
class RankSet;
}

namespace vftr::mpi {

// The ranks that take part in messages (mpi.only_for_ranks). Ranks of other jobs do where all do.
class Selection {
public:
    // Before the first message; `ranks` is kept, null: all.
    void set(const config::RankSet* ranks) { ranks_ = ranks; }
    bool has(std::uint32_t rank) const { return !ranks_ || listed(rank); }

private:
    bool listed(std::uint32_t rank) const;
    const config::RankSet* ranks_ = nullptr;
};
inline constinit Selection selection;

class Group {
public:
    std::uint32_t size() const { return size_; }
    // `place` below size(). With vfd::ForeignRank for a member of another job.
    std::uint32_t rank(std::uint32_t place) const {
        return ranks_ ? ranks_[place] : first_ + place * static_cast<std::uint32_t>(stride_);
    }
    std::int32_t own_place() const { return own_place_; } // -1: this process is no member

    // The id that the recorder has for those of its members that are selected, with and without this process: 0 if
    // there is none, or nothing is recorded now.
    std::uint32_t id() const { return selected_ == 0 ? 0 : known_id(); }
    std::uint32_t id_of_others() const { return selected_others_ == 0 ? 0 : known_id(); }

private:
    friend class Groups;
    std::uint32_t known_id() const {
        const std::uint32_t id = id_.load(std::memory_order_relaxed);
        return id != 0 ? id : intern();
    }
    std::uint32_t intern() const;

    Group* next_; // of the same hash
    std::uint64_t hash_;
    const std::uint32_t* ranks_; // null: regular
    std::uint32_t size_, first_;
    std::int32_t stride_, own_place_;
    std::uint32_t selected_, selected_others_; // members
    mutable std::atomic<std::uint32_t> id_;
};

// All of the process. Any thread.
class Groups {
public:
    void set_own_rank(std::uint32_t rank) { own_rank_ = rank; } // before the first group
    // The group of these ranks; nullptr without memory.
    const Group* of(std::span<const std::uint32_t> ranks);

private:
    Group* make(std::span<const std::uint32_t> ranks);
    void* take(std::size_t bytes);

    static constexpr std::size_t Buckets = 64;
    Group* buckets_[Buckets] = {};
    std::byte* room_ = nullptr;
    std::size_t room_bytes_ = 0;
    std::uint32_t own_rank_ = 0;
    base::SpinLock lock_;
};
inline constinit Groups groups;

} // namespace vftr::mpi
