// SPDX-License-Identifier: BSD-3-Clause
//
// Functions whose hooks take a relevant part of the run: those that a filter should leave out.
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

namespace vftr::report {

std::vector<Found> find_costly_hooks(const Evidence& evidence, std::uint64_t least) {
    std::vector<Found> found;
    for (const FunctionSum& function : evidence.functions) {
        if (function.overhead < least)
            continue;
        found.push_back(
            {function.overhead,
             "recording " + evidence.name(function.heaviest) + " costs " + duration_text(function.overhead) + " in " +
                 counted(function.calls, "call") + ", which do " + duration_text(function.exclusive) +
                 " of work: a filter can leave it out (vftr filter suggest)",
             function.heaviest,
             {},
             {{"overhead_ns", function.overhead}, {"exclusive_ns", function.exclusive}, {"calls", function.calls}}});
    }
    return found;
}

} // namespace vftr::report
