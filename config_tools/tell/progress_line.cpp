// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/tell/progress_line.hpp"

#include "config_tools/tell/message.hpp"

#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace vftr::cli {

namespace {

constexpr const char* Erased = "\r\033[K"; // ECMA-48: erase to the end of the line
constexpr std::chrono::seconds SilentAtFirst{1};
constexpr std::chrono::milliseconds TimeBetween{100};

std::string command_in_progress;
ProgressLine::Clock::time_point shown_from = ProgressLine::Clock::time_point::max();

} // namespace

ProgressLine::ProgressLine(std::string what, bool wanted)
    : wanted_(wanted && !is_quiet() && ::isatty(STDERR_FILENO)), what_(std::move(what)) {}

void ProgressLine::begin_command(const std::string& command, Clock::time_point now) {
    command_in_progress = command;
    shown_from = now + SilentAtFirst;
}

std::string ProgressLine::text_at(double part, Clock::time_point now) {
    if (now < shown_from || now < next_)
        return "";
    next_ = now + TimeBetween;
    return command_in_progress + ": " + what_ + ", " + std::to_string(std::lround(100 * part)) + " %";
}

void ProgressLine::show_at(double part, Clock::time_point now) {
    const std::string text = text_at(part, now);
    if (text.empty())
        return;
    shown_ = true;
    std::fprintf(stderr, "%s%s", Erased, text.c_str());
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (shown_)
        std::fputs(Erased, stderr);
    shown_ = false;
}

} // namespace vftr::cli
