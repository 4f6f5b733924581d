// SPDX-License-Identifier: BSD-3-Clause
//
// The functions with most exclusive time, but for those of MPI, of which other rules tell.
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

namespace vftr::report {

std::vector<Found> find_hot_function(const Evidence& evidence, std::uint64_t least) {
    constexpr double MostUncertain = 50; // percent: what is known worse is no finding
    std::vector<Found> found;
    for (const FunctionSum& function : evidence.functions) {
        if (function.exclusive < least || function.uncertainty.percent() > MostUncertain)
            continue;
        const std::uint32_t caller = evidence.profile.nodes[function.heaviest].parent;
        std::string text =
            evidence.name(function.heaviest) + " takes " + duration_text(function.exclusive) + " by itself";
        if (evidence.profile.nodes[function.heaviest].kind != analysis::NodeKind::Unhooked)
            text += ", in " + counted(function.calls, "call");
        if (caller != 0)
            text += (function.paths > 1 ? ", most of it below " : ", below ") + evidence.name(caller);
        found.push_back(
            {function.exclusive,
             std::move(text),
             function.heaviest,
             {},
             {{"exclusive_ns", function.exclusive}, {"calls", function.calls}, {"call_paths", function.paths}}});
    }
    return found;
}

} // namespace vftr::report
