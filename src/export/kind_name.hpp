// SPDX-License-Identifier: BSD-3-Clause
//
// What kinds of call paths are called in files for scripts and viewers.
#pragma once

#include "vfd/format.hpp"

#include <string_view>

namespace vftr::exports {

constexpr std::string_view kind_name(vfd::NodeKind kind) {
    switch (kind) {
    case vfd::NodeKind::Root:
        return "root";
    case vfd::NodeKind::Function:
        return "function";
    case vfd::NodeKind::Region:
        return "region";
    case vfd::NodeKind::Mpi:
        return "mpi";
    case vfd::NodeKind::Pause:
        return "pause";
    case vfd::NodeKind::Overflow:
        return "overflow";
    case vfd::NodeKind::OpenMp:
        return "openmp";
    case vfd::NodeKind::AttributedWork:
        return "attributed_work";
    case vfd::NodeKind::Unhooked:
        return "unhooked";
    }
    return "unknown";
}

} // namespace vftr::exports
