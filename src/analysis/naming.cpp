// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/naming.hpp"

#include "config/config.hpp"
#include "symbols/store.hpp"

#include <algorithm>
#include <set>

namespace vftr::analysis {
namespace {

// Names of regions have no module.
std::uint16_t module_of(std::uint64_t key, std::uint16_t module) {
    return key & vfd::NamedKey ? 0 : module;
}

std::string printable(std::string_view name) {
    std::string text(name.empty() ? "(no name)" : name);
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return text;
}

symbols::Module symbols_module(const vfd::ModuleView& view) {
    symbols::Module module;
    module.id = view.record->id;
    module.start = view.record->start;
    module.end = view.record->end;
    module.bias = view.record->bias;
    module.build_id.assign(view.build_id.begin(), view.build_id.end());
    module.path = view.path;
    module.device = view.record->device;
    module.inode = view.record->inode;
    module.file_size = view.record->file_size;
    module.mtime_ns = view.record->mtime_ns;
    return module;
}

symbols::Resolver make_resolver(const vfd::Image& image, const symbols::NameSources& sources) {
    std::vector<symbols::Module> modules;
    modules.reserve(image.modules().size());
    for (const vfd::ModuleView& view : image.modules())
        modules.push_back(symbols_module(view));
    return symbols::Resolver(std::move(modules), name_options(image), sources);
}

} // namespace

std::vector<symbols::Module> modules_in_use(const vfd::Image& image) {
    std::set<std::uint32_t> used;
    for (const vfd::ThreadView& thread : image.threads())
        for (std::uint32_t id = 0; id < thread.node_count; ++id)
            if (const vfd::Node& node = thread.node(id); node.kind == vfd::NodeKind::Function)
                used.insert(node.module);
    std::vector<symbols::Module> modules;
    for (const vfd::ModuleView& view : image.modules())
        if (used.contains(view.record->id))
            modules.push_back(symbols_module(view));
    return modules;
}

symbols::NameOptions name_options(const vfd::Image& image) {
    symbols::NameOptions options;
    if (!image.config_text().empty()) {
        config::Loaded loaded = config::parse(std::string(image.config_text()), image.label());
        options.demangle_cxx = loaded.config.demangle_cxx;
        options.strip_module_names = loaded.config.strip_module_names;
    }
    return options;
}

// The process of a recording that is not closed may be there, and have what is at none of the paths any more.
Names::Names(const vfd::Image& image)
    : Names(image, {symbols::store_beside(image.label()), image.closed() ? 0 : static_cast<std::int32_t>(image.header().pid)}) {}

Names::Names(const vfd::Image& image, symbols::NameSources sources) : image_(image), sources_(std::move(sources)) {
    names_.reserve(image.names().size());
    for (const vfd::NameView& view : image.names())
        names_.try_emplace(Key{view.key, module_of(view.key, view.module)}, printable(view.name));
}

std::string Names::look_up(const vfd::Node& node) {
    if (node.key & vfd::NamedKey)
        return "(name lost)";
    if (!resolver_)
        resolver_ = make_resolver(image_, sources_);
    return printable(resolver_->name(node.key, node.module));
}

const std::string& Names::of(const vfd::Node& node) {
    if (node.kind == vfd::NodeKind::Root)
        return root_;
    if (node.kind == vfd::NodeKind::Overflow)
        return overflow_;
    Key key{node.key, module_of(node.key, node.module)};
    auto found = names_.find(key);
    if (found == names_.end())
        found = names_.emplace(key, look_up(node)).first;
    return found->second;
}

} // namespace vftr::analysis
