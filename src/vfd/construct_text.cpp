// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/construct_text.hpp"

#include <cstddef>
#include <iterator>

namespace vftr::vfd {

std::string directive(Construct construct) {
    static constexpr const char* Names[] = {
        "construct",        "parallel",  "for",       "sections",  "single",      "barrier",
        "implicit barrier", "critical",  "lock",      "ordered",   "atomic",      "task",
        "taskwait",         "taskgroup", "taskloop",  "target",    "target data", "teams",
        "distribute",       "masked",    "workshare", "reduction", "scope"};
    const auto index = static_cast<std::size_t>(construct);
    return std::string("omp ") + Names[index < std::size(Names) ? index : 0];
}

} // namespace vftr::vfd
