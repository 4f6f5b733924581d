// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/inlined_functions.hpp"

#include "analysis/profile/each_node.hpp"
#include "analysis/recording/naming.hpp"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::analysis {
namespace {

constexpr std::uint64_t LargestDebugInformation = 16 << 20; // bytes

// The functions with hooks of a recording.
struct Functions {
    std::unordered_map<std::string, CodePlace> by_name;
    std::set<CodePlace> begins;

    Functions(const vfd::Image& image, Names& names) {
        for (const vfd::ThreadView& thread : image.threads())
            for_each_node(thread, [&](std::uint32_t, const vfd::Node& node) {
                if (node.kind != vfd::NodeKind::Function || node.key & vfd::NamedKey)
                    return;
                by_name.try_emplace(names.of(node), CodePlace{node.module, node.key});
                begins.insert({node.module, node.key});
            });
    }
};

} // namespace

std::map<CodePlace, CodePlace> find_inlined_functions(const vfd::Image& image) {
    std::set<std::uint32_t> with_hooks;
    for (const symbols::Module& module : modules_in_use(image))
        with_hooks.insert(module.id);
    std::map<CodePlace, vfd::CpuSample> places;
    for (const vfd::ThreadView& thread : image.threads())
        for (const vfd::CpuSample& sample : thread.samples)
            if (sample.address != 0 && with_hooks.contains(sample.module))
                places.try_emplace({sample.module, sample.address}, sample);
    std::map<CodePlace, CodePlace> found;
    Names names(image, symbols::ModuleIds::Always);
    std::optional<Functions> functions; // once they are needed
    for (const auto& [place, sample] : places) {
        const std::vector<std::string> inlined = names.inlined(sample, LargestDebugInformation);
        if (!inlined.empty() && !functions)
            functions.emplace(image, names);
        if (inlined.empty() || functions->begins.contains(place))
            continue;
        for (const std::string& name : inlined)
            if (const auto function = functions->by_name.find(name); function != functions->by_name.end()) {
                found.emplace(place, function->second);
                break;
            }
    }
    return found;
}

} // namespace vftr::analysis
