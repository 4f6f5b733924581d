// SPDX-License-Identifier: BSD-3-Clause
//
// Between the verbs and the recorder: whether messages are recorded, and how one becomes a record.
#pragma once

#include "mpi/groups.hpp"
#include "mpi/language.hpp"
#include "mpi/requests.hpp"
#include "mpi/wrapper.hpp"

namespace vftr::mpi {

// After MPI has been initialised; world: a group whose ranks are those of all others, which is taken over;
// several_threads: MPI_THREAD_MULTIPLE. And before MPI ends.
void begin_messages(MPI_Group world, int rank, bool several_threads);
void end_messages();

inline bool streams_messages() { return calls.stream_messages.load(std::memory_order_relaxed); }

// The recorder's id for a type, 0 where it needs none.
std::uint32_t type_id(MPI_Datatype type);
void forget_type(std::uint64_t type);

// Bytes of so many elements.
inline std::uint64_t bytes_of(MPI_Count count, MPI_Datatype type) {
    MPI_Count size = 0;
    if (count <= 0 || library.Type_size_x(type, &size) != MPI_SUCCESS || size <= 0)
        return 0;
    return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

// To or from one member of a group. Not `used` where that is none (MPI_PROC_NULL), or not selected.
Part part_with(const Group* peers, int peer, vfd::Direction direction, std::uint64_t bytes, int tag, MPI_Datatype type);

// The call has begun them: what they send is counted.
void count_sends(const Call& call, const Operation& operation);
// They are over, at the end of the call. status may be null where no part is received by status.
void record_part(const Call& call, const record::CallInstance& place, const Part& part, const MPI_Status* status);
void record_operation(const Call& call, const Operation& operation, const MPI_Status* status);

// The program will never see its end. Releases it.
void give_up(const Call& call, Operation& operation);

// A call of kind Start or Init has made a request, for which it may have more than one part to add.
void add_request(Call& call, Kind kind, std::uint64_t handle, const void* variable, Operation& operation);
// The program has seen it complete.
void finish_request(const Call& call, std::uint64_t handle, const void* variable, const MPI_Status* status);

template <class L>
void add_request(Call& call, Kind kind, const typename L::template Variable<MPI_Request>& request,
                 Operation& operation) {
    add_request(call, kind, key_of(request.handle()), request.address(), operation);
}

// Whether a verb of this kind has to look at its arguments at all. A request that is made during a pause has parts when
// it is started later; one that is begun during a pause still needs its place in the queue of its handle.
inline bool wants_parts(const Call& call, Kind kind) {
    return call.tracks() && call.succeeded() && (kind == Kind::Init || call.logs_messages());
}
inline bool wants_request(const Call& call, Kind kind) {
    return kind != Kind::Plain && call.tracks() && call.succeeded();
}

// What was asked for without a status to learn from: it is recorded now, or when its request ends.
template <class L, Kind kind>
void conclude(Call& call, const typename L::template Variable<MPI_Request>& request, Operation& operation) {
    if constexpr (kind == Kind::Plain) {
        if (operation.first.used)
            record_part(call, call.place(), operation.first, nullptr);
    } else if (wants_request(call, kind)) {
        add_request<L>(call, kind, request, operation);
    }
}

} // namespace vftr::mpi
