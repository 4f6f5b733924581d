// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/rules.hpp"

namespace vftr::instrument {

Decision decide_early(const Rules& rules, const Body& body, Wish wish, bool is_main, bool optimised) {
    if (wish == Wish::Exclude)
        return {Hooks::None, "a list excludes it"};
    if (wish == Wish::Include)
        return {Hooks::Before, "a list includes it"};
    if (rules.mode == Mode::None)
        return {Hooks::None, "hooks=none"};
    if (rules.mode == Mode::Before)
        return {Hooks::Before, "hooks=before"};
    if (is_main)
        return {Hooks::Before, "the main program"};
    if (optimised)
        return {Hooks::After, "to be decided after inlining"};
    if (rules.mode == Mode::After)
        return {Hooks::Before, "hooks=after, and nothing is inlined"};
    if (body.loops != 0)
        return {Hooks::Before, "a loop"};
    if (body.statements >= rules.min_size)
        return {Hooks::Before, "long"};
    return {Hooks::None, "short"};
}

bool keeps_function(const Rules& rules, double expected) {
    return rules.mode == Mode::Auto && rules.min_keep_size != 0 && expected >= rules.min_keep_size;
}

Decision decide_late(const Rules& rules, const Body& body) {
    if (rules.mode == Mode::After)
        return {Hooks::After, "hooks=after"};
    if (body.measured) {
        if (body.executed >= rules.min_late_size)
            return {Hooks::After, "long by the profile"};
        return {Hooks::None, "short by the profile"};
    }
    if (body.loops != 0)
        return {Hooks::After, "a loop"};
    // What is only there for rare cases, as errors, does not make a function long.
    if (body.executed >= rules.min_late_size)
        return {Hooks::After, "long"};
    return {Hooks::None, "short"};
}

} // namespace vftr::instrument
