// SPDX-License-Identifier: BSD-3-Clause
#include "session/control.hpp"

#include "base/errno_preserved.hpp"
#include "base/own_descriptors.hpp"
#include "base/own_stack.hpp"
#include "config/timing_wish.hpp"
#include "filter/run_time.hpp"
#include "record/pause.hpp"
#include "record/recorder.hpp"
#include "session/allocator_reentrancy.hpp"
#include "session/lifecycle/state.hpp"
#include "session/results/snapshot.hpp"
#include "session/session.hpp"
#include "session/timing.hpp"

#include <cstring>
#include <exception>
#include <string>

namespace vftr::session {
namespace {

using record::recorder;
using vfd::ControlCommand;

constexpr std::size_t StackBytes = 8 << 20;

struct Answer {
    bool done;
    std::string text;
};

// Of a command without a file: <basename>_<pid>.snapshot.N.vfd beside the recording.
std::string snapshot_name(std::uint32_t number) {
    const std::string recording = recorder.writer.path();
    const std::size_t dot = recording.rfind('.');
    return recording.substr(0, dot) + ".snapshot" + std::to_string(number) + ".vfd";
}

Answer snapshot(const std::string& file, std::uint32_t number) {
    const std::string path = file.empty() ? snapshot_name(number) : file;
    const std::string problem = write_snapshot(path.c_str());
    return {problem.empty(), problem.empty() ? "the recording so far is in " + path : problem};
}

Answer change_filter(const char* expression, bool exclude) {
    const std::string problem = filter::add_expression(expression, exclude);
    return {problem.empty(), !problem.empty() ? problem
                             : exclude        ? "functions that match are not recorded any more"
                                              : "functions that match are recorded"};
}

Answer change_timing(const char* text) {
    const auto wish = config::parse_timing(text);
    if (!wish)
        return {false, "this version does not know the timing"};
    const std::string problem = session::change_timing(*wish);
    return {problem.empty(), problem.empty() ? "timing " + timing_now() : problem};
}

Answer status() {
    const char* state = recorder.paused.load(std::memory_order_relaxed) ? "stopped" : "recording";
    const auto threads = recorder.thread_count.load(std::memory_order_relaxed);
    return {true, std::string(state) + ", timing " + timing_now() + ", threads so far " + std::to_string(threads)};
}

Answer obey(const vfd::Control& control, std::uint32_t number) {
    switch (control.command) {
    case ControlCommand::Start:
        record::resume_all();
        return {true, "recording"};
    case ControlCommand::Stop:
        record::pause_all();
        return {true, "stopped"};
    case ControlCommand::Snapshot:
        return snapshot(control.text, number);
    case ControlCommand::Exclude:
        return change_filter(control.text, true);
    case ControlCommand::Include:
        return change_filter(control.text, false);
    case ControlCommand::Status:
        return status();
    case ControlCommand::Timing:
        return change_timing(control.text);
    case ControlCommand::None:
        break;
    }
    return {false, "this version does not know the command"};
}

// Takes the command and copies it, each part before `asked` is read again. Returns its number; 0: there is none,
// another thread has it, or it was just replaced.
std::uint32_t take(vfd::Control& control, vfd::Control& copy) {
    const std::uint32_t number = __atomic_load_n(&control.asked, __ATOMIC_ACQUIRE);
    std::uint32_t taken = __atomic_load_n(&control.taken, __ATOMIC_RELAXED);
    if (number == 0 || taken == number ||
        !__atomic_compare_exchange_n(&control.taken, &taken, number, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return 0;
    copy.command = static_cast<ControlCommand>(
        __atomic_load_n(reinterpret_cast<const std::uint32_t*>(&control.command), __ATOMIC_ACQUIRE));
    for (std::size_t i = 0; i + 1 < sizeof copy.text; ++i)
        copy.text[i] = __atomic_load_n(&control.text[i], __ATOMIC_ACQUIRE);
    copy.text[sizeof copy.text - 1] = '\0';
    return __atomic_load_n(&control.asked, __ATOMIC_RELAXED) == number ? number : 0;
}

void answer(vfd::Control& control, std::uint32_t number, const Answer& answer) {
    char text[sizeof control.answer] = {};
    std::strncpy(text, answer.text.c_str(), sizeof text - 1);
    for (std::size_t i = 0; i < sizeof text; ++i)
        __atomic_store_n(&control.answer[i], text[i], __ATOMIC_RELAXED);
    __atomic_store_n(&control.refused, answer.done ? 0 : 1, __ATOMIC_RELAXED);
    __atomic_store_n(&control.answered, number, __ATOMIC_RELEASE);
}

void obey_contained(void*) {
    vfd::Control& control = recorder.writer.header().control;
    vfd::Control copy{};
    const std::uint32_t number = take(control, copy);
    if (number == 0)
        return;
    try {
        base::with_own_descriptors([&] { answer(control, number, obey(copy, number)); });
    } catch (const std::exception& error) { // no memory
        answer(control, number, {false, error.what()});
    }
}

} // namespace

void obey_control() {
    base::preserving_errno([] {
        if (running() && !allocator_is_on_the_stack())
            base::on_own_stack(StackBytes, base::Signals::Blocked, obey_contained, nullptr);
    });
}

} // namespace vftr::session
