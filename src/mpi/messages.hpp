// SPDX-License-Identifier: BSD-3-Clause
//
// The layer between the verbs and the recorder: it decides whether messages are recorded, and turns each into a record.
#pragma once

#include "mpi/groups.hpp"
#include "mpi/language.hpp"
#include "mpi/requests.hpp"
#include "mpi/type_sizes.hpp"
#include "mpi/wrapper.hpp"

namespace vftr::mpi {

// begin_messages is called after MPI has been initialised. `world` is the group in which members of other
// groups get their numbers; it is taken over. `several_threads` is true for MPI_THREAD_MULTIPLE. end_messages is called
// before MPI ends.
void begin_messages(MPI_Group world, int rank, bool several_threads);
void end_messages();

inline bool streams_messages() { return calls.stream_messages.load(std::memory_order_relaxed); }

// Returns the recorder's id for a type, 0 if the recorder needs none.
std::uint32_t known_type_id(MPI_Datatype type);
inline std::uint32_t type_id(MPI_Datatype type) { return streams_messages() ? known_type_id(type) : 0; }
void forget_type(std::uint64_t type);

// Makes a transfer to or from one member of a group. It is not `used` if there is no such member (MPI_PROC_NULL) or if
// the member is not selected.
Part part_with(const Group* peers, int peer, vfd::Direction direction, std::uint64_t bytes, int tag, MPI_Datatype type);

// Counts the sends of an operation when its call has begun them.
void count_sends(const Call& call, const Operation& operation);
// Record transfers that are over, at the end of the call. `status` may be null if no part is received by status.
void record_part(const Call& call, const record::CallInstance& place, const Part& part, const MPI_Status* status);
// A blocking probe has found a message. `takes`: as in record::Probe.
void record_probe(const Call& call, const Communicator& comm, const MPI_Status& status, bool takes);
void record_operation(const Call& call, const Operation& operation, const MPI_Status* status);

// For an operation whose end the program will never see: records its counted sends as ended with the call that began
// them, and releases it.
void give_up(const Call& call, Operation& operation);

// Adds the request that a call of kind Start or Init has made. One call may add several parts to it, one after the
// other.
void add_request(Call& call, Kind kind, std::uint64_t handle, const void* variable, Operation& operation);
// Records a request that the program has seen complete. Unless it is persistent, it is removed from the table.
void finish_request(const Call& call, std::uint64_t handle, const void* variable, const MPI_Status* status);
// The same for all requests of an array. `statuses` is null where there is none.
void finish_requests(const Call& call, std::int32_t count, const std::uint64_t* handles, const MPI_Request* variables,
                     const MPI_Status* statuses);

template <class L>
void add_request(Call& call, Kind kind, const typename L::template Variable<MPI_Request>& request,
                 Operation& operation) {
    add_request(call, kind, key_of(request.handle()), request.address(), operation);
}

// Whether a verb of this kind has to read its arguments at all. A request that is made during a pause needs its parts
// because it may be started later; one that is begun during a pause still needs its position in the queue of its
// handle.
inline bool wants_parts(const Call& call, Kind kind) {
    return call.tracks() && call.succeeded() && (kind == Kind::Init || call.logs_messages());
}
inline bool wants_request(const Call& call, Kind kind) {
    return kind != Kind::Plain && call.tracks() && call.succeeded();
}

// Whether a call of kind Start may have made a plain request (plain_requests.hpp).
inline bool may_be_plain(const Call& call) { return call.logs_messages() && call.succeeded() && !call.has_request(); }
VFTR_COLD void displace_plain(const Call& call, PlainRequest& slot);
// The free slot for that request, nullptr if it has to be made an operation. Once it is filled in, hold_plain() is to
// be called.
inline PlainRequest* plain_slot(const Call& call, std::uint64_t handle, const void* variable) {
    if (VFTR_UNLIKELY(handle == 0 || handle == key_of(library.no_request)))
        return nullptr;
    PlainRequest* const slot = requests.slot_of(variable);
    if (slot && VFTR_UNLIKELY(slot->handle != 0))
        displace_plain(call, *slot);
    return slot;
}
inline void hold_plain(Call& call, PlainRequest& slot, std::uint64_t handle, const void* variable) {
    requests.hold(slot, handle, variable);
    call.set_has_request();
    call.set_plain();
}

// Ends a verb that needs no status: the transfer is recorded now, or when its request ends.
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
