// SPDX-License-Identifier: BSD-3-Clause
//
// Decides which functions of the process are recorded, by the rules of the configuration, the program's runtime
// overrides, and the rank.
//
// The decision on a function is made when it is first called, which takes microseconds to milliseconds (symbols of its
// object, regular expressions); later it is looked up without a lock. Objects are loaded and unloaded: a decision is
// valid for one object at one address, but a runtime override for an offset in an object's file, wherever that is
// loaded next.
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
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vftr::filter {

// Whether the set contains some, but neither all nor none of the ranks.
inline bool chooses(const config::RankSet& set) {
    return !(set == config::RankSet::all()) && !(set == config::RankSet::none());
}

// All member functions may be called by any thread whose guard is not Ready. None throws.
class Decisions {
public:
    // forked_from: in a forked child, the decisions of its parent. The runtime overrides remain valid, and the machine
    // code is as these decisions have changed it, or as it was loaded. The parent's object is not freed, as it may have
    // been in use at the fork.
    Decisions(const config::Config& config, symbols::NameOptions options, symbols::NameSources sources,
              std::int64_t rank, Decisions* forked_from);

    // The decision (bits of record::Decision) on a function that is being called.
    std::uint8_t on(std::uint64_t function);
    // The decision on a function that was called earlier, in this module. Another thread may be unloading the module,
    // so nothing of it is touched, except by a change of the rank.
    std::uint8_t on_called_before(std::uint64_t function, std::uint16_t module);
    // Counts a call of a function with DecisionTrigger. No lock.
    record::TriggerAction called(std::uint64_t function) { return triggers_.called(trigger_places_.of(function)); }
    const Triggers& triggers() const { return triggers_; }
    // Whether hook calls of excluded functions are left in the machine code because the configuration says so.
    bool keeps_hook_calls() const { return !patches_ && rules_.excludes(); }
    // How often the expressions of rules and triggers have matched. On a rank that records no functions, the result has
    // only the list of ranks.
    std::vector<vfd::ExpressionUse> expression_uses();

    // Sets the program's override of the decision on a function, which is stronger than the rules. Returns false, and
    // changes nothing, if the function belongs to a trigger, is in no object, or if its hook calls cannot be put back.
    bool runtime_override(std::uint64_t function, RuntimeOverride runtime_override);
    // Excludes the function in the same way, unless the program has overridden the decision on it.
    bool exclude_unless_overridden(std::uint64_t function);
    // For functions that become windowed (record/budget/budget.hpp): takes their hook calls out. False: it cannot.
    bool begin_windows(std::span<const std::uint64_t> functions);
    // Puts the hook calls of windowed functions back, or takes them out again. Those of excluded functions stay out.
    void switch_windowed(std::span<const std::uint64_t> functions, bool in);
    // Sets the rank, and so whether functions are recorded in this process. Returns true if that has changed.
    bool set_rank(std::int64_t rank);
    // Adds a rule for all functions whose names match, see Rules::add, and applies it to the functions that are known.
    std::string add_expression(const char* expression, bool exclude);
    // Called at a call that is not recorded, or at its end (hook_site 0). Removes the hook calls around it from the
    // machine code when that is worth its cost (patience.hpp), if the function is excluded, and not just too deep or
    // unrecorded in this thread. Returns false if this is to be called again at the next call.
    bool excluded_call(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site);

private:
    struct Known {
        std::uint16_t module = 0;  // the module for which the rest is valid
        std::uint32_t returns = 0; // ModuleEntry::returns
        RuntimeOverride runtime_override = RuntimeOverride::None;
        std::uint8_t ruled = 0;    // the decision by the rules
        std::uint8_t decision = 0; // the decision after override and rank
    };
    enum class Patch {
        Now,   // at once, as this room will not be called at the function's calls
        Later, // at the function's calls; but at once if the program has excluded it
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

    // In 1 MiB of machine code each function has a slot of its own, as instrumented functions are longer than the bytes
    // of a slot.
    static constexpr std::uint32_t RecentSlots = 1 << 15, BytesOfSlot = 32;
    std::atomic<std::uint64_t>& recent_slot(std::uint64_t function);
    void remember(std::uint64_t function, std::uint8_t decision);

    Decisions* const forked_from_; // kept so that leak checkers find its memory
    const config::RankSet ranks_;
    const bool patches_;
    RuntimeOverrides& overrides_;
    bool rank_is_out_;
    std::atomic<bool> trivial_;
    bool has_windows_ = false;
    base::SpinLock lock_; // for all that changes, including machine code
    Rules rules_;
    Triggers triggers_;
    TriggerPlaces trigger_places_;
    Patience patience_;
    std::atomic<bool> can_patch_; // true as long as it is not known
    using Functions = std::unordered_map<std::uint64_t, Known, std::hash<std::uint64_t>, std::equal_to<>,
                                         base::KeptAllocator<std::pair<const std::uint64_t, Known>>>;
    base::KeptMemory memory_;
    Functions functions_{base::KeptAllocator<std::pair<const std::uint64_t, Known>>(memory_)};
    std::atomic<std::uint32_t> unloads_{0};                             // Modules::unloads() when recent_ was valid
    base::ZeroedArray<std::atomic<std::uint64_t>, RecentSlots> recent_; // function << 8 | valid | decision
};

} // namespace vftr::filter
