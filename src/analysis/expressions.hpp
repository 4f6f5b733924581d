// SPDX-License-Identifier: BSD-3-Clause
//
// Expressions of the configuration that choose functions, and what came of them in all processes of a profile.
#pragma once

#include "analysis/profile.hpp"

#include <vector>

namespace vftr::analysis {

// In any order the same.
void unite_uses(std::vector<vfd::ExpressionUse>& into, const std::vector<vfd::ExpressionUse>& from);

// Those of which nothing came in any process: a rule that matched nothing, a trigger that never acted. Empty where a
// process may have more to say: it is of another rank, runs on, or was killed.
std::vector<vfd::ExpressionUse> without_effect(const Profile& profile);

} // namespace vftr::analysis
