// SPDX-License-Identifier: BSD-3-Clause
#include "filter/decisions.hpp"

#include "base/message.hpp"
#include "base/own_descriptors.hpp"
#include "base/own_stack.hpp"
#include "base/signal_mask.hpp"
#include "patch/patch.hpp"
#include "record/modules/loaded_modules.hpp"
#include "record/modules/unload.hpp"
#include "record/recorder.hpp"

#include <exception>
#include <mutex>
#include <utility>

namespace vftr::filter {

using record::recorder;

namespace {

constexpr std::uint64_t ValidBit = 0x80;
constexpr std::uint8_t DecisionBits = 0x7f;

// Identifies a function by its offset and its object's file: the same string if the object is loaded again, and another
// one for every other function.
std::string place_in_file(const vfd::ModuleRecord& module, std::uint64_t function) {
    const std::uint64_t numbers[] = {function - module.bias, module.device, module.inode, module.file_size,
                                     module.mtime_ns};
    std::string place(reinterpret_cast<const char*>(numbers), sizeof numbers);
    return place.append(reinterpret_cast<const char*>(&module + 1), module.build_id_size + module.path_size);
}

} // namespace

Decisions::Decisions(const config::Config& config, symbols::NameOptions options, symbols::NameSources sources,
                     std::int64_t rank, Decisions* forked_from)
    : forked_from_(forked_from), ranks_(config.filter_only_for_ranks), patches_(config.filter_live_patching),
      overrides_(forked_from ? forked_from->overrides_ : *new RuntimeOverrides), rank_is_out_(!ranks_.contains(rank)),
      rules_(config, options, std::move(sources), forked_from ? &forked_from->rules_ : nullptr),
      triggers_(config.filter_triggers), can_patch_(patches_) {
    trivial_ = rules_.trivial() && overrides_.none() && !rank_is_out_;
    // All hook calls are put back if another thread of the parent was changing the machine code at the fork, if it was
    // changed for a rank that does not apply here, or if functions were windowed.
    if (forked_from_ &&
        (!forked_from_->lock_.try_lock() || forked_from_->rank_is_out_ != rank_is_out_ || forked_from_->has_windows_))
        patch::put_back_all();
}

// Does the work on the library's own stack, since the hook's caller may have little stack left, and with signals
// blocked, since a signal handler that interrupted it would wait for the lock.
template <class Work>
void Decisions::locked_on_own_stack(Work work) {
    struct Job {
        Decisions& decisions;
        Work& work;
    } job{*this, work};
    base::on_kept_stack(
        [](void* data) {
            Job& job = *static_cast<Job*>(data);
            std::lock_guard guard(job.decisions.lock_);
            try {
                base::with_own_descriptors([&] { // to read names and to change machine code
                    job.decisions.notice_unloads();
                    job.work();
                });
            } catch (const std::exception& error) { // no memory: the function is recorded
                base::warn("a filter is not applied to a function: ", error.what());
            }
        },
        &job);
}

void Decisions::notice_unloads() {
    const std::uint32_t unloads = recorder.modules.unloads();
    if (unloads == unloads_.load(std::memory_order_relaxed))
        return;
    forget_recent();
    if (patches_) {
        patience_.forget();
        patch::objects_have_gone();
    }
    unloads_.store(unloads, std::memory_order_relaxed);
}

std::atomic<std::uint64_t>& Decisions::recent_slot(std::uint64_t function) {
    return recent_[function / BytesOfSlot % RecentSlots];
}

void Decisions::remember(std::uint64_t function, std::uint8_t decision) {
    recent_slot(function).store(function << 8 | ValidBit | decision, std::memory_order_release);
}

void Decisions::forget_recent() {
    for (std::atomic<std::uint64_t>& slot : recent_)
        if (slot.load(std::memory_order_relaxed) != 0)
            slot.store(0, std::memory_order_relaxed);
}

std::optional<std::uint8_t> Decisions::recent(std::uint64_t function) {
    if (trivial_.load(std::memory_order_relaxed))
        return 0;
    const std::uint64_t found = recent_slot(function).load(std::memory_order_acquire);
    if (found >> 8 == (function & ~std::uint64_t{0} >> 8) && found & ValidBit &&
        unloads_.load(std::memory_order_relaxed) == recorder.modules.unloads())
        return found & DecisionBits;
    return std::nullopt;
}

bool Decisions::begin_windows(std::span<const std::uint64_t> functions) {
    bool possible = patches_;
    locked_on_own_stack([&] {
        has_windows_ = true;
        possible = possible && patch::possible();
        if (possible)
            patch::scan_objects_of(functions);
    });
    if (possible)
        switch_windowed(functions, false);
    return possible;
}

void Decisions::switch_windowed(std::span<const std::uint64_t> functions, bool in) {
    locked_on_own_stack([&] {
        std::vector<std::uint64_t> included;
        for (const std::uint64_t function : functions)
            if (const auto known = functions_.find(function);
                known == functions_.end() || !(known->second.decision & record::DecisionExcluded))
                included.push_back(function);
        patch::switch_known(included, !in);
    });
}

std::uint8_t Decisions::on(std::uint64_t function) {
    if (const auto known = recent(function))
        return *known;
    std::uint8_t decision = 0;
    locked_on_own_stack([&] {
        decision = judged(function).decision;
        remember(function, decision);
    });
    return decision;
}

std::uint8_t Decisions::on_called_before(std::uint64_t function, std::uint16_t module) {
    if (const auto known = recent(function))
        return *known;
    std::uint8_t decision = 0;
    locked_on_own_stack([&] {
        if (module != 0 && !recorder.modules.unloaded(module)) {
            decision = judged_in(function, module, Patch::Now).decision;
            remember(function, decision);
        } else if (const auto found = functions_.find(function);
                   found != functions_.end() && found->second.module == module)
            decision = found->second.decision;
    });
    return decision;
}

// The entry for the function in the object that is at its address now.
Decisions::Known& Decisions::judged(std::uint64_t function) {
    return judged_in(function, record::find_module(function), Patch::Later);
}

Decisions::Known& Decisions::judged_in(std::uint64_t function, std::uint16_t id, Patch patch) {
    Known& known = functions_[function];
    const record::ModuleEntry* module = recorder.modules.entry(id);
    const std::uint32_t returns = module ? __atomic_load_n(&module->returns, __ATOMIC_RELAXED) : 0;
    if (known.module == id && known.returns == returns && id != 0)
        return known;
    if (known.module != id || id == 0) {
        known = {};
        known.module = id;
        if (module) {
            const Rules::Ruling ruling = rules_.on(record::module_of(*module->record), function);
            known.ruled = ruling.decision;
            trigger_places_.set(function, ruling.triggers);
        }
        if (const auto path = rules_.without_files())
            base::warn(*path, " has no debug information that can be read: filters by files match nothing there");
        if (const auto name = rules_.given_up_on())
            base::warn(
                "a regular expression of a filter takes too long for some names, and matches none of these: it was tried on ",
                *name);
    }
    known.returns = returns;
    known.runtime_override =
        !module || overrides_.none()
            ? RuntimeOverride::None
            : overrides_.of(place_in_file(*module->record, function)); // perhaps set while it was loaded elsewhere
    known.decision = 0;                                                // its machine code is as it was loaded
    settle(function, known, patch);
    return known;
}

// Makes the decision from all that is known, and changes the machine code accordingly. Returns false if the hook calls
// cannot be put back, so that the function stays excluded.
bool Decisions::settle(std::uint64_t function, Known& known, Patch patch) {
    std::uint8_t decision = known.ruled & ~record::DecisionExcluded;
    const bool excluded = known.runtime_override == RuntimeOverride::None
                              ? known.ruled & record::DecisionExcluded
                              : known.runtime_override == RuntimeOverride::Exclude;
    if ((excluded || rank_is_out_) && !(decision & record::DecisionTrigger))
        decision |= record::DecisionExcluded;
    const bool was_excluded = known.decision & record::DecisionExcluded,
               is_excluded = decision & record::DecisionExcluded;
    known.decision = decision;
    if (!patches_ || was_excluded == is_excluded)
        return true;
    if (is_excluded) {
        if ((patch == Patch::Now || known.runtime_override == RuntimeOverride::Exclude) && patch::possible())
            known.runtime_override == RuntimeOverride::Exclude ? patch::take_out_everywhere(function)
                                                               : patch::take_out(function);
    } else if (!patch::put_back(function)) {
        known.decision |= record::DecisionExcluded;
        return false;
    }
    return true;
}

bool Decisions::set_runtime_override(std::uint64_t function, RuntimeOverride runtime_override,
                                     bool even_if_overridden) {
    bool done = false;
    locked_on_own_stack([&] {
        Known& known = judged(function);
        if (known.module == 0 || known.decision & record::DecisionTrigger ||
            (!even_if_overridden && known.runtime_override != RuntimeOverride::None))
            return;
        const RuntimeOverride before = std::exchange(known.runtime_override, runtime_override);
        if (!settle(function, known, Patch::Now)) {
            known.runtime_override = before;
            return;
        }
        overrides_.set(place_in_file(*recorder.modules.entry(known.module)->record, function), runtime_override);
        remember(function, known.decision);
        trivial_ = false;
        done = true;
    });
    return done;
}

bool Decisions::runtime_override(std::uint64_t function, RuntimeOverride runtime_override) {
    return set_runtime_override(function, runtime_override, true);
}

bool Decisions::exclude_unless_overridden(std::uint64_t function) {
    return set_runtime_override(function, RuntimeOverride::Exclude, false);
}

bool Decisions::set_rank(std::int64_t rank) {
    const bool is_out = !ranks_.contains(rank);
    bool changed = false;
    locked_on_own_stack([&] {
        changed = is_out != rank_is_out_;
        rank_is_out_ = is_out;
        trivial_ = trivial_ && !is_out;
        forget_recent();
        if (changed)
            for (auto& [function, known] : functions_)
                if (known.module != 0 && !recorder.modules.unloaded(known.module))
                    settle(function, known, Patch::Now);
    });
    return changed;
}

std::string Decisions::add_expression(const char* expression, bool exclude) {
    std::string problem = "there is no memory";
    locked_on_own_stack([&] {
        problem = rules_.add(expression, exclude);
        if (!problem.empty())
            return;
        trivial_ = false;
        forget_recent();
        for (auto& [function, known] : functions_)
            if (const record::ModuleEntry* module = recorder.modules.entry(known.module);
                module && known.module != 0 && !recorder.modules.unloaded(known.module)) {
                known.ruled = rules_.on(record::module_of(*module->record), function).decision;
                settle(function, known, Patch::Now);
            }
    });
    return problem;
}

std::vector<vfd::ExpressionUse> Decisions::expression_uses() {
    std::vector<vfd::ExpressionUse> uses;
    locked_on_own_stack([&] {
        if (chooses(ranks_))
            uses.push_back({"filter.only_for_ranks", ranks_.text(), rank_is_out_ ? 0u : 1u});
        if (rank_is_out_)
            return;
        for (vfd::ExpressionUse& use : rules_.matches_so_far())
            uses.push_back(std::move(use));
        for (vfd::ExpressionUse& use : triggers_.calls_so_far())
            if (use.uses != 0 || rules_.judged())
                uses.push_back(std::move(use));
    });
    return uses;
}

bool Decisions::excluded_call(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) {
    if (!can_patch_.load(std::memory_order_relaxed) || !(on(function) & record::DecisionExcluded))
        return true;
    const Patience::Answer answer =
        hook_site != 0 ? patience_.on_enter(function, hook_site) : patience_.on_leave(caller, function);
    if (answer == Patience::Answer::Change)
        take_out_below(caller, function, hook_site);
    return answer != Patience::Answer::Wait;
}

void Decisions::take_out_below(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) {
    base::InterruptionsDeferred blocked;
    std::lock_guard guard(lock_);
    notice_unloads();
    // Another thread may have included the function meanwhile.
    const auto known = functions_.find(function);
    if (known == functions_.end() || !(known->second.decision & record::DecisionExcluded))
        return;
    struct Job {
        std::uint64_t caller, function;
        std::uint32_t hook_site;
        bool possible;
    } job{caller, function, hook_site, false};
    base::with_own_descriptors(
        [](void* data) {
            Job& job = *static_cast<Job*>(data);
            job.possible = patch::possible();
            if (job.possible)
                patch::take_out_below(job.caller, job.function, job.hook_site);
        },
        &job);
    if (!job.possible)
        can_patch_.store(false, std::memory_order_relaxed);
}

} // namespace vftr::filter
