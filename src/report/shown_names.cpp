// SPDX-License-Identifier: BSD-3-Clause
#include "report/shown_names.hpp"

#include "symbols/module_label.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace vftr::report {

ShownNames::ShownNames(const analysis::Profile& profile) : profile_(profile), qualifiers_(profile.names) {
    std::map<std::string_view, std::string_view> first; // module id by label
    std::set<std::string_view> shared;
    for (const std::string& name : profile.names)
        if (const auto parts = symbols::parse_offset_name(name))
            if (first.try_emplace(parts->label, parts->id).first->second != parts->id)
                shared.insert(parts->label);
    for (std::uint32_t i = 0; i < profile.names.size(); ++i)
        if (const auto parts = symbols::parse_offset_name(profile.names[i]); parts && !shared.contains(parts->label))
            short_.emplace(i, symbols::without_module_id(profile.names[i]));
        else if (std::string shown = qualifiers_.of(profile.names[i]); shown != profile.names[i])
            short_.emplace(i, std::move(shown));
}

std::string ShownNames::of_text(const std::string& name) const {
    return symbols::without_module_id(qualifiers_.of(name));
}

std::string ShownNames::fitted(std::string_view shown, std::size_t limit, std::size_t bound) const {
    const std::pair widths(limit, std::max(limit, bound));
    auto found = fitted_.find(widths);
    if (found == fitted_.end()) {
        std::vector<std::string_view> all;
        for (std::uint32_t i = 0; i < profile_.names.size(); ++i)
            all.push_back(of_name(i));
        found = fitted_.try_emplace(widths, all, widths.first, widths.second).first;
    }
    return found->second.of(shown);
}

} // namespace vftr::report
