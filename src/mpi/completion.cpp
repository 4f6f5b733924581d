// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/completion.hpp"

namespace vftr::mpi {

void drop_request(std::uint64_t handle, const void* variable) {
    Operation operation;
    if (requests.finish(handle, variable, operation))
        requests.release(operation);
}

// What was sent is on its way for all that the program will ever know; of what was to be received nobody will know.
void free_request(const Call& call, std::uint64_t handle, const void* variable) {
    Operation operation;
    if (!requests.forget(handle, variable, operation))
        return;
    if (operation.active && operation.recorded && !operation.seen && !operation.cancel_asked && call.logs_messages() &&
        operation.first.used)
        for (const Part* part = &operation.first; part; part = part->next)
            if (part->direction == vfd::Direction::Send)
                record_part(call, operation.place, *part, nullptr);
    requests.release(operation);
}

void see_request(const Call& call, std::uint64_t handle, const void* variable, const MPI_Status* status) {
    Operation operation;
    if (requests.see(handle, variable, operation) && operation.active && operation.recorded && !operation.seen)
        record_operation(call, operation, status);
}

} // namespace vftr::mpi
