// SPDX-License-Identifier: BSD-3-Clause
#include "record/hot/filter_decisions.hpp"

#include "record/threads/thread_records.hpp"

namespace vftr::record {

bool is_excluded(const ThreadState& state, std::uint8_t decision) {
    if (decision & DecisionTrigger)
        return false;
    return decision & DecisionExcluded ||
           (recorder.settings.records_thread && !recorder.settings.records_thread(state.record->index));
}

bool is_trigger(std::uint64_t key) { return recorder.settings.trigger_called && decision_on(key) & DecisionTrigger; }

void decision_has_changed(std::uint64_t function) {
    recorder.decision_changes.add(function);
    request_slow_path_of_all();
}

} // namespace vftr::record
