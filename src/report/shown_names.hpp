// SPDX-License-Identifier: BSD-3-Clause
//
// The names of a profile as tables show them. They have their qualifiers where two names would look the same without
// (symbols/qualified_name.hpp). Functions without a symbol have the short form (symbols/module_label.hpp), unless the
// profile has functions of several modules with the same file name. Where there is little room, names are shortened so
// that different names of the profile stay different.
#pragma once

#include "analysis/profile/profile.hpp"
#include "report/distinct_names.hpp"
#include "symbols/qualified_name.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

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

    // The shown form of a name that is not a call path's, such as that of a thread's start function.
    std::string of_text(const std::string& name) const;

    // Shortens a name that one of the functions above returned to about `limit` characters: a function and its class
    // stay whole up to `bound`, where that is more. Not thread-safe.
    static constexpr std::size_t UsualBound = 120;
    std::string fitted(std::string_view shown, std::size_t limit, std::size_t bound = UsualBound) const;

private:
    const analysis::Profile& profile_;
    const symbols::ShownQualifiers qualifiers_;
    std::unordered_map<std::uint32_t, std::string> short_;                        // only names whose shown form differs
    mutable std::map<std::pair<std::size_t, std::size_t>, DistinctNames> fitted_; // by limit and bound
};

} // namespace vftr::report
