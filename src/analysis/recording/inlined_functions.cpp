// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/inlined_functions.hpp"

#include "analysis/profile/each_node.hpp"

#include <vector>

namespace vftr::analysis {

InlinedFunctions::InlinedFunctions(const vfd::Image& image) : image_(image), names_(image, symbols::ModuleIds::Always) {
    for (const symbols::Module& module : modules_in_use(image))
        modules_.insert(module.id);
}

std::optional<FunctionCode> InlinedFunctions::at(const vfd::CpuSample& sample) {
    if (sample.address == 0 || !modules_.contains(sample.module))
        return std::nullopt;
    const auto [known, is_new] = known_.try_emplace({sample.module, sample.address});
    if (is_new)
        known->second = look_up(sample);
    return known->second;
}

std::optional<FunctionCode> InlinedFunctions::look_up(const vfd::CpuSample& sample) {
    const std::vector<std::string> names = names_.inlined(sample, LargestDebugInformation);
    if (names.empty())
        return std::nullopt;
    if (by_name_.empty())
        list_functions();
    if (begins_.contains({sample.module, sample.address}))
        return std::nullopt;
    for (const std::string& name : names)
        if (const auto function = by_name_.find(name); function != by_name_.end())
            return function->second;
    return std::nullopt;
}

void InlinedFunctions::list_functions() {
    for (const vfd::ThreadView& thread : image_.threads())
        for_each_node(thread, [&](std::uint32_t, const vfd::Node& node) {
            if (node.kind != vfd::NodeKind::Function || node.key & vfd::NamedKey)
                return;
            by_name_.try_emplace(names_.of(node), FunctionCode{node.key, node.module});
            begins_.emplace(node.module, node.key);
        });
}

} // namespace vftr::analysis
