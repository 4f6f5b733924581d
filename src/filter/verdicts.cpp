// SPDX-License-Identifier: BSD-3-Clause
#include "filter/verdicts.hpp"

#include "base/message.hpp"
#include "base/own_stack.hpp"
#include "base/signal_mask.hpp"
#include "patch/patch.hpp"
#include "record/loaded_modules.hpp"
#include "record/recorder.hpp"

#include <exception>
#include <mutex>
#include <utility>

namespace vftr::filter {

using record::recorder;

namespace {

constexpr std::uint64_t ValidBit = 0x80;
constexpr std::uint8_t VerdictBits = 0x7f;

// The same for a function of an object that is loaded again, and of no other one.
std::string place_in_file(const vfd::ModuleRecord& module, std::uint64_t function) {
    const std::uint64_t numbers[] = {function - module.bias, module.device, module.inode, module.file_size, module.mtime_ns};
    std::string place(reinterpret_cast<const char*>(numbers), sizeof numbers);
    return place.append(reinterpret_cast<const char*>(&module + 1), module.build_id_size + module.path_size);
}

} // namespace

Verdicts::Verdicts(const config::Config& config, symbols::NameOptions options, symbols::NameSources sources, std::int64_t rank, Verdicts* forked_from)
    : forked_from_(forked_from), ranks_(config.filter_only_for_ranks), patches_(config.filter_live_patching),
      wishes_(forked_from ? forked_from->wishes_ : *new Wishes), rank_is_out_(!ranks_.contains(rank)),
      rules_(config, options, std::move(sources), forked_from ? &forked_from->rules_ : nullptr), triggers_(config.filter_triggers), can_patch_(patches_) {
    trivial_ = rules_.trivial() && wishes_.none() && !rank_is_out_;
    // Another thread of the parent was about to change the text, or it was changed for another reason than there is here.
    if (forked_from_ && (!forked_from_->lock_.try_lock() || forked_from_->rank_is_out_ != rank_is_out_))
        patch::put_back_all();
}

// A hook runs on whatever stack its caller has, and a handler that interrupts us here must not ask again.
template <class Work>
void Verdicts::locked_on_own_stack(Work work) {
    struct Job {
        Verdicts& verdicts;
        Work& work;
    } job{*this, work};
    base::on_kept_stack(
        [](void* data) {
            Job& job = *static_cast<Job*>(data);
            std::lock_guard guard(job.verdicts.lock_);
            try {
                job.verdicts.notice_unloads();
                job.work();
            } catch (const std::exception& error) { // no memory: the function is recorded
                base::warn("a filter is not applied to a function: ", error.what());
            }
        },
        &job);
}

void Verdicts::notice_unloads() {
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

std::atomic<std::uint64_t>& Verdicts::recent_slot(std::uint64_t function) {
    return recent_[function * 0x9e3779b97f4a7c15u >> 52];
}

void Verdicts::remember(std::uint64_t function, std::uint8_t verdict) {
    recent_slot(function).store(function << 8 | ValidBit | verdict, std::memory_order_release);
}

void Verdicts::forget_recent() {
    for (std::atomic<std::uint64_t>& slot : recent_)
        slot.store(0, std::memory_order_relaxed);
}

std::optional<std::uint8_t> Verdicts::recent(std::uint64_t function) {
    if (trivial_.load(std::memory_order_relaxed))
        return 0;
    const std::uint64_t found = recent_slot(function).load(std::memory_order_acquire);
    if (found >> 8 == (function & ~std::uint64_t{0} >> 8) && found & ValidBit &&
        unloads_.load(std::memory_order_relaxed) == recorder.modules.unloads())
        return found & VerdictBits;
    return std::nullopt;
}

std::uint8_t Verdicts::on(std::uint64_t function) {
    if (const auto known = recent(function))
        return *known;
    std::uint8_t verdict = 0;
    locked_on_own_stack([&] {
        verdict = judged(function).verdict;
        remember(function, verdict);
    });
    return verdict;
}

std::uint8_t Verdicts::on_called_before(std::uint64_t function, std::uint16_t module) {
    if (const auto known = recent(function))
        return *known;
    std::uint8_t verdict = 0;
    locked_on_own_stack([&] {
        if (module != 0 && !recorder.modules.unloaded(module)) {
            verdict = judged_in(function, module, Patch::Now).verdict;
            remember(function, verdict);
        } else if (const auto found = functions_.find(function); found != functions_.end() && found->second.module == module)
            verdict = found->second.verdict;
    });
    return verdict;
}

// The object that is at the function's address now.
Verdicts::Known& Verdicts::judged(std::uint64_t function) { return judged_in(function, recorder.modules.find(function), Patch::Later); }

Verdicts::Known& Verdicts::judged_in(std::uint64_t function, std::uint16_t id, Patch patch) {
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
            known.ruled = ruling.verdict;
            trigger_places_.set(function, ruling.triggers);
        }
        if (const auto path = rules_.without_files())
            base::warn(*path, " has no debug information that can be read: filters by files match nothing there");
        if (const auto name = rules_.given_up_on())
            base::warn("a regular expression of a filter takes too long for some names, and matches none of these: it was tried on ", *name);
    }
    known.returns = returns;
    known.wish = !module || wishes_.none() ? Wish::None : wishes_.of(place_in_file(*module->record, function)); // said while it was elsewhere, perhaps
    known.verdict = 0; // its text is as it was loaded
    settle(function, known, patch);
    return known;
}

// From all that is known to the verdict, and to the text. False: its hook calls cannot be put back, so it stays excluded.
bool Verdicts::settle(std::uint64_t function, Known& known, Patch patch) {
    std::uint8_t verdict = known.ruled & ~record::VerdictExcluded;
    const bool excluded = known.wish == Wish::None ? known.ruled & record::VerdictExcluded : known.wish == Wish::Exclude;
    if ((excluded || rank_is_out_) && !(verdict & record::VerdictTrigger))
        verdict |= record::VerdictExcluded;
    const bool was_excluded = known.verdict & record::VerdictExcluded, is_excluded = verdict & record::VerdictExcluded;
    known.verdict = verdict;
    if (!patches_ || was_excluded == is_excluded)
        return true;
    if (is_excluded) {
        if ((patch == Patch::Now || known.wish == Wish::Exclude) && patch::possible())
            known.wish == Wish::Exclude ? patch::take_out_everywhere(function) : patch::take_out(function);
    } else if (!patch::put_back(function)) {
        known.verdict |= record::VerdictExcluded;
        return false;
    }
    return true;
}

bool Verdicts::set_wish(std::uint64_t function, Wish wish, bool even_if_wished) {
    bool done = false;
    locked_on_own_stack([&] {
        Known& known = judged(function);
        if (known.module == 0 || known.verdict & record::VerdictTrigger || (!even_if_wished && known.wish != Wish::None))
            return;
        const Wish before = std::exchange(known.wish, wish);
        if (!settle(function, known, Patch::Now)) {
            known.wish = before;
            return;
        }
        wishes_.set(place_in_file(*recorder.modules.entry(known.module)->record, function), wish);
        remember(function, known.verdict);
        trivial_ = false;
        done = true;
    });
    return done;
}

bool Verdicts::wish(std::uint64_t function, Wish wish) { return set_wish(function, wish, true); }

bool Verdicts::exclude_if_not_wished(std::uint64_t function) { return set_wish(function, Wish::Exclude, false); }

bool Verdicts::set_rank(std::int64_t rank) {
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

std::vector<vfd::ExpressionUse> Verdicts::expression_uses() {
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

bool Verdicts::excluded_call(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) {
    if (!can_patch_.load(std::memory_order_relaxed) || !(on(function) & record::VerdictExcluded))
        return true;
    const Patience::Answer answer = hook_site != 0 ? patience_.on_enter(function, hook_site) : patience_.on_leave(caller, function);
    if (answer == Patience::Answer::Change)
        take_out_below(caller, function, hook_site);
    return answer != Patience::Answer::Wait;
}

void Verdicts::take_out_below(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) {
    base::Undisturbed whole;
    std::lock_guard guard(lock_);
    notice_unloads();
    // It may have been included meanwhile, by another thread.
    const auto known = functions_.find(function);
    if (known == functions_.end() || !(known->second.verdict & record::VerdictExcluded))
        return;
    if (patch::possible())
        patch::take_out_below(caller, function, hook_site);
    else
        can_patch_.store(false, std::memory_order_relaxed);
}

} // namespace vftr::filter
