// SPDX-License-Identifier: BSD-3-Clause
//
// How far a long export is, for who waits for it at a terminal: one line on stderr that is overwritten, and gone at the
// end. Where stderr is no terminal, or where what is written goes to the same one, nothing is shown.
#pragma once

#include <chrono>
#include <string>
#include <utility>

namespace vftr::cli {

class ProgressLine {
public:
    explicit ProgressLine(bool wanted);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // What is done from now on: "reading", "perfetto".
    void begin(std::string what) { what_ = std::move(what); }
    // `part` is from 0 to 1. At most ten times a second something is written.
    void show(double part);
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    bool wanted_;
    bool shown_ = false;
    std::string what_;
    Clock::time_point next_{};
};

} // namespace vftr::cli
