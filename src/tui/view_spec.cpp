// SPDX-License-Identifier: BSD-3-Clause
#include "tui/view_spec.hpp"

namespace vftr::tui {

std::span<const ViewSpec* const> view_specs() {
    static constexpr const ViewSpec* All[] = {
#define VFTR_VIEW(name) &view_##name,
#include "tui/views/views.def"
#undef VFTR_VIEW
    };
    return All;
}

} // namespace vftr::tui
