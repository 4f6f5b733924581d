// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree of a thread as columns (SegmentKind::NodeColumns): some 2 to 6 bytes a node, where a Node has 64. All
// of a Node is kept. Nodes that are made one after the other stand near each other in the tree, functions are few, and
// most of the rest can be told from the other nodes or is 0.
#pragma once

#include "vfd/image.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vftr::vfd {

// Of a thread whose nodes are sound, as an Image says. Each node is read once, so that a thread that goes on does no
// harm.
std::vector<std::byte> node_columns(const ThreadView& thread);

// The first `count` nodes again, whose parents have smaller ids; nullopt: the bytes make no sense. Takes 64 bytes of
// memory a node, of which each has a byte at least in `columns`.
std::optional<std::vector<Node>> nodes_of_columns(std::span<const std::byte> columns, std::uint64_t count);

} // namespace vftr::vfd
