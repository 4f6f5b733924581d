// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/star.hpp"

#include "analysis/merge/serialize.hpp"
#include "mpi/mpi_link.hpp"
#include "mpi/stids.hpp"
#include "vfd/image.hpp"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace vftr::mpi {

using analysis::Profile;

// What a rank reports in round 1.
struct Star::Head {
    std::uint64_t bytes;             // of its profile
    std::uint64_t until_realtime_ns; // the CLOCK_REALTIME until which it waits
    std::uint32_t nodes;             // call paths of the profile
    bool stids, clocks;              // what it asks for
};

struct Star::Decision {
    Way way;
    bool stids; // round 4 takes place
};

struct Star::Mail {
    Head head{};
    std::vector<Head> heads;
    Decision decision{};
    std::vector<Decision> decisions;
    std::vector<std::byte> bytes, all_bytes;
    Stids stids, all_stids;
    std::vector<int> counts, places; // in bytes
};

namespace {

std::uint64_t realtime_ns() {
    timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t to_ns(Clock::duration duration) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(std::chrono::nanoseconds(duration).count(), 0));
}

// A rank that waits no longer than this is treated as one that has given up, because the clocks of two machines differ.
std::uint64_t margin_ns(double timeout_s) { return to_ns(to_duration(std::min(timeout_s / 8, 0.25))); }

int byte_count(std::size_t stids) { return static_cast<int>(stids * sizeof(Stids::value_type)); }

std::vector<int> places_of(const std::vector<int>& counts) {
    std::vector<int> places(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    return places;
}

Profile profile_in(std::span<const std::byte> bytes, int rank) {
    try {
        return analysis::deserialize(bytes, "rank " + std::to_string(rank));
    } catch (const vfd::Error&) {
        return {};
    }
}

} // namespace

Star::Star(MPI_Comm world, int rank, int size, const Profile& mine, const Wishes& wishes, Clock::time_point deadline)
    : world_(world), rank_(rank), size_(size), wishes_(wishes), deadline_(deadline), mail_(std::make_unique<Mail>()) {
    if (rank_ != 0)
        mail_->bytes = analysis::serialize(mine);
    else
        mail_->heads.resize(static_cast<std::size_t>(size_));
    mail_->head = {mail_->bytes.size(), realtime_ns() + to_ns(deadline - Clock::now()),
                   static_cast<std::uint32_t>(mine.nodes.size()), wishes.stids && rank_ != 0, wishes.clocks};
}

Star::~Star() {
    if (!quiet_)
        (void)mail_.release();
}

// Returns false on an error, or if the operation is still under way.
bool Star::settled(int error, MPI_Request& request, Clock::time_point until) {
    if (error == MPI_SUCCESS && wait_for(until, request))
        return true;
    quiet_ = false;
    return false;
}

Star::Decision Star::judge() const {
    const std::uint64_t now = realtime_ns() + margin_ns(wishes_.timeout_s);
    std::uint64_t bytes = 0;
    bool stids = false, clocks = true;
    for (const Head& head : mail_->heads) {
        if (head.until_realtime_ns < now)
            return {Way::Alone, false};
        bytes += std::min(head.bytes, MostBytes + 1);
        stids |= head.stids;
        clocks &= head.clocks;
    }
    return {clocks || bytes > MostBytes ? Way::Tree : Way::Together, stids};
}

Star::Way Star::meet_as_first(MPI_Request& heads) {
    const bool all_came = settled(MPI_SUCCESS, heads, deadline_);
    mail_->decisions.assign(static_cast<std::size_t>(size_), all_came ? judge() : Decision{Way::Alone, false});
    const Way way = mail_->decisions[0].way;
    MPI_Request decision;
    const int error = VFTR_PMPI(PMPI_Iscatter)(mail_->decisions.data(), sizeof(Decision), VFTR_BYTE, &mail_->decision,
                                               sizeof(Decision), VFTR_BYTE, 0, world_, &decision);
    const auto until =
        way == Way::Alone ? Clock::now() : Clock::now() + to_duration(least_for_the_tree(wishes_.timeout_s));
    return settled(error, decision, until) ? way : Way::Alone;
}

Star::Way Star::meet() {
    MPI_Request heads, decision;
    if (VFTR_PMPI(PMPI_Igather)(&mail_->head, sizeof(Head), VFTR_BYTE, mail_->heads.data(), sizeof(Head), VFTR_BYTE, 0,
                                world_, &heads) != MPI_SUCCESS) {
        quiet_ = false;
        return Way::TimedOut;
    }
    if (rank_ == 0)
        return meet_as_first(heads);
    const int error = VFTR_PMPI(PMPI_Iscatter)(nullptr, sizeof(Decision), VFTR_BYTE, &mail_->decision, sizeof(Decision),
                                               VFTR_BYTE, 0, world_, &decision);
    if (!settled(error, decision, deadline_))
        return Way::TimedOut;
    // Rank 0 has received this rank's message already, so this takes no time.
    settled(MPI_SUCCESS, heads, Clock::now() + to_duration(least_for_the_tree(wishes_.timeout_s)));
    return mail_->decision.way;
}

bool Star::gather(Clock::time_point until) {
    Mail& m = *mail_;
    if (rank_ == 0) {
        for (const Head& head : m.heads)
            m.counts.push_back(static_cast<int>(head.bytes));
        m.places = places_of(m.counts);
        m.all_bytes.resize(static_cast<std::size_t>(m.places.back()) + static_cast<std::size_t>(m.counts.back()));
    }
    MPI_Request request;
    const int error =
        VFTR_PMPI(PMPI_Igatherv)(m.bytes.data(), static_cast<int>(m.bytes.size()), VFTR_BYTE, m.all_bytes.data(),
                                 m.counts.data(), m.places.data(), VFTR_BYTE, 0, world_, &request);
    return settled(error, request, until);
}

// `counts`: on rank 0, the bytes of all_stids for each rank.
bool Star::scatter(std::vector<int> counts, Clock::time_point until) {
    Mail& m = *mail_;
    m.counts = std::move(counts);
    m.places = places_of(m.counts);
    MPI_Request request;
    const int error =
        VFTR_PMPI(PMPI_Iscatterv)(m.all_stids.data(), m.counts.data(), m.places.data(), VFTR_BYTE, m.stids.data(),
                                  byte_count(m.stids.size()), VFTR_BYTE, 0, world_, &request);
    return settled(error, request, until);
}

Collated Star::take_all(Profile mine) {
    const auto until = std::max(deadline_, Clock::now() + to_duration(least_for_the_tree(wishes_.timeout_s)));
    Collated result{};
    if (!gather(until)) {
        result.others.missing_ranks.add(1, size_ - 1);
        return result;
    }
    std::vector<MergedRank> parts;
    for (int rank = 1; rank < size_; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        Profile profile = profile_in(
            std::span(mail_->all_bytes).subspan(static_cast<std::size_t>(mail_->places[at]), mail_->heads[at].bytes),
            rank);
        if (profile.rank_count == 0)
            result.others.missing_ranks.add(rank);
        MergedRank part{rank, analysis::merge(result.others, std::move(profile))};
        if (!mail_->heads[at].stids)
            part.place.clear();
        parts.push_back(std::move(part));
    }
    result.complete = result.others.missing_ranks.empty();
    if (!mail_->decisions[0].stids)
        return result;
    result.numbering = number_job(std::move(mine), result.others);
    const Stids whole = stids_in(result.numbering, result.others);
    std::vector<int> counts{0};
    for (const MergedRank& part : parts) {
        const Head& head = mail_->heads[static_cast<std::size_t>(part.rank)];
        Stids stids;
        if (head.stids) { // as many as that rank expects, even if its profile was not readable
            stids = of_part(whole, part);
            stids.resize(head.nodes + std::size_t{1});
        }
        mail_->all_stids.insert(mail_->all_stids.end(), stids.begin(), stids.end());
        counts.push_back(byte_count(stids.size()));
    }
    scatter(std::move(counts), until);
    return result;
}

Collated Star::send_mine(const Profile& mine) {
    const auto until = std::max(deadline_, Clock::now() + to_duration(least_for_the_tree(wishes_.timeout_s)));
    Collated result{};
    result.complete = gather(until);
    if (!result.complete || !mail_->decision.stids)
        return result;
    if (mail_->head.stids)
        mail_->stids.resize(mail_->head.nodes + std::size_t{1});
    if (scatter({}, until) && mail_->head.stids)
        result.numbering = numbered(analysis::numbering_of(mine), mail_->stids);
    return result;
}

Collated Star::collate(Profile mine) { return rank_ == 0 ? take_all(std::move(mine)) : send_mine(mine); }

} // namespace vftr::mpi
