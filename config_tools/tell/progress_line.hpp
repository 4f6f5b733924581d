// SPDX-License-Identifier: BSD-3-Clause
//
// How far a command is that takes long, for who waits for it at a terminal: one line on stderr that is overwritten, and
// gone at the end. Where stderr is no terminal, with --quiet, or where what is written goes to the same terminal,
// nothing is shown; and nothing in the first second of the command, so that most commands never show it.
//
// The code that reads files makes one where it works through them, also where another one is in use around it: their
// lines replace each other.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace vftr::cli {

class ProgressLine {
public:
    using Clock = std::chrono::steady_clock;

    explicit ProgressLine(std::string what = {}, bool wanted = true);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // What is done from now on: "reading", "perfetto".
    void begin(std::string what) { what_ = std::move(what); }
    // `part` is from 0 to 1. At most ten times a second something is written.
    void show(double part) {
        if (wanted_)
            show_at(part, Clock::now());
    }
    void show(std::size_t done, std::size_t of) { show(static_cast<double>(done) / static_cast<double>(of)); }
    void clear();

    // The command begins, of this name. Until then nothing is shown.
    static void begin_command(const std::string& command, Clock::time_point now);
    // What show() would write at this moment; "": nothing.
    std::string text_at(double part, Clock::time_point now);

private:
    void show_at(double part, Clock::time_point now);

    bool wanted_;
    bool shown_ = false;
    std::string what_;
    Clock::time_point next_{};
};

} // namespace vftr::cli
