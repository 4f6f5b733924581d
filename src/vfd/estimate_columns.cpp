// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/estimate_columns.hpp"

#include "vfd/columns.hpp"

#include <bit>

namespace vftr::vfd {

namespace {

// The bytes of a number the other way round: whole numbers have zeros at the end of their mantissa, and become small so.
std::uint64_t turned(double value) { return __builtin_bswap64(std::bit_cast<std::uint64_t>(value)); }
double turned_back(std::uint64_t bits) { return std::bit_cast<double>(__builtin_bswap64(bits)); }

} // namespace

std::vector<std::byte> estimate_columns(std::span<const Estimate> estimates) {
    Column node, gap, granted, timed, own, variance;
    SparseColumn stood_for;
    std::uint32_t before = 0;
    for (const Estimate& estimate : estimates) {
        node.add(estimate.node - before);
        before = estimate.node;
        gap.add(estimate.gap);
        granted.add(estimate.granted);
        stood_for.add(zigzag(estimate.granted - estimate.stood_for));
        timed.add(estimate.timed);
        own.add(turned(estimate.own));
        variance.add(turned(estimate.variance));
    }
    stood_for.end();
    return join_columns({node.bytes(), gap.bytes(), granted.bytes(), stood_for.bytes(), timed.bytes(), own.bytes(), variance.bytes()});
}

std::optional<std::vector<Estimate>> estimates_of_columns(std::span<const std::byte> bytes, std::uint64_t count) {
    ColumnReader columns(bytes), node = columns.part(), gap = columns.part(), granted = columns.part();
    SparseColumnReader stood_for(columns.part());
    ColumnReader timed = columns.part(), own = columns.part(), variance = columns.part();
    if (!columns.finished() || count > node.rest())
        return std::nullopt;
    std::vector<Estimate> estimates(count);
    std::uint64_t at = 0;
    for (Estimate& estimate : estimates) {
        at += node.next();
        if (at >= NoNode)
            return std::nullopt;
        estimate.node = static_cast<std::uint32_t>(at);
        estimate.gap = static_cast<std::uint32_t>(gap.next());
        estimate.granted = granted.next();
        estimate.stood_for = estimate.granted - unzigzag(stood_for.next());
        estimate.timed = timed.next();
        estimate.own = turned_back(own.next());
        estimate.variance = turned_back(variance.next());
    }
    const bool sound = node.finished() && gap.finished() && granted.finished() && stood_for.finished() && timed.finished() && own.finished() &&
                       variance.finished();
    return sound ? std::optional(std::move(estimates)) : std::nullopt;
}

} // namespace vftr::vfd
