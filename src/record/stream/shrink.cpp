// SPDX-License-Identifier: BSD-3-Clause
#include "record/stream/shrink.hpp"

#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_records.hpp"

#include <utility>

namespace vftr::record {

namespace {

constexpr std::uint64_t RoomOfLivingThread = 64 * 1024;

ThreadState* last = nullptr; // the thread that called close_last_thread; it records nothing any more

void end_stream_of(ThreadState& state) {
    if (vfd::SegmentHeader* segment = std::exchange(state.event_segment, nullptr))
        recorder.writer.retire_cut(segment);
}

} // namespace

void close_last_thread() {
    last = current->record ? current : nullptr;
    close_current_thread();
}

void shrink_file() {
    request_slow_path_of_all();
    if (recorder.settings.sampling && recorder.writer.created() && !recorder.writer.lost() &&
        recorder.writer.end_growth()) {
        for (ThreadState* state = take_all_idle(); state; state = state->next_idle)
            end_stream_of(*state);
        if (last)
            end_stream_of(*last);
        recorder.writer.trim_tails(RoomOfLivingThread);
    }
}

} // namespace vftr::record
