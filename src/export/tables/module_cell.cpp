// SPDX-License-Identifier: BSD-3-Clause
#include "export/tables/module_cell.hpp"

#include "export/object_label_of.hpp"
#include "symbols/qualified_name.hpp"

#include <string>

namespace vftr::exports {

void put_module(const TablePart& part, std::uint32_t path, Cell& cell) {
    const analysis::PathNode& node = part.profile.nodes[path];
    if (const std::string label = object_label_of(node, part.profile.names[node.name], part.subject.application);
        !label.empty())
        cell.text(symbols::shown_qualifier(label, 0));
}

} // namespace vftr::exports
