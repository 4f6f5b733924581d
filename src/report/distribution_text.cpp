// SPDX-License-Identifier: BSD-3-Clause
#include "report/distribution_text.hpp"

#include "report/number_text.hpp"
#include "report/rows.hpp"

#include <cstdint>

namespace vftr::report {

std::vector<std::string> distribution_texts(const analysis::DurationHistogram* durations) {
    if (!durations || durations->count() == 0)
        return std::vector<std::string>(DistributionTitles.size(), NoValue);
    std::vector<std::string> texts;
    for (const std::uint64_t ns : {durations->shortest(), durations->quantile(0.5), durations->quantile(0.9),
                                   durations->quantile(0.99), durations->longest()})
        texts.push_back(duration_text(ns));
    return texts;
}

} // namespace vftr::report
