// SPDX-License-Identifier: BSD-3-Clause
//
// Groups of ranks as messages need them: the rank of each member in MPI_COMM_WORLD, and one id for all members
// together.
//
// Groups are never freed. Programs make communicators over and over, but from few different groups. Therefore equal
// groups are one object, and a message that is under way on a freed communicator may go on using its group. Nearly all
// groups are regular (all ranks, a row or a column of a grid); these take the same few bytes whatever the number of
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

// The ranks that take part in messages (mpi.only_for_ranks). Ranks of other jobs take part only if all ranks do.
class Selection {
public:
    // To be called before the first message. The pointer `ranks` is kept; null means all ranks.
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
    // The rank of the member with index `place`, which is below size(); with the bit vfd::ForeignRank for a member of
    // another job.
    std::uint32_t rank(std::uint32_t place) const {
        return ranks_ ? ranks_[place] : first_ + place * static_cast<std::uint32_t>(stride_);
    }
    std::int32_t own_place() const { return own_place_; } // -1 if this process is no member
    // The lowest of all ranks. A group has at least one member.
    std::uint32_t lowest() const;
    // Equal for equal groups of all ranks of the job.
    std::uint64_t hash() const { return hash_; }

    // The recorder's id for the selected members. id() is 0 if no member is selected, and id_of_others() if none but
    // this process is; both are 0 if nothing is recorded now.
    std::uint32_t id() const { return selected_ == 0 ? 0 : known_id(); }
    std::uint32_t id_of_others() const { return selected_others_ == 0 ? 0 : known_id(); }

private:
    friend class Groups;
    std::uint32_t known_id() const {
        const std::uint32_t id = id_.load(std::memory_order_relaxed);
        return id != 0 ? id : intern();
    }
    std::uint32_t intern() const;

    Group* next_; // the next group in the same bucket
    std::uint64_t hash_;
    const std::uint32_t* ranks_; // null for a regular group
    std::uint32_t size_, first_;
    std::int32_t stride_, own_place_;
    std::uint32_t selected_, selected_others_; // numbers of members
    mutable std::atomic<std::uint32_t> id_;
};

// All groups of the process. Any thread may use it.
class Groups {
public:
    void set_own_rank(std::uint32_t rank) { own_rank_ = rank; } // to be called before the first group is made
    // Returns the group of these ranks, or nullptr if there is no memory.
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
