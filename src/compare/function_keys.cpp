// SPDX-License-Identifier: BSD-3-Clause
#include "compare/function_keys.hpp"

#include "symbols/module_label.hpp"
#include "symbols/qualified_name.hpp"

#include <cstddef>
#include <unordered_map>
#include <utility>

namespace vftr::compare {

std::string function_key(std::string_view name, bool one_program) {
    if (symbols::parse_offset_name(name))
        return std::string(name);
    const symbols::QualifiedName parts = symbols::parse_qualified(name);
    if (parts.qualifier.empty() || (one_program && symbols::is_executable_label(parts.qualifier)))
        return std::string(parts.name);
    return symbols::qualified(std::string(parts.name), symbols::shown_qualifier(parts.qualifier, 0));
}

FunctionKeys::FunctionKeys(const Runs& runs) : names{"init"} {
    std::unordered_map<std::string, std::uint32_t> known;
    for (std::size_t side = 0; side < runs.size(); ++side)
        for (const analysis::Profile& run : runs[side]) {
            std::vector<std::uint32_t>& functions = of_name[side].emplace_back();
            functions.reserve(run.names.size());
            for (const std::string& name : run.names) {
                const auto [found, is_new] =
                    known.try_emplace(function_key(name, run.applications.size() <= 1), names.size());
                if (is_new)
                    names.push_back(found->first);
                functions.push_back(found->second);
            }
        }
}

} // namespace vftr::compare
