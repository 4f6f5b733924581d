// SPDX-License-Identifier: BSD-3-Clause
//
// The effect that the configuration's expressions, which select functions, had in all processes of a profile.
#pragma once

#include "analysis/profile/profile.hpp"

#include <vector>

namespace vftr::analysis {

// Merges the uses of `from` into `into`. The result does not depend on the order.
void unite_uses(std::vector<vfd::ExpressionUse>& into, const std::vector<vfd::ExpressionUse>& from);

// The expressions that had no effect in any process: a rule that matched nothing, a trigger that never acted. Empty
// where this cannot be known for all processes, as one belongs to another rank, still runs, or was killed.
std::vector<vfd::ExpressionUse> without_effect(const Profile& profile);

} // namespace vftr::analysis
