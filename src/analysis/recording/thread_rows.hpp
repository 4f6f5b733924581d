// SPDX-License-Identifier: BSD-3-Clause
//
// Makes the rows of a Profile from the threads of one recording, and finds their start functions.
//
// Threads that a library starts for the program (std::thread, pools) begin in a function of that library, which tells
// the user nothing and may have no name. So where no function of the start function's module was ever recorded, the
// first function that the thread has recorded is shown instead. Functions of the C++ library, which may come before
// that one where its headers are instrumented, are skipped.
#pragma once

#include "analysis/profile/thread_profile.hpp"
#include "analysis/recording/messages_of.hpp"
#include "analysis/recording/naming.hpp"
#include "analysis/recording/thread_times.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::analysis {

// Finds the names of start functions. Image and names must outlive it.
class StartFunctions {
public:
    StartFunctions(const vfd::Image& image, Names& names) : image_(image), names_(names) {}

    // The start function of the thread with this origin, which used the record of `view`. Empty if not known.
    std::string of(const vfd::ThreadView& view, const vfd::ThreadOrigin& origin);

private:
    std::string first_recorded(const vfd::ThreadView& view);
    std::uint16_t module_at(std::uint64_t address, std::uint64_t ticks) const;
    bool has_recorded_functions(std::uint16_t module);

    const vfd::Image& image_;
    Names& names_;
    std::vector<bool> recorded_; // by module: whether a function of it was recorded; filled at the first query
};

class ThreadRows {
public:
    ThreadRows(const vfd::Image& image, Names& names) : image_(image), functions_(image, names) {}

    // `end` is when the thread ended, or the latest known moment of the recording, in ticks.
    void add(const vfd::ThreadView& view, const ThreadTimes& times, std::uint64_t end);
    // Adds rows and totals to the profile, once all threads have been added. The only thread of a process gets no row:
    // the profile has all its times, and in jobs of thousands of such ranks nobody needs these rows.
    void finish(Profile& profile, const PathOfNode& place);

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
