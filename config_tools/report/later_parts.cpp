// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/later_parts.hpp"

#include "config_tools/tell/message.hpp"

#include "analysis/merge/numbering.hpp"
#include "analysis/merge/remainder.hpp"
#include "base/foreign_text.hpp"

#include <cstdio>
#include <utility>

namespace vftr::cli {

void add_later_parts(analysis::Profile& job, const std::vector<vfd::Image>& recordings) {
    const analysis::Numbering numbering = recordings.empty() ? analysis::Numbering() : analysis::numbering_of(job);
    analysis::Profile remainders;
    for (const vfd::Image& image : recordings) {
        const std::int32_t rank = image.header().rank;
        if (!analysis::may_lack_remainder(job, rank))
            continue;
        if (auto remainder = analysis::remainder_of(image))
            analysis::merge(remainders, std::move(*remainder));
        else
            tell_note("what rank " + std::to_string(rank) + " did after MPI_Finalize cannot be told from " +
                      image.label());
    }
    if (remainders.rank_count == 0)
        return;
    analysis::add_remainders(job, remainders);
    analysis::canonicalise(job, numbering);
}

} // namespace vftr::cli
