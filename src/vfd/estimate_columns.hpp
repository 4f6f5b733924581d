// SPDX-License-Identifier: BSD-3-Clause
//
// The estimates of a thread as columns (SegmentKind::EstimateColumns). All of an Estimate is kept but what belongs to
// its writer.
#pragma once

#include "vfd/format_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vftr::vfd {

// Of estimates in order of their nodes, of which each has one at most.
std::vector<std::byte> estimate_columns(std::span<const Estimate> estimates);

// The first `count` estimates again; nullopt: the bytes make no sense. Takes 96 bytes of memory an estimate, of which
// each has a byte at least in `columns`.
std::optional<std::vector<Estimate>> estimates_of_columns(std::span<const std::byte> columns, std::uint64_t count);

} // namespace vftr::vfd
