// SPDX-License-Identifier: BSD-3-Clause
//
// Counts the calls of the triggers' functions in all threads, and returns what is to be done at a call.
#pragma once

#include "config/config.hpp"
#include "record/recorder.hpp"
#include "vfd/metadata_note.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace vftr::filter {

class Triggers {
public:
    explicit Triggers(const std::vector<config::FilterTrigger>& triggers) {
        for (const config::FilterTrigger& trigger : triggers)
            counters_.emplace_back(trigger);
    }

    bool any() const { return !counters_.empty(); }
    // Whether the recording begins stopped.
    bool begins_stopped() const { return any() && counters_.front().action == record::TriggerAction::Start; }
    // Called by any thread at a call of a function that belongs to the triggers with these indices. If two of them act
    // at the same call, the later one in the list counts.
    record::TriggerAction called(std::span<const std::uint32_t> places) {
        auto action = record::TriggerAction::None;
        for (std::uint32_t place : places)
            if (Counter& counter = counters_[place];
                counter.calls.fetch_add(1, std::memory_order_relaxed) + 1 == counter.acts_at)
                action = counter.action;
        return action;
    }
    std::vector<vfd::ExpressionUse> calls_so_far() const {
        std::vector<vfd::ExpressionUse> uses;
        for (const Counter& counter : counters_)
            uses.push_back({"filter.triggers[" + std::to_string(uses.size()) + "] (" + counter.name_of_action() + ")",
                            counter.function, std::min(counter.calls.load(std::memory_order_relaxed), counter.acts_at),
                            counter.acts_at});
        return uses;
    }

private:
    struct Counter {
        explicit Counter(const config::FilterTrigger& trigger)
            : function(trigger.function), acts_at(static_cast<std::uint64_t>(trigger.call)),
              action(trigger.action == "start" ? record::TriggerAction::Start : record::TriggerAction::Stop) {}
        const char* name_of_action() const { return action == record::TriggerAction::Start ? "start" : "stop"; }

        std::string function;
        std::uint64_t acts_at;
        record::TriggerAction action;
        std::atomic<std::uint64_t> calls{0};
    };
    std::deque<Counter> counters_;
};

} // namespace vftr::filter
