// SPDX-License-Identifier: BSD-3-Clause
#include "record/header_totals.hpp"

#include "base/clock.hpp"
#include "record/recorder.hpp"
#include "record/samples/samples.hpp"
#include "record/used_memory.hpp"
#include "vfd/header_fields.hpp"

namespace vftr::record {

void put_end(vfd::FileHeader& header) { header.end = vfd::clock_pair(base::read_moment()); }

void put_totals(vfd::FileHeader& header) {
    take_samples_of_all_threads();
    header.memory_bytes = used_memory();
    header.mpi_calls = recorder.named_calls;
}

} // namespace vftr::record
