// SPDX-License-Identifier: BSD-3-Clause
//
// Tells rows of a table apart that have the same function and the same caller, and would read alike: by functions
// further out on their call paths, "exchange<by_rows", or "exchange<…<by_rows" where others lie between
// (told_apart.hpp). Where the column with whole call paths is shown, this is not needed.
#pragma once

#include "analysis/profile/profile.hpp"
#include "report/told_apart.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::report {

struct Context;
class Footnotes;

class DistinctCallers {
public:
    // `rows` are indices of nodes of the profile, which must outlive it.
    DistinctCallers(const analysis::Profile& profile, const std::vector<std::uint32_t>& rows);

    // The cell of the column Caller for a node other than the root. It is no wider than a name may be.
    std::string cell(const Context& context, Footnotes& footnotes, std::uint32_t node) const;
    // The line below the table that explains this; empty where no row has it.
    std::string note() const;

private:
    const analysis::Profile& profile_;
    // By node, from the caller of its caller outwards; only those with `kept`.
    std::unordered_map<std::uint32_t, AlikePath> paths_;
};

} // namespace vftr::report
