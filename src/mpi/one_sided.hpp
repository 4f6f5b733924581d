// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs for one-sided transfers. The process that asks for a transfer records it; the target does not know of it. A
// transfer without a request is recorded as ending with its call, although the MPI library may move the data later: the
// call that completes it then (a fence, an unlock) completes many at once.
#pragma once

#include "mpi/messages.hpp"

namespace vftr::mpi {

template <class L, Kind kind, vfd::Direction direction>
class OneSided {
public:
    struct Args {
        typename L::Number count;
        typename L::Type type;
        typename L::Int peer;
        typename L::Win win;
        typename L::Op op = {};
        typename L::template Variable<MPI_Request> request = {};
    };
    OneSided(Call& call, const Args& args) : call_(call), args_(args) {}
    void done() {
        Operation operation{};
        if (const int peer = static_cast<int>(args_.peer); wants_parts(call_, kind) && peer >= 0 && moves()) {
            const MPI_Datatype type = args_.type;
            operation.first = part_with(window(args_.win), peer, direction, bytes_of(args_.count, type), -1, type);
        }
        conclude<L, kind>(call_, args_.request, operation);
    }

private:
    // With MPI_NO_OP nothing is sent, and count and type have no meaning.
    bool moves() const { return static_cast<MPI_Op>(args_.op) != library.no_op; }

    Call& call_;
    const Args args_;
};

template <class L, Kind kind>
using Put = OneSided<L, kind, vfd::Direction::Send>;
template <class L, Kind kind>
using Get = OneSided<L, kind, vfd::Direction::Get>;

} // namespace vftr::mpi
