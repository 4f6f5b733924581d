// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree of a thread as columns (SegmentKind::NodeColumns). A node takes about 2 to 6 bytes, whereas a Node has
// 64; all fields of a Node are kept. This works because nodes that are created one after the other are near each other
// in the tree, because there are few different functions, and because most other fields are 0 or can be derived from
// other nodes.
#pragma once

#include "vfd/error.hpp"
#include "vfd/views.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vftr::vfd {

// The nodes of the thread must be valid, as those of an Image are. Each node is read once, so that it is safe if the
// thread goes on recording.
std::vector<std::byte> node_columns(const ThreadView& thread);

// Returns the first `count` nodes, whose parents have smaller ids, or nullopt if the bytes are not valid. It allocates
// 64 bytes for each node, which takes at least one byte in `columns`.
std::optional<std::vector<Node>> nodes_of_columns(std::span<const std::byte> columns, std::uint64_t count);

} // namespace vftr::vfd
