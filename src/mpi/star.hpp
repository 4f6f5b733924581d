// SPDX-License-Identifier: BSD-3-Clause
//
// The collation of a job of few ranks: all send to rank 0 at once, by non-blocking collective calls on MPI_COMM_WORLD.
// Collective calls are matched in their order, apart from the program's messages, so no communicator has to be made.
//
// Why there are so few rounds: each round in which all ranks take part lasts until the last of them has been given a
// core. With more ranks than cores this takes more time than the data.
//   1. Each rank reports that it has come, and how large its profile is.
//   2. Rank 0 decides how to go on and sends its decision.
//   3. The profiles go to rank 0.
//   4. STIDs come back, if a rank writes a log of its own.
// A rank sends its profile only when it knows that rank 0 will receive it: data that no rank receives stays with the
// MPI library, and some libraries cannot be finalized then (MPICH 4.0 waits for ever). The first two rounds are a few
// bytes, which go out at once.
//
// How a rank gives up: rank 0 says so in the second round, where a rank that comes later finds it. Another rank that
// gives up cannot take back its message of the first round. Therefore that message says until when the rank waits, and
// rank 0 gives up, too, if that moment has passed. If the clocks of two machines differ so much that rank 0 is wrong
// about this moment, rank 0 waits in vain for the third round, until its deadline.
#pragma once

#include "mpi/collate.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace vftr::mpi {

class Star {
public:
    static constexpr int MostRanks = 64;
    static constexpr std::uint64_t MostBytes = 16 << 20; // of all profiles together

    // How the ranks go on. TimedOut: this rank has not received the decision in time.
    enum class Way { TimedOut, Alone, Together, Tree };

    // `world` must return its errors.
    Star(MPI_Comm world, int rank, int size, const analysis::Profile& mine, const Wishes& wishes,
         Clock::time_point deadline);
    ~Star();

    // Does rounds 1 and 2. Returns at the deadline at the latest; on rank 0 up to least_for_the_tree() later.
    Way meet();
    // Does rounds 3 and 4, after Way::Together. Returns at the deadline or after least_for_the_tree(), whichever is
    // later.
    Collated collate(analysis::Profile mine);

private:
    struct Head;
    struct Decision;
    struct Mail;

    Decision judge() const;
    Way meet_as_first(MPI_Request& heads);
    Collated take_all(analysis::Profile mine);
    Collated send_mine(const analysis::Profile& mine);
    bool gather(Clock::time_point until);
    bool scatter(std::vector<int> counts, Clock::time_point until);
    bool settled(int error, MPI_Request& request, Clock::time_point until);

    const MPI_Comm world_;
    const int rank_, size_;
    const Wishes wishes_;
    const Clock::time_point deadline_;
    std::unique_ptr<Mail> mail_; // the buffers that the MPI library reads and writes
    bool quiet_ = true;          // no call is under way; otherwise the MPI library keeps the mail
};

} // namespace vftr::mpi
