// SPDX-License-Identifier: BSD-3-Clause
//
// The collation of a job of few ranks: all send to rank 0 at once, by non-blocking collective calls on MPI_COMM_WORLD.
// These are matched in their order, apart from the program's messages, so no communicator has to be made.
//
// Why so few rounds. Each round in which all ranks take part lasts until the last of them has been given a core. With
// more ranks than cores that is what the time goes into, not what is sent.
//   1. Each rank says that it has come, and how large its profile is.
//   2. Rank 0 says how to go on.
//   3. The profiles go to rank 0.
//   4. STIDs come back, if a rank writes a log of its own.
// A rank sends its profile only when it knows that rank 0 takes it: what nobody takes stays with the MPI library, and
// some cannot be finalized then (MPICH 4.0 waits for ever). The first two rounds are a few bytes, which go out at once.
//
// Who gives up. Rank 0 says so in the second round, where a rank that comes later finds it. Another rank that gives up
// cannot take back what it has said in the first; so that says until when it waits, and rank 0 gives up too where that
// is past. Where the clocks of two machines do not agree and rank 0 is wrong there, it waits in vain for the third
// round, until its deadline.
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
    static constexpr std::uint64_t MostBytes = 16 << 20; // of all profiles

    // How the ranks go on. TimedOut: this rank did not learn it in time.
    enum class Way { TimedOut, Alone, Together, Tree };

    // `world` returns its errors.
    Star(MPI_Comm world, int rank, int size, const analysis::Profile& mine, const Wishes& wishes,
         Clock::time_point deadline);
    ~Star();

    // Rounds 1 and 2. Returns at the deadline at the latest; rank 0 least_for_the_tree() later.
    Way meet();
    // Rounds 3 and 4, after Way::Together. Takes at most until the deadline or least_for_the_tree(), whichever is
    // longer.
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
    std::unique_ptr<Mail> mail_; // what the MPI library reads and writes
    bool quiet_ = true;          // nothing is under way; else the mail stays with the MPI library
};

} // namespace vftr::mpi
