// SPDX-License-Identifier: BSD-3-Clause
#include "session/closed_names.hpp"

#include "analysis/naming.hpp"
#include "base/memory.hpp"
#include "base/own_stack.hpp"
#include "embed/sink.hpp"
#include "record/gate.hpp"
#include "record/recorder.hpp"
#include "session/results.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <exception>

namespace vftr::session {

using record::recorder;

namespace {

constexpr std::size_t StackToName = 8 << 20;

base::SpinLock naming;
std::uint64_t latest_bias = 0, paths_then = 0; // a plugin without symbols that comes and goes is looked at once

void look_up(void* bias) {
    try {
        vfd::Writer::Reading reading(recorder.writer);
        const vfd::Image image = live_image();
        std::uint64_t paths = 0;
        for (const vfd::ThreadView& thread : image.threads())
            paths += thread.node_count;
        const std::uint64_t object = *static_cast<std::uint64_t*>(bias);
        if (object == latest_bias && paths == paths_then)
            return;
        latest_bias = object;
        paths_then = paths;
        add_names(analysis::names_of_object(image, object));
    } catch (const std::exception&) {
        // They are named at the end then, if the file is still there.
    }
}

} // namespace

void name_closed(std::uint64_t bias) {
    if (!running() || embed::embedded() || !recorder.writer.created())
        return;
    record::ClosedGate closed;
    if (!naming.try_lock()) // also of a thread that is not there in a forked child
        return;
    base::on_own_stack(StackToName, base::Signals::Blocked, look_up, &bias);
    naming.unlock();
}

} // namespace vftr::session
