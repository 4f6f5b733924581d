// SPDX-License-Identifier: BSD-3-Clause
//
// The threads of one recording as rows of its Profile, and what they were started with.
//
// Threads that a library starts for the program (std::thread, pools) begin in a function of that library, which tells a
// reader nothing and may have no name. Where no function of a module was ever recorded, the first function that was
// recorded of the thread says more. Functions of the C++ library, which stand before it where its headers are
// instrumented, are passed over.
#pragma once

#include "analysis/messages_of.hpp"
#include "analysis/naming.hpp"
#include "analysis/thread_profile.hpp"
#include "analysis/thread_times.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::analysis {

// Names of start functions. Image and names must outlive it.
class StartFunctions {
public:
    StartFunctions(const vfd::Image& image, Names& names) : image_(image), names_(names) {}

    // Empty: not known. Of a thread that used the record of `view`.
    std::string of(const vfd::ThreadView& view, const vfd::ThreadOrigin& origin);

private:
    std::string first_recorded(const vfd::ThreadView& view);
    std::uint16_t module_at(std::uint64_t address, std::uint64_t ticks) const;
    bool has_recorded_functions(std::uint16_t module);

    const vfd::Image& image_;
    Names& names_;
    std::vector<bool> recorded_; // by module, once it is asked for
};

class ThreadRows {
public:
    ThreadRows(const vfd::Image& image, Names& names) : image_(image), functions_(image, names) {}

    // end: when the thread ended, or the recording as far as it has come; ticks.
    void add(const vfd::ThreadView& view, const ThreadTimes& times, std::uint64_t end);
    // Once all are there: adds rows and totals to the profile. The one thread of a process has no row: the profile
    // tells all of it, and jobs of thousands of such ranks need none of them.
    void finish(Profile& profile, const PlaceOfNode& place);

private:
    std::uint64_t ns_of(std::uint64_t ticks) const;

    const vfd::Image& image_;
    StartFunctions functions_;
    struct Entry {
        const vfd::ThreadView* view;
        ThreadRow row;
    };
    std::vector<Entry> entries_;
};

// Whether all threads that used the record were workers of an OpenMP runtime.
bool only_workers(const vfd::ThreadView& view);

} // namespace vftr::analysis
