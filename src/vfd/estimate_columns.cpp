// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/estimate_columns.hpp"

#include "vfd/columns.hpp"

#include <bit>
#include <utility>

namespace vftr::vfd {

namespace {

// Reverses the bytes of a double. Whole numbers end with zeros in their mantissa and so become small numbers.
std::uint64_t turned(double value) { return __builtin_bswap64(std::bit_cast<std::uint64_t>(value)); }
double from_byte_swapped(std::uint64_t bits) { return std::bit_cast<double>(__builtin_bswap64(bits)); }

} // namespace

std::vector<std::byte> estimate_columns(std::span<const Estimate> estimates) {
    Column node, stride, count_only_calls, timed, own, variance;
    SparseColumn weight;
    std::uint32_t before = 0;
    for (const Estimate& estimate : estimates) {
        node.add(estimate.node - before);
        before = estimate.node;
        stride.add(estimate.stride);
        count_only_calls.add(estimate.count_only_calls);
        weight.add(base::zigzag(estimate.count_only_calls - estimate.weight));
        timed.add(estimate.timed);
        own.add(turned(estimate.own));
        variance.add(turned(estimate.variance));
    }
    weight.end();
    return join_columns({node.bytes(), stride.bytes(), count_only_calls.bytes(), weight.bytes(), timed.bytes(),
                         own.bytes(), variance.bytes()});
}

std::optional<std::vector<Estimate>> estimates_of_columns(std::span<const std::byte> bytes, std::uint64_t count) {
    ColumnReader columns(bytes), node = columns.part(), stride = columns.part(), count_only_calls = columns.part();
    SparseColumnReader weight(columns.part());
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
        estimate.stride = static_cast<std::uint32_t>(stride.next());
        estimate.count_only_calls = count_only_calls.next();
        estimate.weight = estimate.count_only_calls - base::unzigzag(weight.next());
        estimate.timed = timed.next();
        estimate.own = from_byte_swapped(own.next());
        estimate.variance = from_byte_swapped(variance.next());
    }
    const bool sound = node.finished() && stride.finished() && count_only_calls.finished() && weight.finished() &&
                       timed.finished() && own.finished() && variance.finished();
    return sound ? std::optional(std::move(estimates)) : std::nullopt;
}

} // namespace vftr::vfd
