// SPDX-License-Identifier: BSD-3-Clause
#include "report/findings/finding.hpp"

#include <algorithm>
#include <utility>

namespace vftr::report {
namespace {

constexpr Rule Rules[] = {
#define VFTR_FINDING(name, title, percent, most, table) {#name, title, table, (percent) / 100.0, most, find_##name},
#include "report/findings/rules.def"
#undef VFTR_FINDING
};

// Without MPI_Init and MPI_Finalize, as in the efficiencies: how long these take is up to the machine. Recordings from
// before the breakdown have none.
std::uint64_t time_of_all_threads(const analysis::Profile& profile) {
    const std::uint64_t all = profile.breakdown.sum() - profile.breakdown.of(analysis::Activity::MpiBeginEnd).sum;
    return std::max<std::uint64_t>(all != 0 ? all : profile.summary.runtime_sum, 1);
}

// Moves why a rank comes late before how others wait for it, and says there what it follows from.
void put_causes_first(std::vector<Finding>& all) {
    for (std::size_t symptom = 0; symptom < all.size(); ++symptom) {
        if (!all[symptom].others_wait || !all[symptom].rank)
            continue;
        std::string causes;
        std::uint64_t explained = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].why_late.empty() || all[i].rank != all[symptom].rank)
                continue;
            causes += (causes.empty() ? "" : " and ") + all[i].why_late;
            explained += all[i].ns;
            if (i > symptom) {
                std::rotate(all.begin() + static_cast<std::ptrdiff_t>(symptom),
                            all.begin() + static_cast<std::ptrdiff_t>(i),
                            all.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                ++symptom; // where it is now
            }
        }
        // What all ranks lose by a cause is an estimate, so that half as much is taken for all of it.
        if (!causes.empty())
            all[symptom].text +=
                (explained < all[symptom].ns / 2 ? "; a part of it follows from " : "; it follows from ") + causes;
    }
}

} // namespace

Evidence::Evidence(const analysis::Profile& profile, const ShownNames& names, const analysis::Waits* waits,
                   std::size_t name_width)
    : profile(profile), waits(waits), functions(by_function(profile)), whole(time_of_all_threads(profile)),
      names_(names), name_width_(name_width) {}

std::string Evidence::name(std::uint32_t node) const {
    return name_width_ == 0 ? names_.of(node) : names_.fitted(names_.of(node), name_width_, name_width_);
}

std::string Evidence::place(std::uint32_t node) const {
    const std::uint32_t caller = profile.nodes[node].parent;
    return caller == 0 ? name(node) : name(node) + " below " + name(caller);
}

std::vector<Finding> findings(const Evidence& evidence) {
    const auto whole = static_cast<double>(evidence.whole);
    const auto longest_first = [](const Found& a, const Found& b) {
        return a.before_all != b.before_all ? a.before_all : a.ns > b.ns;
    };
    std::vector<Finding> all;
    for (const Rule& rule : Rules) {
        std::vector<Found> found = rule.look(evidence, static_cast<std::uint64_t>(rule.least * whole) + 1);
        std::stable_sort(found.begin(), found.end(), longest_first);
        found.resize(std::min(found.size(), rule.most));
        for (Found& one : found)
            all.push_back({std::move(one), &rule, static_cast<double>(one.ns) / whole});
    }
    std::stable_sort(all.begin(), all.end(), longest_first);
    put_causes_first(all);
    all.resize(std::min(all.size(), MostFindings));
    return all;
}

} // namespace vftr::report
