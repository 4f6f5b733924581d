// SPDX-License-Identifier: BSD-3-Clause
//
// Which functions of the process are recorded: the rules of the configuration, what the program has asked for since,
// and the rank.
//
// A function is judged once, when it is first called, which takes microseconds to milliseconds (symbols of its object,
// regular expressions); then the answer is looked up without a lock. Objects come and go: an answer holds for one
// object at one place, but what the program said of a function holds for its place in the file, wherever that is loaded
// next.
#pragma once

#include "base/kept_memory.hpp"
#include "base/memory.hpp"
#include "base/zeroed_array.hpp"
#include "filter/patience.hpp"
#include "filter/rules.hpp"
#include "filter/runtime_overrides.hpp"
#include "filter/trigger_places.hpp"
#include "filter/triggers.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vftr::filter {

// Whether it names some, and not all or none of them.
inline bool chooses(const config::RankSet& set) {
    return !(set == config::RankSet::all()) && !(set == config::RankSet::none());
}

// All functions: any thread, whose guard is not Ready. None throws.
class Decisions {
public:
    // forked_from: in a forked child, those of its parent; what the program said holds on, and the text is as these
    // decisions have it or as it was loaded. Not freed, as they may have been in use at the fork.
    Decisions(const config::Config& config, symbols::NameOptions options, symbols::NameSources sources,
              std::int64_t rank, Decisions* forked_from);

    // Bits of record::Decision, of a function that is being called.
    std::uint8_t on(std::uint64_t function);
    // Of one that was called while it was in this module, which another thread may be unloading: nothing of it is
    // touched, but by a change of the rank.
    std::uint8_t on_called_before(std::uint64_t function, std::uint16_t module);
    // Counts a call of a function with DecisionTrigger. No lock.
    record::TriggerAction called(std::uint64_t function) { return triggers_.called(trigger_places_.of(function)); }
    const Triggers& triggers() const { return triggers_; }
    // Whether hook calls of excluded functions are left in the text because the configuration says so.
    bool keeps_hook_calls() const { return !patches_ && rules_.excludes(); }
    // What came of the expressions of rules and triggers. On a rank that records no functions no more is known than
    // that.
    std::vector<vfd::ExpressionUse> expression_uses();

    // What the program says of a function, stronger than the rules; false, and nothing has changed: it is of a trigger,
    // in no object, or its hook calls cannot be put back.
    bool runtime_override(std::uint64_t function, RuntimeOverride runtime_override);
    // Likewise, where the program has not said otherwise.
    bool exclude_unless_overridden(std::uint64_t function);
    // Whether functions are recorded on this rank. True if that is another answer than before.
    bool set_rank(std::int64_t rank);
    // At a call that is not recorded, or its end (hook_site 0): takes the hook calls around it out of the text when
    // that is worth it (patience.hpp), if the function is excluded and not only too deep, or not recorded in this
    // thread. False: the next call is to come here, too.
    bool excluded_call(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site);

private:
    struct Known {
        std::uint16_t module = 0;  // of which the rest is true
        std::uint32_t returns = 0; // ModuleEntry::returns
        RuntimeOverride runtime_override = RuntimeOverride::None;
        std::uint8_t ruled = 0;    // the rules' decision
        std::uint8_t decision = 0; // what it comes to
    };
    enum class Patch {
        Now,   // calls of it will not be told
        Later, // at its calls, but for what the program has asked for
    };
    std::optional<std::uint8_t> recent(std::uint64_t function);
    Known& judged(std::uint64_t function);
    Known& judged_in(std::uint64_t function, std::uint16_t module, Patch patch);
    bool settle(std::uint64_t function, Known& known, Patch patch);
    void take_out_below(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site);
    bool set_runtime_override(std::uint64_t function, RuntimeOverride runtime_override, bool even_if_overridden);
    void forget_recent();
    void notice_unloads();

    template <class Work>
    void locked_on_own_stack(Work work);

    // Of a text of a MiB each function has its own: what is instrumented is longer than that many bytes for each slot.
    static constexpr std::uint32_t RecentSlots = 1 << 15, BytesOfSlot = 32;
    std::atomic<std::uint64_t>& recent_slot(std::uint64_t function);
    void remember(std::uint64_t function, std::uint8_t decision);

    Decisions* const forked_from_; // for good, so that its memory is no leak
    const config::RankSet ranks_;
    const bool patches_;
    RuntimeOverrides& overrides_;
    bool rank_is_out_;
    std::atomic<bool> trivial_;
    base::SpinLock lock_; // for all that changes, the text included
    Rules rules_;
    Triggers triggers_;
    TriggerPlaces trigger_places_;
    Patience patience_;
    std::atomic<bool> can_patch_; // or it is not known
    using Functions = std::unordered_map<std::uint64_t, Known, std::hash<std::uint64_t>, std::equal_to<>,
                                         base::KeptAllocator<std::pair<const std::uint64_t, Known>>>;
    base::KeptMemory memory_;
    Functions functions_{base::KeptAllocator<std::pair<const std::uint64_t, Known>>(memory_)};
    std::atomic<std::uint32_t> unloads_{0};                             // Modules::unloads() that `recent_` is of
    base::ZeroedArray<std::atomic<std::uint64_t>, RecentSlots> recent_; // function << 8 | valid | decision
};

} // namespace vftr::filter
