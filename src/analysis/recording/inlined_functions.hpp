// SPDX-License-Identifier: BSD-3-Clause
//
// Which function with hooks a CPU sample belongs to if that was inlined: its code is inside another function's, and
// only the debug information tells where. A function that was inlined has hooks like any other, and so a path of its
// own; the sample is that of the innermost one that the recording has called.
//
// libdw reads all debug information of an object into memory, some 20 ms for 16 MiB. So objects with more are left out,
// and there, a sample in the code of a function is its own, or follows from what was running (sample_owners.hpp).
// Functions are found by their names, so one that shares its name with another function of its object is not.
#pragma once

#include "analysis/recording/naming.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace vftr::analysis {

struct FunctionCode {
    std::uint64_t address;
    std::uint16_t module; // id of its ModuleRecord
};

// Not thread-safe. The image must outlive it.
class InlinedFunctions {
public:
    explicit InlinedFunctions(const vfd::Image& image);

    // The function with hooks that was inlined where the sample is, if there is one and it is known.
    std::optional<FunctionCode> at(const vfd::CpuSample& sample);

private:
    static constexpr std::uint64_t LargestDebugInformation = 16 << 20; // bytes

    using Place = std::pair<std::uint16_t, std::uint64_t>; // module and address

    std::optional<FunctionCode> look_up(const vfd::CpuSample& sample);
    void list_functions();

    const vfd::Image& image_;
    Names names_;
    std::set<std::uint32_t> modules_; // that have functions with hooks
    std::map<Place, std::optional<FunctionCode>> known_;
    // Of all functions with hooks, once they are needed. A sample where one begins is its own: it may have been given
    // to it before.
    std::unordered_map<std::string, FunctionCode> by_name_;
    std::set<Place> begins_;
};

} // namespace vftr::analysis
