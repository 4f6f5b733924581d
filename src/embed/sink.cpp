// SPDX-License-Identifier: BSD-3-Clause
#include "embed/sink.hpp"

#include "embed/callback_names.hpp"
#include "embed/dispatch.hpp"
#include "embed/registration.hpp"
#include "embed/shutdown.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/stream/events.hpp"

namespace vftr::embed {

using record::recorder;

namespace {

bool asks_for_no_files() {
    const Registration* r = published.load(std::memory_order_acquire);
    return r && !(r->callbacks.flags & VFTRACE_WITH_FILES);
}

// Returns true if a call has returned, or if a path has been called twice or is no longer open.
bool something_has_ended(const record::ThreadState& state) {
    for (std::uint32_t i = 0; i < state.record->node_count; ++i)
        if (state.nodes[i].calls != 1 || state.nodes[i].open != 1)
            return true;
    return false;
}

} // namespace

void choose_sink(bool forked) {
    if (!forked) {
        recorder.without_files = asks_for_no_files();
        return;
    }
    forget_names_lock();
    forget_modules();
    forget_finisher();
}

void reconsider_sink() {
    record::ThreadState& state = *record::current;
    if (record::embedded() || !asks_for_no_files() || recorder.thread_count.load() != 1 || !state.record ||
        something_has_ended(state))
        return;
    recorder.without_files = true;
    recorder.settings.sampling = recorder.settings.all_events = false;
    state.stream &= ~std::uint64_t{record::StreamFile};
    record::close_event_segment(state);
    recorder.writer.remove();
}

} // namespace vftr::embed
