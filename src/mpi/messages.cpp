// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/messages.hpp"

#include "mpi/guard.hpp"
#include "mpi/handle_table.hpp"
#include "mpi/scratch.hpp"
#include "mpi/status_bytes.hpp"
#include "record/timing/one_time_work_scope.hpp"
#include "session/session.hpp"

#include <cstring>

namespace vftr::mpi {
namespace {

constinit base::SpinLock type_lock;
constinit HandleTable<std::uint32_t> type_ids;
constinit bool started = false;

// Sets sender, tag and bytes of a message that has been received or probed for.
bool read_status(const MPI_Status& status, const Group& peers, std::uint32_t& sender, std::int32_t& tag,
                 std::uint64_t& size) {
    const int source = status.MPI_SOURCE;
    if (source < 0 || static_cast<std::uint32_t>(source) >= peers.size())
        return false;
    if (!bytes_in(status, size))
        return false;
    sender = peers.rank(static_cast<std::uint32_t>(source));
    tag = status.MPI_TAG;
    return selection.has(sender);
}

bool cancelled(const Operation& operation, const MPI_Status* status) {
    int flag = 0;
    return operation.cancel_asked && (!status || library.Test_cancelled(status, &flag) != MPI_SUCCESS || flag);
}

// Calls the functor with each part of the operation.
template <class Visit>
void for_each_part(const Operation& operation, Visit visit) {
    if (operation.first.used)
        for (const Part* part = &operation.first; part; part = part->next)
            visit(*part);
}

// The transfer of a part, except for what only a status contains.
record::Transfer transfer_of(const record::CallInstance& place, const Part& part, std::uint64_t end) {
    return {.place = place,
            .end = end,
            .target = part.target,
            .direction = part.direction,
            .span = part.span,
            .tag = part.tag,
            .type = part.type,
            .bytes = part.bytes,
            .communicator = part.communicator};
}

// For the event stream and callbacks.
VFTR_COLD void record_plain(const PlainRequest& request, std::uint64_t end, record::Stage stage, std::uint32_t target,
                            std::int32_t tag, std::uint64_t bytes) {
    record::record_transfer({.place = request.place,
                             .end = end,
                             .target = target,
                             .direction = request.is_send() ? vfd::Direction::Send : vfd::Direction::Receive,
                             .span = vfd::Span::Rank,
                             .tag = tag,
                             .type = request.type,
                             .bytes = bytes,
                             .stage = stage,
                             .counted_to = request.counted_to,
                             .communicator = request.communicator});
}

// For a send that was counted when it began: records its end (Stage::Ended), or that no end was seen.
void record_counted(const Operation& operation, const Part& part, record::Stage stage, std::uint64_t end) {
    record::Transfer transfer = transfer_of(operation.place, part, end);
    transfer.stage = stage;
    transfer.counted_to = operation.counted_to;
    record::record_transfer(transfer);
}

// For sends whose end the program has not seen: a timeline shows them, too. If the program has asked to cancel them,
// they are taken back, since they may not have been sent.
void settle_sends(const Operation& operation) {
    if (!operation.active || !operation.recorded || operation.seen || operation.counted_to == 0)
        return;
    const record::Stage stage = operation.cancel_asked ? record::Stage::Withdrawn : record::Stage::Unseen;
    for_each_part(operation, [&](const Part& part) {
        if (part.direction == vfd::Direction::Send)
            record_counted(operation, part, stage, operation.counted_to);
    });
}

} // namespace

void begin_messages(MPI_Group world, int rank, bool several_threads) {
    threads_share.store(several_threads, std::memory_order_relaxed);
    const config::Config& config = session::configuration();
    if (config.mpi_only_for_ranks.text() != config::RankSet::all().text())
        selection.set(&config.mpi_only_for_ranks);
    calls.stream_messages.store(record::messages_are_streamed(), std::memory_order_relaxed);
    try_status_members();
    begin_groups(world, static_cast<std::uint32_t>(rank));
    const Scratch first(1); // maps the block that the program's first Waitany takes
    started = true;
    calls.log_messages.store(config.mpi_log_messages && selection.has(static_cast<std::uint32_t>(rank)),
                             std::memory_order_release);
    calls.show_sync_time.store(config.mpi_show_sync_time, std::memory_order_release);
}

void end_messages() {
    if (!started)
        return;
    started = false;
    if (calls.log_messages)
        requests.for_each(settle_sends);
    calls.log_messages = false;
    calls.show_sync_time = false;
    end_groups();
}

std::uint32_t known_type_id(MPI_Datatype type) {
    {
        const Guard guard(type_lock);
        if (const std::uint32_t* id = type_ids.find(key_of(type)))
            return *id;
    }
    const record::OneTimeWork work;
    char name[MPI_MAX_OBJECT_NAME + 1] = "";
    int length = 0;
    MPI_Count size = 0;
    if (library.Type_get_name(type, name, &length) != MPI_SUCCESS || library.Type_size_x(type, &size) != MPI_SUCCESS)
        return 0;
    const std::uint32_t id = record::intern_type({name, strnlen(name, sizeof name)}, static_cast<std::uint64_t>(size));
    const Guard guard(type_lock);
    if (id != 0)
        type_ids.insert(key_of(type), id);
    return id;
}

void forget_type(std::uint64_t type) {
    const Guard guard(type_lock);
    type_ids.forget(type);
}

Part part_with(const Group* peers, int peer, vfd::Direction direction, std::uint64_t bytes, int tag,
               MPI_Datatype type) {
    Part part{};
    if (!peers || peer < 0 || static_cast<std::uint32_t>(peer) >= peers->size())
        return part;
    part.target = peers->rank(static_cast<std::uint32_t>(peer));
    if (!selection.has(part.target))
        return part;
    part.bytes = bytes;
    part.tag = tag;
    part.type = type_id(type);
    part.direction = direction;
    part.span = vfd::Span::Rank;
    part.used = true;
    return part;
}

void record_part(const Call& call, const record::CallInstance& place, const Part& part, const MPI_Status* status) {
    record::Transfer transfer = transfer_of(place, part, call.end());
    if (part.peers && !(status && read_status(*status, *part.peers, transfer.target, transfer.tag, transfer.bytes)))
        return;
    record::record_transfer(transfer);
}

void record_probe(const Call& call, const Communicator& comm, const MPI_Status& status, bool takes) {
    record::Probe probe{call.place(), call.end(), 0, comm.number, -1, 0, takes};
    if (comm && read_status(status, *comm.peers(), probe.sender, probe.tag, probe.bytes))
        record::record_probe(probe);
}

void count_sends(const Call& call, const Operation& operation) {
    for_each_part(operation, [&](const Part& part) {
        if (part.direction == vfd::Direction::Send)
            record_counted(operation, part, record::Stage::Begun, call.end());
    });
}

void record_operation(const Call& call, const Operation& operation, const MPI_Status* status) {
    for_each_part(operation, [&](const Part& part) {
        if (part.direction == vfd::Direction::Send && operation.counted_to != 0)
            record_counted(operation, part, record::Stage::Ended, call.end());
        else
            record_part(call, operation.place, part, status);
    });
    if (operation.group != 0)
        record::record_collective(operation.place, call.end(), operation.group, operation.root, operation.communicator);
}

// As far as the program will ever know, what it sent is on its way. What it was to receive remains unknown and is not
// recorded.
void give_up(const Call& call, Operation& operation) {
    if (call.logs_messages())
        settle_sends(operation);
    requests.release(operation);
}

void add_request(Call& call, Kind kind, std::uint64_t handle, const void* variable, Operation& operation) {
    operation.persistent = kind == Kind::Init;
    operation.active = !operation.persistent;
    operation.recorded = call.logs_messages();
    if (operation.recorded)
        operation.place = call.place();
    if (handle == key_of(library.no_request)) { // the operation is complete and there is nothing to wait for
        if (operation.active && operation.recorded)
            record_operation(call, operation, nullptr);
        requests.release(operation);
        return;
    }
    if (operation.active && operation.recorded) {
        operation.counted_to = call.end();
        count_sends(call, operation);
    }
    if (!call.has_request()) {
        Operation given_up;
        if (requests.add(handle, variable, operation, &given_up))
            give_up(call, given_up);
        call.set_has_request();
    } else if (operation.first.used) {
        requests.extend(handle, variable, operation.first);
    }
}

void displace_plain(const Call& call, PlainRequest& slot) {
    Operation given_up;
    if (requests.displace(slot, &given_up))
        give_up(call, given_up);
}

namespace {

// The contents of a slot stay until it is taken again.
inline void finish_plain(const Call& call, PlainRequest& slot, const MPI_Status* status) {
    requests.release(slot);
    if (!call.logs_messages())
        return;
    if (slot.is_send()) {
        if (!record::count_ended(slot.place, slot.counted_to, call.end(), slot.target))
            record_plain(slot, call.end(), record::Stage::Ended, slot.target, slot.tag, slot.bytes);
        return;
    }
    std::uint32_t sender;
    std::int32_t tag;
    std::uint64_t bytes;
    if (status && read_status(*status, *slot.peers, sender, tag, bytes) &&
        !record::count_received(slot.place, call.end(), sender, bytes))
        record_plain(slot, call.end(), record::Stage::Whole, sender, tag, bytes);
}

VFTR_COLD void finish_operation(const Call& call, std::uint64_t handle, const void* variable,
                                const MPI_Status* status) {
    Operation operation;
    if (handle == key_of(library.no_request) || !requests.finish(handle, variable, operation))
        return;
    if (operation.active && operation.recorded && !operation.seen && call.logs_messages()) {
        if (cancelled(operation, status))
            return give_up(call, operation);
        record_operation(call, operation, status);
    }
    requests.release(operation);
}

} // namespace

void finish_request(const Call& call, std::uint64_t handle, const void* variable, const MPI_Status* status) {
    if (PlainRequest* const plain = requests.find_plain(handle, variable))
        finish_plain(call, *plain, status);
    else
        finish_operation(call, handle, variable, status);
}

void finish_requests(const Call& call, std::int32_t count, const std::uint64_t* handles, const MPI_Request* variables,
                     const MPI_Status* statuses) {
    for (std::int32_t i = 0; i < count; ++i) {
        const MPI_Status* const status = statuses ? &statuses[i] : nullptr;
        if (PlainRequest* const plain = requests.find_plain(handles[i], &variables[i]))
            finish_plain(call, *plain, status);
        else
            finish_operation(call, handles[i], &variables[i], status);
    }
}

} // namespace vftr::mpi
