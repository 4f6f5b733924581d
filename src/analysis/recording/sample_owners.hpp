// SPDX-License-Identifier: BSD-3-Clause
//
// Which function a CPU sample belongs to. The kernel tells the address, the recorder the path that was running.
//
// A sample in the code of a function with hooks is that function's, whatever was running: calls that are only counted
// do not change the path. A sample in other code, of a library, is the running function's.
//
// The code of an inlined function is inside its caller's. Its hooks were called, so it is the running function, but
// the symbol of the address is the caller's. Hence a sample in the code of F belongs to the running function f if F is
// among its callers, and f and all callers between them have no sample in code of their own. That holds for functions
// with calls so long that the hooks know their times. A tiny one is seen to run only where a call of it was timed, so
// its time stays its caller's where it was inlined, as with sampling profilers. (Where there is debug information, the
// samples of inlined functions have been given to these before, inlined_functions.hpp.)
#pragma once

#include "vfd/image.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vftr::analysis {

struct LocatedSample {
    std::optional<std::uint32_t> function; // in whose code it is, if that has hooks
    std::uint32_t node = 0;                // that was running
    std::uint64_t count = 0;
};

// Returns the number of samples of each function. `function_of` tells the function of each node, `has_long_calls` is by
// function.
std::vector<std::uint64_t> samples_of_functions(const vfd::ThreadView& thread, std::span<const LocatedSample> samples,
                                                std::span<const std::uint32_t> function_of,
                                                const std::vector<bool>& has_long_calls);

} // namespace vftr::analysis
