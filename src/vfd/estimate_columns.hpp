// SPDX-License-Identifier: BSD-3-Clause
//
// The estimates of a thread as columns (SegmentKind::EstimateColumns). All fields are kept except those that are
// private to the writer.
#pragma once

#include "vfd/format_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vftr::vfd {

// The estimates must be in order of their nodes, with at most one for each node.
std::vector<std::byte> estimate_columns(std::span<const Estimate> estimates);

// Returns the first `count` estimates, or nullopt if the bytes are not valid. It allocates 96 bytes for each estimate,
// which takes at least one byte in `columns`.
std::optional<std::vector<Estimate>> estimates_of_columns(std::span<const std::byte> columns, std::uint64_t count);

} // namespace vftr::vfd
