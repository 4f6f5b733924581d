// SPDX-License-Identifier: BSD-3-Clause
#include "export/otf2/mpi.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace vftr::exports {

namespace {

struct CollectiveFunction {
    std::string_view name;
    OTF2_CollectiveOp operation;
    OTF2_RegionRole role;
    bool rooted = false;
};

constexpr CollectiveFunction Collectives[] = {
    {"Barrier", OTF2_COLLECTIVE_OP_BARRIER, OTF2_REGION_ROLE_BARRIER},
    {"Bcast", OTF2_COLLECTIVE_OP_BCAST, OTF2_REGION_ROLE_COLL_ONE2ALL, true},
    {"Gather", OTF2_COLLECTIVE_OP_GATHER, OTF2_REGION_ROLE_COLL_ALL2ONE, true},
    {"Gatherv", OTF2_COLLECTIVE_OP_GATHERV, OTF2_REGION_ROLE_COLL_ALL2ONE, true},
    {"Scatter", OTF2_COLLECTIVE_OP_SCATTER, OTF2_REGION_ROLE_COLL_ONE2ALL, true},
    {"Scatterv", OTF2_COLLECTIVE_OP_SCATTERV, OTF2_REGION_ROLE_COLL_ONE2ALL, true},
    {"Allgather", OTF2_COLLECTIVE_OP_ALLGATHER, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"Reduce", OTF2_COLLECTIVE_OP_REDUCE, OTF2_REGION_ROLE_COLL_ALL2ONE, true},
    {"Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {"Scan", OTF2_COLLECTIVE_OP_SCAN, OTF2_REGION_ROLE_COLL_OTHER},
    {"Exscan", OTF2_COLLECTIVE_OP_EXSCAN, OTF2_REGION_ROLE_COLL_OTHER},
    // OTF2 does not know neighbours.
    {"Neighbor_allgather", OTF2_COLLECTIVE_OP_ALLGATHER, OTF2_REGION_ROLE_COLL_OTHER},
    {"Neighbor_allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV, OTF2_REGION_ROLE_COLL_OTHER},
    {"Neighbor_alltoall", OTF2_COLLECTIVE_OP_ALLTOALL, OTF2_REGION_ROLE_COLL_OTHER},
    {"Neighbor_alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV, OTF2_REGION_ROLE_COLL_OTHER},
    {"Neighbor_alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW, OTF2_REGION_ROLE_COLL_OTHER},
};

// Blocking ones; also those that begin one of them.
constexpr std::string_view PointToPoint[] = {"Send", "Bsend", "Ssend",    "Rsend",
                                             "Recv", "Mrecv", "Sendrecv", "Sendrecv_replace"};
constexpr std::string_view PointToPointBegins[] = {"Wait",    "Test",  "Probe",  "Mprobe",  "Iprobe",
                                                   "Improbe", "Start", "Pready", "Parrived"};
constexpr std::string_view OneSidedBegins[] = {"Put",  "Get",  "Accumulate",  "Fetch_and_op", "Compare_and_swap",
                                               "Rput", "Rget", "Raccumulate", "Win_"};
// These begin like others of the list above.
constexpr std::string_view NotOneSided[] = {"Get_address",         "Get_count",          "Get_elements",
                                            "Get_library_version", "Get_processor_name", "Get_version"};
constexpr std::string_view NotPointToPoint[] = {"Test_cancelled"};
constexpr std::string_view MakesWindow[] = {"Win_create", "Win_create_dynamic", "Win_allocate", "Win_allocate_shared"};

bool begins_like(std::string_view name, const auto& list) {
    for (const std::string_view begin : list)
        if (name.starts_with(begin))
            return true;
    return false;
}

// A function that blocks, or what one that does not block does then.
bool find_blocking(std::string_view name, Otf2MpiFunction& function) {
    for (const CollectiveFunction& collective : Collectives)
        if (name == collective.name) {
            function.role = collective.role;
            function.collective = collective.operation;
            function.rooted = collective.rooted;
            return true;
        }
    for (const std::string_view known : PointToPoint)
        if (name == known) {
            function.role = OTF2_REGION_ROLE_POINT2POINT;
            return true;
        }
    return false;
}

} // namespace

Otf2MpiFunction otf2_mpi_function(std::string_view name) {
    constexpr std::string_view Prefix = "MPI_", LargeCount = "_c";
    Otf2MpiFunction function;
    if (!name.starts_with(Prefix))
        return function;
    name.remove_prefix(Prefix.size());
    if (name.ends_with(LargeCount))
        name.remove_suffix(LargeCount.size());
    if (find_blocking(name, function))
        return function;
    if (name.starts_with('I') && name.size() > 1) { // Isend, Ibcast
        std::string blocking(name.substr(1));
        blocking[0] = static_cast<char>(blocking[0] - 'a' + 'A');
        if (find_blocking(blocking, function)) {
            function.starts = true;
            return function;
        }
    }
    if (begins_like(name, PointToPointBegins) && !begins_like(name, NotPointToPoint)) {
        function.role = OTF2_REGION_ROLE_POINT2POINT;
        function.starts = name.starts_with("Start");
    } else if (begins_like(name, OneSidedBegins) && !begins_like(name, NotOneSided)) {
        function.role = OTF2_REGION_ROLE_RMA;
        function.starts = name.starts_with('R');
        function.windows = std::ranges::find(MakesWindow, name) != std::end(MakesWindow) ? 1
                           : name == "Win_free"                                          ? -1
                                                                                         : 0;
    } else if (name.starts_with("File_"))
        function.role = OTF2_REGION_ROLE_FILE_IO;
    return function;
}

} // namespace vftr::exports
