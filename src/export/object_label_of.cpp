// SPDX-License-Identifier: BSD-3-Clause
#include "export/object_label_of.hpp"

#include "symbols/module_label.hpp"
#include "symbols/qualified_name.hpp"

namespace vftr::exports {

std::string object_label_of(const analysis::PathNode& node, std::string_view key, const std::string& application) {
    if (const auto without_symbol = symbols::parse_offset_name(key))
        return std::string(without_symbol->label).append("{").append(without_symbol->id) + '}';
    const std::string_view object = symbols::parse_qualified(key).qualifier;
    if (object.empty())
        return node.kind == analysis::NodeKind::Function ? application : std::string();
    if (object.starts_with('/')) // a source file
        return {};
    const bool program = symbols::is_executable_label(object) && symbols::shown_qualifier(object, 0) == application;
    return program ? application : std::string(object);
}

} // namespace vftr::exports
