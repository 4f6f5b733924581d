// SPDX-License-Identifier: BSD-3-Clause
#include "session/results/closed_names.hpp"

#include "analysis/recording/naming.hpp"
#include "base/memory.hpp"
#include "base/own_descriptors.hpp"
#include "base/own_stack.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/recorder.hpp"
#include "session/results/results.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <exception>

namespace vftr::session {

using record::recorder;

namespace {

constexpr std::size_t StackToName = 8 << 20;

base::SpinLock naming;

void look_up(void* bias) {
    try {
        base::with_own_descriptors([&] {
            vfd::Writer::Reading reading(recorder.writer);
            add_segment(vfd::SegmentKind::Names,
                        analysis::names_of_object(live_image(), *static_cast<std::uint64_t*>(bias)));
        });
    } catch (const std::exception&) {
        // The functions are named at the end of the run then, if the object's file still exists.
    }
}

} // namespace

void name_closed(std::uint64_t bias) {
    if (!running() || record::embedded() || !recorder.writer.created())
        return;
    record::HeldGuard held;
    if (!naming.try_lock()) // in a forked child, it may be locked by a thread that does not exist there
        return;
    if (recorder.modules.take_new_paths(bias))
        base::on_own_stack(StackToName, base::Signals::Blocked, look_up, &bias);
    naming.unlock();
}

} // namespace vftr::session
