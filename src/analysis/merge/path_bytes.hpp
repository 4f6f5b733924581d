// SPDX-License-Identifier: BSD-3-Clause
//
// How a call path of a Profile is written (serialize.hpp). Most fields of a path follow from the fields and the path
// before them. So a path begins with a byte that says which parts it has, and the other parts are neither written nor
// read. This matters because a process with many paths writes them at its end.
//
// visit_path() alone says which fields there are, and which values are implied. Its visitors find the parts of a path,
// write it, or read it. A visitor's optional(part, number, implied) uses the number where the part is present, and the
// implied value otherwise. Differences are modulo 2^64.
#pragma once

#include "analysis/profile/profile.hpp"
#include "base/compiler.hpp"
#include "base/leb128.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace vftr::analysis {

enum class PathPart : std::uint8_t {
    Caller = 1,    // the caller is not that of the path before
    Nature = 2,    // the path is not a plain function
    Callees = 4,   // the inclusive times differ from the exclusive ones
    Ranks = 8,     // not all ranks have the path
    Threads = 16,  // several threads of a rank have the path
    Estimate = 32, // not all calls were timed
    Unseen = 64,   // not all calls were counted
};
constexpr std::uint8_t AllPathParts = 127;

// `before` is the preceding path, or the path itself if it is the first.
template <typename Visitor, typename Node>
void visit_path(Visitor& visitor, Node& node, const PathNode& before, std::uint32_t rank_count) {
    visitor.optional(PathPart::Caller, node.parent, before.parent);
    visitor.field(node.name);
    visitor.optional(PathPart::Nature, node.kind, NodeKind::Function);
    visitor.optional(PathPart::Nature, node.precise, false);
    visitor.optional(PathPart::Nature, node.excluded, false);
    visitor.field(node.calls);
    visitor.field(node.exclusive);
    visitor.above(node.exclusive, node.raw_exclusive);
    visitor.field(node.overhead);
    visitor.field(node.unknown);
    visitor.optional(PathPart::Callees, node.inclusive, node.exclusive);
    visitor.optional(PathPart::Callees, node.raw_inclusive, node.raw_exclusive);
    visitor.optional(PathPart::Ranks, node.ranks, rank_count);
    visitor.optional(PathPart::Threads, node.threads, std::as_const(node.ranks));
    visitor.optional(PathPart::Threads, node.longest_thread, std::as_const(node.exclusive));
    visitor.optional(PathPart::Estimate, node.estimated, std::uint64_t{0});
    visitor.optional(PathPart::Estimate, node.variance, std::uint64_t{0});
    visitor.optional(PathPart::Unseen, node.unseen, std::uint64_t{0});
    visitor.optional(PathPart::Unseen, node.unseen_error, std::uint64_t{0});
}
constexpr std::size_t SmallestPath = 7; // the byte of its parts, and one byte per field that is always present

class PartsOf {
public:
    template <typename Number>
    void field(const Number&) {}
    void above(std::uint64_t, std::uint64_t) {}
    template <typename Number, typename Implied>
    void optional(PathPart part, const Number& number, const Implied& implied) {
        parts_ |= number == implied ? 0 : static_cast<std::uint8_t>(part);
    }
    std::uint8_t parts() const { return parts_; }

private:
    std::uint8_t parts_ = 0;
};

// The bytes of one path as they are written.
class PathBytes {
public:
    PathBytes(const PathNode& path, const PathNode& before, std::uint32_t rank_count) {
        PartsOf of;
        visit_path(of, path, before, rank_count);
        parts_ = of.parts();
        field(parts_);
        visit_path(*this, path, before, rank_count);
    }
    std::span<const std::byte> all() const {
        return std::as_bytes(std::span(bytes_, static_cast<std::size_t>(end_ - bytes_)));
    }

    // A call would take a third of the time, and gcc makes one where the source has much to inline.
    template <typename Number>
    VFTR_INLINE void field(Number number) {
        end_ = base::put_leb128(end_, static_cast<std::uint64_t>(number));
    }
    void above(std::uint64_t base, std::uint64_t number) { field(number - base); }
    template <typename Number, typename Implied>
    void optional(PathPart part, Number number, const Implied&) {
        if (parts_ & static_cast<std::uint8_t>(part))
            field(number);
    }

private:
    static constexpr std::size_t MostFields = 20;

    std::uint8_t parts_;
    std::uint8_t bytes_[MostFields * base::MostLeb128Bytes + 1];
    std::uint8_t* end_ = bytes_;
};

} // namespace vftr::analysis
