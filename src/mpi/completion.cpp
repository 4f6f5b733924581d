// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/completion.hpp"

namespace vftr::mpi {

void drop_request(const Call& call, std::uint64_t handle, const void* variable) {
    Operation operation;
    if (requests.finish(handle, variable, operation))
        give_up(call, operation);
}

void free_request(const Call& call, std::uint64_t handle, const void* variable) {
    Operation operation;
    if (requests.forget(handle, variable, operation))
        give_up(call, operation);
}

void start_request(const Call& call, std::uint64_t handle, const void* variable, const record::CallInstance& place) {
    const bool recorded = call.logs_messages();
    Operation started;
    if (requests.start(handle, variable, place, recorded, call.end(), &started) && recorded)
        count_sends(call, started);
}

void see_request(const Call& call, std::uint64_t handle, const void* variable, const MPI_Status* status) {
    Operation operation;
    if (requests.see(handle, variable, operation) && operation.active && operation.recorded && !operation.seen)
        record_operation(call, operation, status);
}

} // namespace vftr::mpi
