// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/sample_owners.hpp"

namespace vftr::analysis {

std::vector<std::uint64_t> samples_of_functions(const vfd::ThreadView& thread, std::span<const LocatedSample> samples,
                                                std::span<const std::uint32_t> function_of,
                                                const std::vector<bool>& has_long_calls) {
    std::vector<std::uint64_t> in_code_of(has_long_calls.size()), owned(has_long_calls.size());
    for (const LocatedSample& sample : samples)
        if (sample.function)
            in_code_of[*sample.function] += sample.count;

    const auto is_inlined = [&](std::uint32_t node) {
        return node != 0 && thread.node(node).kind == vfd::NodeKind::Function && in_code_of[function_of[node]] == 0;
    };
    const auto owner = [&](const LocatedSample& sample) {
        if (!sample.function)
            return function_of[sample.node];
        std::optional<std::uint32_t> innermost;
        for (std::uint32_t node = sample.node; is_inlined(node);) {
            if (!innermost && has_long_calls[function_of[node]])
                innermost = function_of[node];
            node = thread.node(node).parent;
            if (function_of[node] == *sample.function)
                return innermost.value_or(*sample.function);
        }
        return *sample.function;
    };
    for (const LocatedSample& sample : samples)
        owned[owner(sample)] += sample.count;
    return owned;
}

} // namespace vftr::analysis
