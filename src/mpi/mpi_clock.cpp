// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/mpi_clock.hpp"

#include "mpi/clock_offsets.hpp"
#include "mpi/mpi_link.hpp"

#include <ctime>
#include <memory>

namespace vftr::mpi {
namespace {

constexpr int TagClock = 3;

class MpiClockLink : public ClockLink {
public:
    MpiClockLink(MPI_Comm comm, Clock::time_point deadline) : comm_(comm), deadline_(deadline) {
        VFTR_PMPI(PMPI_Comm_rank)(comm, &rank_);
        VFTR_PMPI(PMPI_Comm_size)(comm, &size_);
    }
    int rank() const override { return rank_; }
    int size() const override { return size_; }
    std::uint64_t now() override {
        timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
    }
    bool send(int to, const ClockLetter& letter) override {
        *letter_ = letter;
        MPI_Request request;
        return quiet_ &&
               settle(VFTR_PMPI(PMPI_Isend)(letter_.get(), sizeof letter, VFTR_BYTE, to, TagClock, comm_, &request),
                      request);
    }
    std::optional<ClockLetter> receive(int from) override {
        MPI_Request request;
        if (!quiet_ ||
            !settle(VFTR_PMPI(PMPI_Irecv)(letter_.get(), sizeof *letter_, VFTR_BYTE, from, TagClock, comm_, &request),
                    request))
            return std::nullopt;
        return *letter_;
    }
    bool quiet() const { return quiet_; }

private:
    // A letter that has not been transferred in time stays with the MPI library, so its memory is not freed.
    bool settle(int error, MPI_Request& request) {
        if (error == MPI_SUCCESS && wait_for(deadline_, request))
            return true;
        (void)letter_.release();
        quiet_ = false;
        return false;
    }

    MPI_Comm comm_;
    Clock::time_point deadline_;
    int rank_ = 0, size_ = 1;
    bool quiet_ = true;
    std::unique_ptr<ClockLetter> letter_ = std::make_unique<ClockLetter>();
};

} // namespace

vfd::ClockOffset measure_clock(MPI_Comm comm, Clock::time_point deadline, bool& quiet) {
    MpiClockLink link(comm, deadline);
    const vfd::ClockOffset offset = measure_offset(link);
    quiet = link.quiet();
    return offset;
}

} // namespace vftr::mpi
