// SPDX-License-Identifier: BSD-3-Clause
#include "filter/filter.hpp"

#include "base/process.hpp"
#include "filter/decisions.hpp"
#include "filter/run_time.hpp"
#include "record/hot/decision_update.hpp"
#include "record/hot/filter_decisions.hpp"
#include "record/threads/thread_records.hpp"

#include <atomic>

namespace vftr::filter {

namespace {

// Never destroyed: hooks may be called late.
Decisions* decisions = nullptr;
const config::RankSet* threads = nullptr;

std::uint8_t decision_on(std::uint64_t function) { return decisions->on(function); }
std::uint8_t decision_before(std::uint64_t function, std::uint16_t module) {
    return decisions->on_called_before(function, module);
}
bool excluded_call(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) {
    return decisions->excluded_call(caller, function, hook_site);
}
bool records_thread(std::uint32_t index) { return threads->contains(index); }
bool has_recorded_thread() {
    for (std::uint32_t i = 0; i < record::recorder.thread_count.load(std::memory_order_relaxed); ++i)
        if (threads->contains(i) && record::thread_of(i))
            return true;
    return false;
}
record::TriggerAction trigger_called(std::uint64_t function) { return decisions->called(function); }
// Excludes a function that is called too often. With exact timing this is called every 20 µs for a function that cannot
// be excluded, so the latest of these is remembered.
void too_hot(std::uint64_t function) {
    static std::atomic<std::uint64_t> refused{0};
    if (refused.load(std::memory_order_relaxed) == function)
        return;
    if (decisions->exclude_unless_overridden(function))
        record::decision_has_changed(function);
    else
        refused.store(function, std::memory_order_relaxed);
}

} // namespace

void begin(const config::Config& config, const std::string& store, record::Settings& settings) {
    const symbols::NameOptions names{config.demangle_cxx, config.strip_module_names};
    decisions = new Decisions(config, names, {store, 0}, base::launched_rank(), decisions);
    settings.decision_on = decision_on;
    settings.decision_before = decision_before;
    settings.max_depth = static_cast<std::uint32_t>(config.filter_max_depth);
    settings.min_duration = config.filter_min_duration;
    if (config.filter_live_patching)
        settings.excluded_call = excluded_call;
    if (decisions->triggers().any())
        settings.trigger_called = trigger_called;
    if (config.filter_auto_exclude)
        settings.too_hot = too_hot;
    if (config.filter_live_patching) {
        settings.take_hook_calls_out = [](std::span<const std::uint64_t> functions) {
            return decisions->begin_windows(functions);
        };
        settings.switch_hook_calls = [](std::span<const std::uint64_t> functions, bool in) {
            decisions->switch_windowed(functions, in);
        };
    }
    if (!(config.filter_only_for_threads == config::RankSet::all())) {
        threads = new config::RankSet(config.filter_only_for_threads);
        settings.records_thread = records_thread;
    }
}

bool begins_stopped() { return decisions->triggers().begins_stopped(); }

void set_rank(std::int64_t rank) {
    if (!decisions || !decisions->set_rank(rank))
        return;
    record::decision_has_changed(record::ChangedFunctions::Any);
    record::follow_decisions_here();
}

bool keeps_hook_calls() { return decisions && decisions->keeps_hook_calls(); }

std::vector<vfd::ExpressionUse> expression_uses() {
    if (!decisions)
        return {};
    std::vector<vfd::ExpressionUse> uses = decisions->expression_uses();
    if (threads && chooses(*threads))
        uses.push_back({"filter.only_for_threads", threads->text(), has_recorded_thread() ? 1u : 0u});
    return uses;
}

std::string add_expression(const char* expression, bool exclude) {
    if (!decisions)
        return "this process has no filters";
    std::string problem = decisions->add_expression(expression, exclude);
    if (problem.empty())
        record::decision_has_changed(record::ChangedFunctions::Any);
    return problem;
}

bool exclude(std::uint64_t function) {
    return decisions && decisions->runtime_override(function, RuntimeOverride::Exclude);
}

bool include(std::uint64_t function) {
    return decisions && decisions->runtime_override(function, RuntimeOverride::Include);
}

} // namespace vftr::filter
