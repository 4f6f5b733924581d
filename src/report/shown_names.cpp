// SPDX-License-Identifier: BSD-3-Clause
#include "report/shown_names.hpp"

#include "symbols/module_label.hpp"

#include <map>
#include <set>
#include <string_view>

namespace vftr::report {

ShownNames::ShownNames(const analysis::Profile& profile) : profile_(profile) {
    std::map<std::string_view, std::string_view> first; // id by label
    std::set<std::string_view> shared;
    for (const std::string& name : profile.names)
        if (const auto parts = symbols::parse_offset_name(name))
            if (first.try_emplace(parts->label, parts->id).first->second != parts->id)
                shared.insert(parts->label);
    for (std::uint32_t i = 0; i < profile.names.size(); ++i)
        if (const auto parts = symbols::parse_offset_name(profile.names[i]); parts && !shared.contains(parts->label))
            short_.emplace(i, symbols::without_module_id(profile.names[i]));
}

} // namespace vftr::report
