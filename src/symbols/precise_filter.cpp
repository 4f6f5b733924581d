// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/precise_filter.hpp"

namespace vftr::symbols {

PreciseFilter::PreciseFilter(std::string_view expression, NameOptions options, NameSources sources)
    : pattern_(expression), names_(options, std::move(sources)) {}

bool PreciseFilter::matches(const Module& module, std::uint64_t address) {
    return pattern_.valid() && pattern_.matches(names_.name(module, address));
}

} // namespace vftr::symbols
