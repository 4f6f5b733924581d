// SPDX-License-Identifier: BSD-3-Clause
#include "session/timing.hpp"

#include "base/message.hpp"
#include "base/process.hpp"
#include "base/real_thread_create.hpp"
#include "record/budget/budget.hpp"
#include "record/recorder.hpp"
#include "session/session.hpp"

#include <array>
#include <cstdio>
#include <utility>

namespace vftr::session {
namespace {

using record::recorder;
using Kind = config::TimingWish::Kind;

constexpr const char* NoThread = "the thread that it needs could not be created";
constexpr const char* NoPatching = "\"filter.live_patching\" is false";

// Returns why the budget cannot be kept, or nullptr.
const char* set_timing(bool adaptive, double budget) {
    recorder.timing.adaptive = adaptive;
    recorder.timing.budget = budget;
    if (record::keep_budget(base::create_for_own_thread()))
        return nullptr;
    recorder.timing.budget = 0;
    return NoThread;
}

} // namespace

void begin_timing(const config::Config& config, bool forked) {
    const char* obstacle = nullptr;
    if (forked) {
        obstacle = set_timing(recorder.timing.adaptive, recorder.timing.budget);
    } else {
        const bool adaptive = config.timing != "exact" && !recorder.settings.all_events;
        const bool budget = config.timing == "budget" && adaptive && !record::embedded();
        if (budget && !config.filter_live_patching)
            obstacle = NoPatching;
        const char* problem = set_timing(adaptive, budget && !obstacle ? config.overhead_budget : 0);
        obstacle = problem ? problem : obstacle;
    }
    static bool told = false; // a forked child inherits it
    if (obstacle && !std::exchange(told, true) && base::prints_job_messages())
        base::warn("timing is adaptive and keeps no budget: ", obstacle);
}

std::string change_timing(const config::TimingWish& wish) {
    if (wish.kind != Kind::Exact && recorder.settings.all_events)
        return "all calls are timed, as \"sampling.sample_interval\" is 0";
    if (wish.kind == Kind::Budget && !configuration().filter_live_patching)
        return NoPatching;
    const double wanted = wish.budget != 0 ? wish.budget : configuration().overhead_budget;
    const char* obstacle = set_timing(wish.kind != Kind::Exact, wish.kind == Kind::Budget ? wanted : 0);
    return obstacle ? obstacle : "";
}

std::string timing_now() {
    const double budget = recorder.timing.budget;
    if (budget == 0)
        return recorder.timing.adaptive ? "adaptive" : "exact";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "budget=%g", budget);
    return text.data();
}

} // namespace vftr::session
