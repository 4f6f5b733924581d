// SPDX-License-Identifier: BSD-3-Clause
//
// What a reader of a Perfetto trace must know of its data: slices over the whole time, on a track of their own at the
// top, so that it is read where one looks.
#pragma once

#include "export/perfetto/sequence.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::exports::perfetto {

struct NotesTrack {
    std::uint32_t sequence;
    std::uint64_t uuid;
    std::uint64_t end; // ns
};

// Also says that processes and threads are in the order of their ranks.
void write_notes(const NotesTrack& place, const std::string& application, const std::vector<std::string>& notes,
                 const Start& start, Sink& sink);

} // namespace vftr::exports::perfetto
