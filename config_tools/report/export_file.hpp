// SPDX-License-Identifier: BSD-3-Clause
//
// Writes one export to where the user wants it: whole, or not at all. Viewers die of timelines that are too large, so
// the shortest calls of one are left out until the file is small enough. How large a file becomes is known only when it
// was written: it is written up to the limit and counted beyond it, which gives the bytes of a call, and then again.
//
// Likewise it may turn out that events cannot be decoded to their end, which the remarks in the file are to say.
#pragma once

#include "export/format.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace vftr::cli {

// Of a subject whose RunTimeline::has_cut_stream().
inline constexpr std::string_view CutStreamRemark =
    "Timelines of threads end early, as their process was killed or the file is damaged";

// `path` "-" is standard output. A regular file is replaced when the new one is complete; a FIFO or device is written
// to. A format that is a folder makes a new one. `timeline` is that of the subject, or nullptr. What it adds to the
// subject's remarks stays there. Throws std::runtime_error.
void write_export(const exports::Format& format, exports::Subject& subject, analysis::RunTimeline* timeline,
                  const exports::Options& options, const std::string& path, std::uint64_t most_bytes);
// The same as bytes in memory, of a format that is one file.
std::string exported_bytes(const exports::Format& format, exports::Subject& subject, analysis::RunTimeline* timeline,
                           const exports::Options& options, std::uint64_t most_bytes);

} // namespace vftr::cli
