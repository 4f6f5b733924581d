// SPDX-License-Identifier: BSD-3-Clause
//
// The names of a profile as tables show them: those of functions without a symbol in the short form (symbols/module_label.hpp), unless the
// profile has functions of several modules with one file name; and, where there is little room, shortened so that different names of the profile read differently.
#pragma once

#include "analysis/profile.hpp"
#include "report/distinct_names.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace vftr::report {

// The profile must outlive it.
class ShownNames {
public:
    explicit ShownNames(const analysis::Profile& profile);

    const std::string& of_name(std::uint32_t name) const { // index into Profile::names
        const auto found = short_.find(name);
        return found == short_.end() ? profile_.names[name] : found->second;
    }
    const std::string& of(std::uint32_t node) const { return of_name(profile_.nodes[node].name); }

    // A name that one of these gave, in about `limit` characters. Not for several threads at once.
    std::string fitted(std::string_view shown, std::size_t limit) const;

private:
    const analysis::Profile& profile_;
    std::unordered_map<std::uint32_t, std::string> short_; // only those that differ
    mutable std::map<std::size_t, DistinctNames> fitted_;  // by limit
};

} // namespace vftr::report
