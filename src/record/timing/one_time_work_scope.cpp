// SPDX-License-Identifier: BSD-3-Clause
#include "record/timing/one_time_work_scope.hpp"

#include "record/hot/reentrancy_guard.hpp"
#include "record/timing/one_time_work.hpp"

namespace vftr::record {

OneTimeWork::OneTimeWork() : state_(materialized_thread()) {
    if (!is_ready(*state_)) {
        state_ = nullptr;
        return;
    }
    top_ = state_->top;
    last_ = state_->record->last;
    charged_ = cut_out_so_far(*state_);
    begin_ = base::read_ticks();
}

OneTimeWork::~OneTimeWork() {
    if (!state_)
        return;
    const HeldGuard guard;
    // What was cut out while this object lived is charged already.
    if (recorded_thread() == state_ && state_->top == top_ && state_->record->last == last_)
        charge_one_time_work(*state_, begin_ + (cut_out_so_far(*state_) - charged_));
}

} // namespace vftr::record
