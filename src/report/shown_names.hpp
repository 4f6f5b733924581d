// SPDX-License-Identifier: BSD-3-Clause
//
// The names of a profile as tables show them: with their qualifiers where two would read alike
// (symbols/qualified_name.hpp); those of functions without a symbol in the short form (symbols/module_label.hpp),
// unless the profile has functions of several modules with one file name; and, where there is little room, shortened so
// that different names of the profile read differently.
#pragma once

#include "analysis/profile.hpp"
#include "report/distinct_names.hpp"
#include "symbols/qualified_name.hpp"

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

    // Of a name that is not among those of call paths, such as that of a thread's first function.
    std::string of_text(const std::string& name) const;

    // A name that one of these gave, in about `limit` characters. Not for several threads at once.
    std::string fitted(std::string_view shown, std::size_t limit) const;

private:
    const analysis::Profile& profile_;
    const symbols::ShownQualifiers qualifiers_;
    std::unordered_map<std::uint32_t, std::string> short_; // only those that differ
    mutable std::map<std::size_t, DistinctNames> fitted_;  // by limit
};

} // namespace vftr::report
