// SPDX-License-Identifier: BSD-3-Clause
//
// collate() alone, with made-up profiles: collate_check ABSENT_RANK TIMEOUT MEGABYTES. Rank 0 prints what it got.
// collate_check -1 TIMEOUT MEGABYTES world: collate_world(), and each rank says which STIDs it was told.
#include "mpi/collate.hpp"

#include <cstdio>
#include <cstdlib>

using namespace vftr;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int absent = std::atoi(argv[1]);
    const double timeout = std::atof(argv[2]);

    analysis::Profile mine;
    mine.names = {"init", "main"};
    mine.nodes.resize(2);
    mine.nodes[0].kind = vfd::NodeKind::Root;
    mine.nodes[0].ranks = mine.nodes[1].ranks = 1;
    mine.nodes[1].name = 1;
    mine.nodes[1].calls = static_cast<std::uint64_t>(rank + 1);
    mine.first_rank = rank;
    mine.rank_count = 1;
    mine.config_text.assign(std::strtoull(argv[3], nullptr, 10) << 20, 'x');

    const bool world = argc > 4;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    bool free_it = false;
    if (rank != absent) {
        const mpi::Collated collated =
            world ? mpi::collate_world(mine, {timeout, false, true}) : mpi::collate(comm, mine, timeout, free_it);
        if (world) {
            std::printf("rank %d of %u:", rank, collated.numbering.first_free);
            for (std::uint32_t stid : collated.numbering.stids)
                std::printf(" %u", stid);
            std::printf("%s\n", collated.complete ? "" : ", not complete");
        }
        if (rank == 0) {
            const analysis::Profile& others = collated.others;
            std::printf("ranks %u calls %llu bytes %zu missing", others.rank_count,
                        others.nodes.empty() ? 0ull
                                             : static_cast<unsigned long long>(others.nodes[1].calls),
                        others.config_text.size());
            for (const auto& range : others.missing_ranks.ranges())
                for (int missing = range.first; missing <= range.last; ++missing)
                    std::printf(" %d", missing);
            std::printf("%s\n", collated.complete ? " none" : "");
        }
    }
    return MPI_Finalize();
}
