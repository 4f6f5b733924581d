// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/application.hpp"

#include <algorithm>

namespace vftr::analysis {

void add(Applications& into, const Applications& other) {
    for (const Application& from : other) {
        auto place = std::ranges::lower_bound(into, from.name, {}, &Application::name);
        if (place == into.end() || place->name != from.name)
            place = into.insert(place, {from.name, {}});
        place->ranks.add(from.ranks);
    }
}

} // namespace vftr::analysis
