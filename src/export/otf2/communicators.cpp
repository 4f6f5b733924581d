// SPDX-License-Identifier: BSD-3-Clause
#include "export/otf2/communicators.hpp"

#include "export/otf2/archive.hpp"
#include "export/otf2/regions.hpp"

#include <algorithm>
#include <cstdio>

namespace vftr::exports {

namespace {

using analysis::RunThread;
using analysis::RunTimeline;
using analysis::TimelineCollective;
using analysis::TimelineMessage;

constexpr std::uint32_t NoMembers = ~std::uint32_t{0};
// More ranks than that are taken for damage, as OTF2 could not have them.
constexpr std::uint32_t MostJobRanks = 1 << 21;

bool is_foreign(std::uint32_t rank) { return rank & vfd::ForeignRank; }

std::uint32_t last_of(const vfd::GroupRun& run) {
    return run.first + (run.count - 1) * static_cast<std::uint32_t>(run.stride);
}

bool same_runs(const std::vector<vfd::GroupRun>& a, std::span<const vfd::GroupRun> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const vfd::GroupRun& x, const vfd::GroupRun& y) {
        return x.first == y.first && x.stride == y.stride && x.count == y.count;
    });
}

std::uint32_t size_of(const std::vector<vfd::GroupRun>& runs) {
    std::uint32_t size = 0;
    for (const vfd::GroupRun& run : runs)
        size += run.count;
    return size;
}

// The place of a rank in a group.
std::optional<std::uint32_t> place_in(const std::vector<vfd::GroupRun>& runs, std::uint32_t rank) {
    std::uint32_t before = 0;
    for (const vfd::GroupRun& run : runs) {
        const std::int64_t distance = std::int64_t{rank} - std::int64_t{run.first};
        const std::int64_t stride = run.stride != 0 ? run.stride : 1;
        if (distance % stride == 0 && distance / stride >= 0 && distance / stride < run.count)
            return before + static_cast<std::uint32_t>(distance / stride);
        before += run.count;
    }
    return std::nullopt;
}

} // namespace

// Collects the members of communicators from the calls of one thread.
class Otf2Communicators::Survey final : public analysis::TimelineVisitor {
public:
    Survey(Otf2Communicators& all, const Otf2Regions& regions, std::uint32_t own)
        : all_(all), regions_(regions), own_(own) {}

    void enter(std::uint64_t, std::uint32_t) override {}
    void leave(std::uint64_t, std::uint32_t) override {}
    void message(const TimelineMessage& message) override {
        if (message.group || is_foreign(message.peer))
            return;
        see_rank(message.peer);
        if (message.tag < 0)
            all_.one_sided_ |= regions_.mpi_function(message.path).role == OTF2_REGION_ROLE_RMA;
        else if (message.communicator != 0)
            all_.of_number_[message.communicator];
    }
    void collective(const TimelineCollective& collective) override {
        const vfd::GroupView* group = collective.group;
        if (!group || group->size == 0)
            return;
        const auto [place, is_new] = all_.of_group_.try_emplace({group, collective.communicator}, 0u);
        if (is_new)
            place->second = index_of(*group, collective.communicator);
    }

private:
    void see_rank(std::uint32_t rank) {
        if (rank < MostJobRanks)
            all_.ranks_ = std::max(all_.ranks_, rank + 1);
    }
    std::uint32_t index_of(const vfd::GroupView& group, std::uint32_t number) {
        std::vector<std::uint32_t>& known = all_.of_number_[number];
        auto found = std::find_if(known.begin(), known.end(),
                                  [&](std::uint32_t i) { return same_runs(all_.members_[i].runs, group.runs); });
        if (found == known.end()) {
            found = known.insert(found, static_cast<std::uint32_t>(all_.members_.size()));
            all_.members_.push_back({number, Runs(group.runs.begin(), group.runs.end())});
            Members& members = all_.members_.back();
            members.usable = std::all_of(group.runs.begin(), group.runs.end(), [](const vfd::GroupRun& run) {
                return std::max(run.first, last_of(run)) < MostJobRanks;
            });
            if (members.usable)
                for (const vfd::GroupRun& run : group.runs)
                    see_rank(std::max(run.first, last_of(run)));
        }
        (group.has(own_) ? all_.members_[*found].has_caller : all_.members_[*found].lacks_caller) = true;
        return *found;
    }

    Otf2Communicators& all_;
    const Otf2Regions& regions_;
    std::uint32_t own_;
};

Otf2Communicators::Otf2Communicators(const RunTimeline& run, const Otf2Regions& regions)
    : one_sided_(regions.make_windows()) {
    for (const analysis::RunProcess& process : run.processes()) {
        const vfd::FileHeader header = process.image->header();
        if (!(header.flags & vfd::FlagMpi))
            continue;
        ranks_ = std::max(ranks_, process.rank + 1);
        if (header.size > 0 && static_cast<std::uint32_t>(header.size) <= MostJobRanks)
            ranks_ = std::max(ranks_, static_cast<std::uint32_t>(header.size));
    }
    for (const RunThread& thread : run.threads()) {
        if (thread.messages == 0 && thread.collectives == 0)
            continue;
        Survey survey(*this, regions, run.processes()[thread.process].rank);
        run.visit(thread, survey);
    }
    number_communicators();
}

void Otf2Communicators::number_communicators() {
    communicators_.push_back({0});
    of_number_.erase(0);
    for (const auto& [number, all] : of_number_) {
        std::vector<std::uint32_t> sides;
        for (const std::uint32_t i : all) {
            Members& members = members_[i];
            if (members.usable && !members.has_caller)
                sides.push_back(i);
            if (!members.usable || !members.has_caller)
                continue;
            members.communicator = static_cast<std::uint32_t>(communicators_.size());
            communicators_.push_back({number, i});
        }
        if (sides.size() == 2) {
            for (const std::uint32_t i : sides)
                members_[i].communicator = static_cast<std::uint32_t>(communicators_.size());
            communicators_.push_back({number, sides[0], sides[1]});
        } else
            for (const std::uint32_t i : sides)
                members_[i].usable = false;
        if (std::none_of(all.begin(), all.end(), [&](std::uint32_t i) { return members_[i].usable; })) {
            without_members_[number] = static_cast<std::uint32_t>(communicators_.size());
            communicators_.push_back({number});
        }
    }
}

// How many members of its communicator stand before those of this side.
std::uint32_t Otf2Communicators::before(const Members& members) const {
    const Communicator& communicator = communicators_[members.communicator];
    const bool second = communicator.others != NoMembers && &members_[communicator.others] == &members;
    return second ? size_of(members_[communicator.members].runs) : 0;
}

std::optional<Otf2Communicators::Place> Otf2Communicators::partner(std::uint32_t own, std::uint32_t peer,
                                                                   std::uint32_t number) const {
    if (is_foreign(peer) || peer >= ranks_)
        return std::nullopt;
    if (number != 0) {
        if (const auto found = without_members_.find(number); found != without_members_.end())
            return Place{found->second, peer};
        if (const auto all = of_number_.find(number); all != of_number_.end())
            for (const std::uint32_t i : all->second) {
                const Members& members = members_[i];
                if (!members.usable || (members.has_caller && !place_in(members.runs, own)))
                    continue;
                if (const auto place = place_in(members.runs, peer))
                    return Place{members.communicator, before(members) + *place};
            }
    }
    return Place{World, peer};
}

std::optional<Otf2Communicators::Taken> Otf2Communicators::place_of(const TimelineCollective& collective) const {
    const auto found = of_group_.find({collective.group, collective.communicator});
    if (!collective.group || found == of_group_.end())
        return std::nullopt;
    const Members& members = members_[found->second];
    if (!members.usable)
        return std::nullopt;
    if (collective.communicator != 0)
        return Taken{members.communicator, collective.root < 0 ? -1 : before(members) + collective.root,
                     !members.has_caller};
    // The group may be a part of MPI_COMM_WORLD, where only some ranks are recorded.
    std::int64_t root = collective.root;
    for (const vfd::GroupRun& run : members.runs) {
        if (root >= 0 && root < run.count)
            return Taken{World, std::int64_t{run.first} + root * run.stride, false};
        root -= root >= 0 ? run.count : 0;
    }
    return Taken{World, -1, false};
}

std::string Otf2Communicators::name_of(const Communicator& communicator) const {
    if (communicator.number == 0)
        return "MPI_COMM_WORLD";
    char text[32];
    std::snprintf(text, sizeof text, "communicator %08x", communicator.number);
    return text;
}

std::vector<std::uint64_t> Otf2Communicators::ranks_of(const Communicator& communicator) const {
    std::vector<std::uint64_t> ranks;
    if (communicator.members == NoMembers)
        for (std::uint32_t rank = 0; rank < ranks_; ++rank)
            ranks.push_back(rank);
    for (const std::uint32_t side : {communicator.members, communicator.others})
        if (side != NoMembers)
            for (const vfd::GroupRun& run : members_[side].runs)
                for (std::uint32_t i = 0; i < run.count; ++i)
                    ranks.push_back(run.first + i * static_cast<std::uint32_t>(run.stride));
    return ranks;
}

void Otf2Communicators::define(Otf2Definitions& definitions, const std::vector<std::uint64_t>& locations) const {
    OTF2_GlobalDefWriter* writer = definitions.writer();
    const auto group = [&](OTF2_GroupRef id, const std::string& name, OTF2_GroupType type,
                           const std::vector<std::uint64_t>& members) {
        definitions.check(OTF2_GlobalDefWriter_WriteGroup(writer, id, definitions.string(name), type, OTF2_PARADIGM_MPI,
                                                          OTF2_GROUP_FLAG_NONE,
                                                          static_cast<std::uint32_t>(members.size()), members.data()));
    };
    group(0, "ranks", OTF2_GROUP_TYPE_COMM_LOCATIONS, locations);
    for (std::uint32_t id = 0; id < communicators_.size(); ++id) {
        const std::string name = name_of(communicators_[id]);
        group(id + 1, name, OTF2_GROUP_TYPE_COMM_GROUP, ranks_of(communicators_[id]));
        definitions.check(OTF2_GlobalDefWriter_WriteComm(writer, id, definitions.string(name), id + 1,
                                                         OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
    if (has_window())
        definitions.check(OTF2_GlobalDefWriter_WriteRmaWin(writer, 0, definitions.string("all MPI windows"), World,
                                                           OTF2_RMA_WIN_FLAG_NONE));
}

} // namespace vftr::exports
