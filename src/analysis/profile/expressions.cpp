// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/expressions.hpp"

#include "analysis/merge/unite.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace vftr::analysis {

using vfd::ExpressionUse;

void unite_uses(std::vector<ExpressionUse>& into, const std::vector<ExpressionUse>& from) {
    into.insert(into.end(), from.begin(), from.end());
    unite(
        into, [](const ExpressionUse& use) { return std::tie(use.rule, use.expression, use.needed); },
        [](ExpressionUse& use, const ExpressionUse& other) { use.uses = std::max(use.uses, other.uses); });
}

std::vector<ExpressionUse> without_effect(const Profile& profile) {
    const Summary& s = profile.summary;
    std::vector<ExpressionUse> found;
    if (profile.rank_count < profile.world_size || !profile.missing_ranks.empty() || !profile.late_ranks.empty() ||
        s.unfinished || s.recovered)
        return found;
    std::copy_if(profile.expressions.begin(), profile.expressions.end(), std::back_inserter(found),
                 [](const ExpressionUse& use) { return use.uses < use.needed; });
    return found;
}

} // namespace vftr::analysis
