// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/groups.hpp"

#include "mpi/guard.hpp"
#include "mpi/handle_table.hpp"
#include "mpi/mapped.hpp"
#include "record/timing/one_time_work_scope.hpp"

#include <algorithm>
#include <cstring>

namespace vftr::mpi {
namespace {

// A topology is one mapping: this struct, then the ranks.
struct Topology {
    std::size_t bytes;
    std::uint32_t sources, destinations;
    int* ranks() { return reinterpret_cast<int*>(this + 1); }
};

constinit base::SpinLock lock; // protects all that follows
constinit HandleTable<Communicator> communicators;
constinit HandleTable<const Group*> windows;
constinit HandleTable<Topology*> topologies;
constinit HandleTable<Communicator> messages;
constinit HandleTable<std::uint32_t> children;    // by parent: how many calls have made communicators of its members
constinit HandleTable<std::uint32_t> repetitions; // by hash: how many calls of the members of a child were equal in all
MPI_Group world_group;
constinit Communicator world{};
constinit bool ready = false;

// The remote groups of communicators that connect this job with others. There are few; they are kept as long as MPI
// runs.
constexpr std::size_t MaxForeign = 1024;
MPI_Group foreign[MaxForeign];
constinit std::size_t foreign_count = 0;

template <class Value>
bool look_up(HandleTable<Value>& table, std::uint64_t handle, Value& value) {
    const Guard guard(lock);
    const Value* known = table.find(handle);
    if (known)
        value = *known;
    return known;
}

template <class Value>
void keep(HandleTable<Value>& table, std::uint64_t handle, const Value& value) {
    const Guard guard(lock);
    table.insert(handle, value);
}

// Numbers those members that are not in this job's MPI_COMM_WORLD: by their index in the remote group of the
// communicator that connected the jobs, or else by their index in `group`.
void name_foreign(MPI_Group group, int size, const int* places, const int* world_ranks, std::uint32_t* ranks,
                  int* scratch) {
    for (int i = 0; i < size; ++i)
        if (world_ranks[i] == MPI_UNDEFINED)
            ranks[i] = vfd::ForeignRank | static_cast<std::uint32_t>(i);
    // The earliest connection wins, because it is written last.
    for (std::size_t n = foreign_count; n-- > 0;) {
        if (library.Group_translate_ranks(group, size, places, foreign[n], scratch) != MPI_SUCCESS)
            continue;
        for (int i = 0; i < size; ++i)
            if (world_ranks[i] == MPI_UNDEFINED && scratch[i] != MPI_UNDEFINED)
                ranks[i] = vfd::ForeignRank | static_cast<std::uint32_t>(scratch[i]);
    }
}

const Group* group_of(MPI_Group group) {
    int size = 0;
    if (library.Group_size(group, &size) != MPI_SUCCESS || size < 0)
        return nullptr;
    const auto n = static_cast<std::size_t>(size);
    const Mapped<int> places(n), world_ranks(n), scratch(n);
    const Mapped<std::uint32_t> ranks(n);
    if (!places || !world_ranks || !scratch || !ranks)
        return nullptr;
    for (int i = 0; i < size; ++i)
        places[i] = i;
    if (library.Group_translate_ranks(group, size, places.begin(), world_group, world_ranks.begin()) != MPI_SUCCESS)
        return nullptr;
    bool all_ours = true;
    for (int i = 0; i < size; ++i) {
        all_ours = all_ours && world_ranks[i] != MPI_UNDEFINED;
        ranks[i] = static_cast<std::uint32_t>(world_ranks[i]);
    }
    if (!all_ours)
        name_foreign(group, size, places.begin(), world_ranks.begin(), ranks.begin(), scratch.begin());
    return groups.of({ranks.begin(), n});
}

// Gets a group, translates it, and frees it.
template <class Ask>
const Group* asked(Ask ask) {
    MPI_Group group;
    if (ask(&group) != MPI_SUCCESS)
        return nullptr;
    const Group* known = group_of(group);
    library.Group_free(&group);
    return known;
}

Communicator ask_communicator(MPI_Comm comm) {
    const record::OneTimeWork work;
    Communicator fresh{};
    int inter = 0;
    if (library.Comm_test_inter(comm, &inter) != MPI_SUCCESS)
        return {};
    if (inter) {
        fresh.remote = asked([&](MPI_Group* group) { return library.Comm_remote_group(comm, group); });
        if (!fresh.remote)
            return {};
    }
    fresh.local = asked([&](MPI_Group* group) { return library.Comm_group(comm, group); });
    return fresh;
}

// For an intercommunicator the same on both sides.
std::uint64_t members_of(const Communicator& comm) {
    if (!comm.remote)
        return comm.local->hash();
    const std::uint64_t local = comm.local->hash(), remote = comm.remote->hash();
    return mixed_with(std::min(local, remote), std::max(local, remote));
}

std::uint32_t lowest_of(const Communicator& comm) {
    const std::uint32_t lowest = comm.local->lowest();
    return comm.remote ? std::min(lowest, comm.remote->lowest()) : lowest;
}

// Returns the old value of a counter and adds 1 to it.
std::uint32_t count_up(HandleTable<std::uint32_t>& table, std::uint64_t key) {
    const Guard guard(lock);
    if (std::uint32_t* known = table.find(key))
        return (*known)++;
    table.insert(key, 1);
    return 0;
}

struct Degrees {
    int kind = MPI_UNDEFINED, in = 0, out = 0;
};

Degrees degrees_of(MPI_Comm comm) {
    Degrees degrees;
    if (library.Topo_test(comm, &degrees.kind) != MPI_SUCCESS)
        return {};
    int weighted = 0, rank = 0;
    if (degrees.kind == MPI_CART) {
        library.Cartdim_get(comm, &degrees.in);
        degrees.out = degrees.in *= 2;
    } else if (degrees.kind == MPI_GRAPH) {
        library.Comm_rank(comm, &rank);
        library.Graph_neighbors_count(comm, rank, &degrees.in);
        degrees.out = degrees.in;
    } else if (degrees.kind == MPI_DIST_GRAPH) {
        library.Dist_graph_neighbors_count(comm, &degrees.in, &degrees.out, &weighted);
    }
    return degrees;
}

void ask_neighbours(MPI_Comm comm, const Degrees& degrees, int* sources, int* destinations) {
    if (degrees.kind == MPI_CART) {
        for (int i = 0; 2 * i < degrees.in; ++i)
            library.Cart_shift(comm, i, 1, &sources[2 * i], &sources[2 * i + 1]);
        std::memcpy(destinations, sources, static_cast<std::size_t>(degrees.in) * sizeof(int));
    } else if (degrees.kind == MPI_GRAPH) {
        int rank = 0;
        library.Comm_rank(comm, &rank);
        library.Graph_neighbors(comm, rank, degrees.in, sources);
        std::memcpy(destinations, sources, static_cast<std::size_t>(degrees.in) * sizeof(int));
    } else {
        const Mapped<int> in_weights(static_cast<std::size_t>(degrees.in)),
            out_weights(static_cast<std::size_t>(degrees.out));
        if (in_weights && out_weights)
            library.Dist_graph_neighbors(comm, degrees.in, sources, in_weights.begin(), degrees.out, destinations,
                                         out_weights.begin());
    }
}

Topology* ask_topology(MPI_Comm comm) {
    const record::OneTimeWork work;
    const Degrees degrees = degrees_of(comm);
    const std::size_t ranks = static_cast<std::size_t>(degrees.in) + static_cast<std::size_t>(degrees.out);
    const std::size_t bytes = sizeof(Topology) + ranks * sizeof(int);
    auto* topology = static_cast<Topology*>(base::map_anonymous(bytes));
    if (!topology)
        return nullptr;
    *topology = {bytes, static_cast<std::uint32_t>(degrees.in), static_cast<std::uint32_t>(degrees.out)};
    for (std::size_t i = 0; i < ranks; ++i)
        topology->ranks()[i] = MPI_PROC_NULL;
    if (ranks != 0)
        ask_neighbours(comm, degrees, topology->ranks(), topology->ranks() + degrees.in);
    return topology;
}

} // namespace

void begin_groups(MPI_Group group, std::uint32_t own_rank) {
    world_group = group;
    groups.set_own_rank(own_rank);
    world.local = group_of(group);
    ready = world.local;
}

void end_groups() {
    if (!ready)
        return;
    ready = false;
    while (foreign_count > 0)
        library.Group_free(&foreign[--foreign_count]);
    library.Group_free(&world_group);
}

const Communicator* known_communicator(MPI_Comm comm) {
    if (VFTR_UNLIKELY(!ready || threads_share.load(std::memory_order_relaxed)))
        return nullptr;
    return VFTR_LIKELY(comm == library.world) ? &world : communicators.find(key_of(comm));
}

Communicator communicator(MPI_Comm comm) {
    if (comm == library.world)
        return world;
    Communicator known{};
    if (!ready || comm == library.no_comm || look_up(communicators, key_of(comm), known))
        return known;
    known = ask_communicator(comm);
    if (known) {
        known.number = number_of(MadeBy::Unknown, {members_of(known)});
        keep(communicators, key_of(comm), known);
    }
    return known;
}

void learn_child(MPI_Comm parent, MPI_Comm child) {
    const Communicator made_of = communicator(parent);
    if (!made_of)
        return;
    const std::uint32_t before = count_up(children, key_of(parent));
    if (child == library.no_comm)
        return;
    if (Communicator known = ask_communicator(child)) {
        known.number = number_of(MadeBy::Parent, {made_of.number, before, lowest_of(known)});
        keep(communicators, key_of(child), known);
    }
}

void learn_copy(MPI_Comm parent, MPI_Comm child) {
    Communicator known = communicator(parent);
    if (!known)
        return;
    const std::uint32_t before = count_up(children, key_of(parent));
    known.number = number_of(MadeBy::Parent, {known.number, before, lowest_of(known)});
    if (child != library.no_comm)
        keep(communicators, key_of(child), known);
}

void learn_child_of_members(MPI_Comm parent, int tag, MPI_Comm child) {
    if (!ready || child == library.no_comm)
        return;
    const CommunicatorNumber above = parent == MPI_Comm{} ? WorldNumber : communicator(parent).number;
    if (Communicator known = ask_communicator(child)) {
        const std::uint64_t members = members_of(known), tagged = static_cast<std::uint32_t>(tag);
        const std::uint32_t before = count_up(repetitions, number_of(MadeBy::Members, {above, tagged, members}));
        known.number = number_of(MadeBy::Members, {above, tagged, members, before});
        keep(communicators, key_of(child), known);
    }
}

const Group* window(MPI_Win win) {
    const Group* known = nullptr;
    if (!ready || win == library.no_window || look_up(windows, key_of(win), known))
        return known;
    const record::OneTimeWork work;
    known = asked([&](MPI_Group* group) { return library.Win_get_group(win, group); });
    if (known)
        keep(windows, key_of(win), known);
    return known;
}

Neighbours neighbours_of(MPI_Comm comm) {
    Topology* topology = nullptr;
    if (!ready)
        return {};
    if (!look_up(topologies, key_of(comm), topology)) {
        topology = ask_topology(comm);
        if (topology)
            keep(topologies, key_of(comm), topology);
    }
    if (!topology)
        return {};
    return {{topology->ranks(), topology->sources}, {topology->ranks() + topology->sources, topology->destinations}};
}

void learn_foreign(MPI_Comm comm) {
    int inter = 0;
    Communicator known{};
    if (!ready || comm == library.no_comm || look_up(communicators, key_of(comm), known) ||
        library.Comm_test_inter(comm, &inter) != MPI_SUCCESS || !inter)
        return;
    MPI_Group group;
    if (library.Comm_remote_group(comm, &group) != MPI_SUCCESS)
        return;
    bool kept = false;
    {
        const Guard guard(lock);
        kept = foreign_count < MaxForeign;
        if (kept)
            foreign[foreign_count++] = group;
    }
    if (!kept)
        library.Group_free(&group);
    communicator(comm);
}

void forget_communicator(std::uint64_t comm) {
    const Guard guard(lock);
    communicators.forget(comm);
    children.forget(comm);
    Topology* topology = nullptr;
    if (topologies.forget(comm, &topology))
        base::unmap(topology, topology->bytes);
}

void forget_window(std::uint64_t win) {
    const Guard guard(lock);
    windows.forget(win);
}

void keep_message(MPI_Message message, const Communicator& comm) { keep(messages, key_of(message), comm); }

Communicator take_message(std::uint64_t message) {
    Communicator comm{};
    const Guard guard(lock);
    messages.forget(message, &comm);
    return comm;
}

} // namespace vftr::mpi
