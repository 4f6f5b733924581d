// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/type_sizes.hpp"

#include "base/memory.hpp"
#include "mpi/guard.hpp"

namespace vftr::mpi {
namespace {

constinit base::SpinLock size_lock;
// A program that uses many derived types is not asked about each of them for ever.
constexpr unsigned MostQuestions = 256;
constinit std::atomic<unsigned> questions{0};

bool is_predefined(MPI_Datatype type) {
    if (questions.load(std::memory_order_relaxed) >= MostQuestions)
        return false;
    questions.fetch_add(1, std::memory_order_relaxed);
    int combiner = 0;
#if MPI_VERSION >= 4
    MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;
    const int error = library.Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
#else
    int integers = 0, addresses = 0, types = 0;
    const int error = library.Type_get_envelope(type, &integers, &addresses, &types, &combiner);
#endif
    return error == MPI_SUCCESS && combiner == MPI_COMBINER_NAMED;
}

} // namespace

std::uint64_t ask_size(MPI_Datatype type, KnownSize& slot) {
    MPI_Count size = 0;
    if (library.Type_size_x(type, &size) != MPI_SUCCESS || size <= 0)
        return 0;
    const auto bytes = static_cast<std::uint64_t>(size);
    if (slot.type.load(std::memory_order_relaxed) == 0 && is_predefined(type)) {
        const Guard guard(size_lock);
        if (slot.type.load(std::memory_order_relaxed) == 0) {
            slot.bytes = bytes;
            slot.type.store(key_of(type), std::memory_order_release);
        }
    }
    return bytes;
}

} // namespace vftr::mpi
