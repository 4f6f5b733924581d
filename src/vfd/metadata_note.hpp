// SPDX-License-Identifier: BSD-3-Clause
//
// Metadata notes: facts about a process in words. They are stored as names of the kind Root in Names segments and
// belong to no node. Of two notes with the same beginning the later one is valid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vftr::vfd {

// Followed by a number: hook calls of excluded functions that were taken out of the running machine code (src/patch).
inline constexpr std::string_view HookCallsOut = "hook calls taken out: ";
// Followed by a number: further hook calls in the same machine code for which it is not certain to which function they
// belong.
inline constexpr std::string_view HookCallsUncertain = "hook calls of uncertain functions: ";
// Followed by the reason.
inline constexpr std::string_view HookCallsStay = "hook calls stay: ";
// Followed by a number: threads that came when there was no record left for them; none of their calls is recorded.
inline constexpr std::string_view ThreadsRefused = "threads refused: ";
// Followed by a number: threads that were not sampled, or only a part of their time, as there was no memory left for a
// ring of samples.
inline constexpr std::string_view ThreadsWithoutRing = "threads without a ring of samples: ";

// How often an expression of the configuration matched that chooses functions, or a list of ranks or threads. A process
// that does not know this writes no such note.
struct ExpressionUse {
    // The option; for a trigger with its action: "filter.exclude.functions", "filter.triggers[0] (start)".
    std::string rule;
    std::string expression;
    // For a trigger: calls of what it matches, counted up to `needed`; else 1 if the expression has matched anything.
    std::uint64_t uses = 0;
    std::uint64_t needed = 1; // the uses after which the expression has an effect

    bool operator==(const ExpressionUse&) const = default;
};
// "expression <rule>: <uses> of <needed> <expression>"
std::string to_metadata_note(const ExpressionUse& use);
// Returns nullopt if the note is another kind of metadata note, or no metadata note.
std::optional<ExpressionUse> expression_use(std::string_view note);

} // namespace vftr::vfd
