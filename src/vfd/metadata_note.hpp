// SPDX-License-Identifier: BSD-3-Clause
//
// What a process says of itself in words: names of the kind Root in its Names segments, which belong to no node. Of two
// that begin alike the later one counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vftr::vfd {

// + a number: hook calls of excluded functions that are not in the running text (src/patch).
inline constexpr std::string_view HookCallsOut = "hook calls taken out: ";
// + a number: others in the same text, of which it is not certain which function they are for.
inline constexpr std::string_view HookCallsUncertain = "hook calls of uncertain functions: ";
// + why.
inline constexpr std::string_view HookCallsStay = "hook calls stay: ";
// + a number: threads that came when there was no record for them; none of their calls is here.
inline constexpr std::string_view ThreadsRefused = "threads refused: ";

// What came of an expression of the configuration that chooses functions, or of a list of ranks or threads. A process
// that cannot tell says nothing of it.
struct ExpressionUse {
    std::string
        rule; // the option, of a trigger with its action: "filter.exclude.functions", "filter.triggers[0] (start)"
    std::string expression;
    std::uint64_t uses =
        0; // calls of what a trigger's matches, counted up to `needed`; else 1 if it has matched anything
    std::uint64_t needed = 1; // for it to have had an effect

    bool operator==(const ExpressionUse&) const = default;
};
// "expression <rule>: <uses> of <needed> <expression>"
std::string to_metadata_note(const ExpressionUse& use);
// Nothing where it is another metadata note, or none of ours.
std::optional<ExpressionUse> expression_use(std::string_view note);

} // namespace vftr::vfd
