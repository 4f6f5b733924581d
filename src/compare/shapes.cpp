// SPDX-License-Identifier: BSD-3-Clause
#include "compare/shapes.hpp"

#include "symbols/qualified_name.hpp"

#include <bit>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace vftr::compare {

Shapes::Shapes(const CombinedTree& tree)
    : with_names(tree.size()), without_calls(tree.size()), below(tree.size()), callees(tree.size()),
      places(tree.size()) {
    std::vector<std::uint64_t> module; // by function
    for (const std::string& name : tree.paths().names)
        module.push_back(mixed(std::hash<std::string_view>()(symbols::parse_qualified(name).qualifier)));
    for (auto place = static_cast<std::uint32_t>(tree.size()); place-- > 1;) {
        if (tree.is_in_both(place))
            continue;
        const std::size_t side = tree.is_in(Base, place) ? Base : New;
        const std::uint64_t function = mixed(tree.function(place));
        const std::uint64_t calls = mixed(std::bit_cast<std::uint64_t>(tree.calls(side, place)));
        // What callees have added so far becomes the number of the whole.
        with_names[place] = mixed(with_names[place] + 3 * function + 5 * calls);
        without_calls[place] = mixed(without_calls[place] + 3 * function);
        ++places[place];
        const std::uint32_t caller = tree.parent(place);
        if (tree.is_in_both(caller))
            continue;
        with_names[caller] += with_names[place];
        without_calls[caller] += without_calls[place];
        below[caller] += mixed(below[place] + 7 * module[tree.function(place)] + 5 * calls);
        callees[caller] += mixed(3 * function + 5 * calls);
        places[caller] += places[place];
    }
}

} // namespace vftr::compare
