// SPDX-License-Identifier: BSD-3-Clause
//
// Reads modules and names: records of variable size, stored one after the other in the segments of their kind.
#pragma once

#include "vfd/source.hpp"

#include <algorithm>
#include <vector>

namespace vftr::vfd {

// Both append to `out` and throw Error if a record reaches beyond its segment. The views point into the segment.
void read_modules(const Segment& segment, const Source& source, std::vector<ModuleView>& out);
void read_names(const Segment& segment, const Source& source, std::vector<NameView>& out);

// Calls visit(record, the bytes behind it that belong to it) for every Record of a segment. variable_size(record)
// returns the number of those bytes.
template <class Record, class Size, class Visit>
void for_each_record(const Segment& segment, const Source& source, Size variable_size, Visit visit) {
    std::span<const std::byte> rest = segment.payload;
    while (!rest.empty()) {
        source.require(rest.size() >= sizeof(Record), rest.data(), "damaged segment: half a record");
        const auto& record = *reinterpret_cast<const Record*>(rest.data());
        std::size_t extra = variable_size(record);
        source.require(extra <= rest.size() - sizeof(Record), rest.data(),
                       "damaged segment: a record reaches beyond it");
        visit(record, rest.subspan(sizeof(Record), extra));
        rest = rest.subspan(std::min((sizeof(Record) + extra + 7) / 8 * 8, rest.size()));
    }
}

} // namespace vftr::vfd
