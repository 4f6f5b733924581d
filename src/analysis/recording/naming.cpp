// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/naming.hpp"

#include "analysis/profile/each_node.hpp"
#include "base/foreign_text.hpp"
#include "base/memory.hpp"
#include "config/config.hpp"
#include "symbols/module_label.hpp"
#include "symbols/qualified_name.hpp"
#include "symbols/store.hpp"
#include "vfd/construct_text.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>
#include <set>
#include <unordered_set>

namespace vftr::analysis {
namespace {

// The names of regions belong to no module.
std::uint16_t module_of(std::uint64_t key, std::uint16_t module) { return key & vfd::NamedKey ? 0 : module; }

std::string printable(std::string_view name) { return base::foreign_text(name.empty() ? "(no name)" : name); }

std::string printable_qualified(std::string_view text) {
    const auto parts = symbols::parse_qualified(text);
    return symbols::qualified(printable(parts.name), base::foreign_text(parts.qualifier));
}

symbols::Module symbols_module(const vfd::Image& image, const vfd::ModuleView& view) {
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
    const std::string executable = vfd::string_of(image.header().executable);
    const bool cut = executable.size() + 1 == sizeof image.header().executable;
    module.executable = cut ? view.path.starts_with(executable) : view.path == executable;
    return module;
}

symbols::Resolver make_resolver(const vfd::Image& image, const symbols::NameSources& sources,
                                const symbols::NameOptions& options) {
    std::vector<symbols::Module> modules;
    modules.reserve(image.modules().size());
    for (const vfd::ModuleView& view : image.modules())
        modules.push_back(symbols_module(image, view));
    return symbols::Resolver(std::move(modules), options, sources);
}

} // namespace

std::string executable_of(const vfd::Image& image) {
    for (const vfd::ModuleView& view : image.modules())
        if (const symbols::Module module = symbols_module(image, view); module.executable)
            return symbols::executable_label(module);
    const std::string path = vfd::string_of(image.header().executable);
    return base::foreign_text(path.substr(path.rfind('/') + 1));
}

std::vector<symbols::Module> modules_in_use(const vfd::Image& image) {
    std::vector<bool> used(std::size_t{1} << 16);
    for (const vfd::ThreadView& thread : image.threads())
        for_each_node(thread, [&](std::uint32_t, const vfd::Node& node) {
            if (has_address(node.kind) && !(node.flags & vfd::NodeUnrecorded))
                used[node.module] = true;
        });
    std::vector<symbols::Module> modules;
    for (const vfd::ModuleView& view : image.modules())
        if (view.record->id < used.size() && used[view.record->id])
            modules.push_back(symbols_module(image, view));
    return modules;
}

namespace {

symbols::NameOptions options_in(std::string_view config_text, const std::string& label) {
    symbols::NameOptions options;
    const config::Loaded loaded = config::parse(std::string(config_text), label);
    options.demangle_cxx = loaded.config.demangle_cxx;
    options.strip_module_names = loaded.config.strip_module_names;
    return options;
}

// The latest configuration and the options from it. The ranks of a job have the same configuration, and a process makes
// several profiles of its own recording; to parse the same configuration again took most of the time for a small
// profile. This is never destroyed.
struct LatestOptions {
    std::string config_text;
    symbols::NameOptions options;
};
constinit LatestOptions* latest = nullptr;
constinit base::SpinLock latest_lock; // only tried, never waited for: a signal handler may have interrupted the holder

constinit std::optional<symbols::NameOptions> reader_options;
constinit bool all_executables_apart = false;

bool has_names_of_functions(const vfd::Image& image) {
    return std::ranges::any_of(image.names(), [](const vfd::NameView& view) {
        return view.kind == NodeKind::Function && !(view.key & vfd::NamedKey);
    });
}

std::string option_text(const char* name, bool value) {
    return std::string("\"") + name + "\": " + (value ? "true" : "false");
}

symbols::NameOptions options_of_run(const vfd::Image& image) {
    const std::string_view config_text = image.config_text();
    if (config_text.empty())
        return {};
    const std::unique_lock lock(latest_lock, std::try_to_lock);
    if (lock && latest && latest->config_text == config_text)
        return latest->options;
    const symbols::NameOptions options = options_in(config_text, image.label());
    if (lock) {
        if (!latest)
            latest = new LatestOptions;
        *latest = {std::string(config_text), options};
    }
    return options;
}

} // namespace

symbols::NameOptions name_options(const vfd::Image& image) {
    return reader_options ? *reader_options : options_of_run(image);
}

void set_name_options(const symbols::NameOptions& options) { reader_options = options; }
void tell_executables_apart() { all_executables_apart = true; }

std::string options_of_kept_names(const vfd::Image& image) {
    if (!reader_options || (image.header().kind != vfd::FileKind::Merged && !has_names_of_functions(image)))
        return {};
    const symbols::NameOptions run = options_of_run(image);
    std::string text;
    if (run.demangle_cxx != reader_options->demangle_cxx)
        text = option_text("demangle_cxx", run.demangle_cxx);
    if (run.strip_module_names != reader_options->strip_module_names)
        text += (text.empty() ? "" : ", ") + option_text("strip_module_names", run.strip_module_names);
    return text;
}

// The process of a recording that is not closed may still run, and give access to objects whose files have been
// removed.
Names::Names(const vfd::Image& image, symbols::ModuleIds ids)
    : Names(image,
            {symbols::store_beside(image.label()), image.closed() ? 0 : static_cast<std::int32_t>(image.header().pid)},
            ids) {}

Names::Names(const vfd::Image& image, symbols::NameSources sources, symbols::ModuleIds ids)
    : image_(image), sources_(std::move(sources)), ids_(ids),
      executables_apart_(all_executables_apart || image.header().size > 1) {
    names_.reserve(image.names().size());
    for (const vfd::NameView& view : image.names())
        names_.try_emplace(Key{view.key, module_of(view.key, view.module)}, recorded(view));
}

symbols::NameOptions Names::options() const {
    symbols::NameOptions options = name_options(image_);
    options.module_ids = ids_;
    options.executables_apart = executables_apart_;
    return options;
}

// A name record has the module but not the object, so the qualifier is found by the module.
std::string Names::recorded(const vfd::NameView& view) {
    if (view.kind != NodeKind::Function || view.key & vfd::NamedKey || view.flags & vfd::NameOfAllObjects)
        return printable_qualified(view.name);
    const auto [object, is_new] = objects_.try_emplace(view.module);
    if (is_new)
        for (const vfd::ModuleView& module : image_.modules())
            if (module.record->id == view.module)
                object->second = symbols::object_qualifier(symbols_module(image_, module), options());
    return symbols::qualified(printable(view.name), object->second);
}

// Announces all functions without a name in the file at once, as a caller that needs one of a module needs nearly all.
symbols::Resolver& Names::resolver() {
    if (resolver_)
        return *resolver_;
    resolver_ = make_resolver(image_, sources_, options());
    std::unordered_set<Key, Hash> seen;
    std::vector<Key> latest(
        1024, Key{~std::uint64_t{0},
                  0}); // the latest keys by hash: a tree has few functions, and neighbouring nodes often share them
    std::vector<symbols::Resolver::Location> locations;
    for (const vfd::ThreadView& thread : image_.threads())
        for_each_node(thread, [&](std::uint32_t, const vfd::Node& node) {
            const Key key{node.key, node.module};
            if (!has_address(node.kind) || node.flags & vfd::NodeUnrecorded ||
                std::exchange(latest[(key.key ^ key.key >> 12) % latest.size()], key) == key)
                return;
            if (!names_.contains(key) && seen.insert(key).second)
                locations.push_back(
                    {node.kind == vfd::NodeKind::OpenMp ? vfd::address_of(node) - 1 : node.key, node.module});
        });
    for (const vfd::ThreadView& thread : image_.threads())
        for (const vfd::CpuSample& sample : thread.samples)
            if (sample.address != 0)
                locations.push_back({sample.address, sample.module});
    resolver_->expect(locations);
    return *resolver_;
}

std::string Names::look_up(const vfd::Node& node) {
    if (node.kind == vfd::NodeKind::AttributedWork)
        return "(elsewhere)"; // never shown, as readers show the target node
    if (node.key & vfd::NamedKey)
        return "(name lost)";
    if (node.kind == vfd::NodeKind::OpenMp)
        return vfd::directive(vfd::construct_of(node.key)) + ' ' +
               resolver().qualified_call_location(vfd::address_of(node), node.module);
    return resolver().qualified_name(node.key, node.module);
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

const std::string& Names::at(const vfd::CpuSample& sample) {
    if (sample.address == 0)
        return unknown_;
    if (!std::exchange(objects_are_named_, true))
        for (const vfd::ModuleView& module : image_.modules())
            names_.try_emplace(Key{module.record->start, static_cast<std::uint16_t>(module.record->id)},
                               in_brackets(static_cast<std::uint16_t>(module.record->id)));
    vfd::Node node{};
    node.kind = NodeKind::Function;
    node.key = sample.address;
    node.module = sample.module;
    const std::string& name = of(node);
    if (const auto stub = symbols::parse_offset_name(symbols::parse_qualified(name).name)
                              ? resolver().stub_callee(sample.address, sample.module)
                              : std::nullopt)
        return names_[Key{node.key, module_of(node.key, node.module)}] = printable(std::string(*stub) + "@plt");
    return name;
}

std::string Names::in_brackets(std::uint16_t module) const {
    for (const vfd::ModuleView& view : image_.modules())
        if (view.record->id == module) {
            const std::string_view file = view.path.substr(view.path.rfind('/') + 1);
            return printable(file.starts_with('[') ? std::string(file) : "[" + std::string(file) + "]"); // "[vdso]"
        }
    return "[memory without a file]";
}

namespace {

// Whether it is "module+0x1a" of an object in brackets that has no id.
bool is_offset_in(std::string_view object, std::string_view name) {
    const std::string_view label = name.substr(0, name.rfind("+0x"));
    return label.size() != name.size() && (label == object || "[" + std::string(label) + "]" == object);
}

} // namespace

const std::string& Names::without_hooks(const vfd::CpuSample& sample) {
    const auto [known, is_new] = without_hooks_.try_emplace(Key{sample.address, sample.module});
    if (is_new) {
        const std::string object = in_brackets(sample.module);
        const std::string_view function = symbols::parse_qualified(at(sample)).name;
        const bool no_symbol =
            symbols::parse_offset_name(function).has_value() || function == object || is_offset_in(object, function);
        known->second = no_symbol ? object : object + ' ' + std::string(function);
    }
    return known->second;
}

bool is_stub(std::string_view name) { return name.ends_with("@plt"); }

bool is_recorder(std::string_view name) {
    return name.starts_with("[libvftrace.so") || name.starts_with("vftr::") || name.starts_with("__cyg_profile_func_");
}

namespace {

// A copy of the fields that identify a node's name. Its thread may still run, and may be setting module and flags.
vfd::Node named_part(const vfd::Node& node) {
    vfd::Node part{};
    part.key = node.key;
    part.kind = node.kind;
    part.module = __atomic_load_n(&node.module, __ATOMIC_RELAXED);
    part.flags = __atomic_load_n(&node.flags, __ATOMIC_RELAXED);
    return part;
}

// Makes name records for the nodes for which `wanted` is true, and which have no name in the file.
template <class Wanted, class Known>
std::vector<std::byte> name_records(const vfd::Image& image, Names& names, Wanted wanted, Known known) {
    std::set<std::pair<std::uint64_t, std::uint16_t>> named;
    for (const vfd::NameView& view : image.names())
        if (has_address(view.kind))
            named.emplace(view.key, view.module);
    std::vector<std::byte> records;
    for (const vfd::ThreadView& thread : image.threads())
        for_each_node(thread, [&](std::uint32_t, const vfd::Node& live) {
            const vfd::Node node = named_part(live);
            if (!wanted(node) || !named.emplace(node.key, node.module).second)
                return;
            std::string_view name = names.of(node);
            if (!known(name))
                return;
            std::uint8_t flags = 0;
            if (const auto parts = symbols::parse_qualified(name); node.kind == vfd::NodeKind::Function) {
                name = parts.name;
                flags = parts.qualifier.empty() ? vfd::NameOfAllObjects : 0;
            }
            const vfd::NameRecord record{node.key, static_cast<std::uint32_t>(name.size()), node.module, node.kind,
                                         flags};
            const std::size_t at = records.size();
            records.resize(at + (sizeof record + name.size() + 7) / 8 * 8);
            std::memcpy(&records[at], &record, sizeof record);
            std::memcpy(&records[at + sizeof record], name.data(), name.size());
        });
    return records;
}

} // namespace

std::vector<std::byte> construct_names(const vfd::Image& image) {
    const auto has_constructs = [](const vfd::ThreadView& thread) { return thread.has(vfd::NodeKind::OpenMp); };
    if (std::none_of(image.threads().begin(), image.threads().end(), has_constructs))
        return {};
    Names names(image);
    return name_records(
        image, names, [](const vfd::Node& node) { return node.kind == vfd::NodeKind::OpenMp; },
        [](std::string_view) { return true; });
}

std::vector<std::byte> names_of_modules(const vfd::Image& image, const std::set<std::uint32_t>& modules) {
    if (modules.empty())
        return {};
    Names names(image, symbols::ModuleIds::Always);
    names.tell_executables_apart(); // which may turn out when the process becomes a rank
    // Functions without a symbol here are left out, as they may have one where the file is read.
    return name_records(
        image, names,
        [&](const vfd::Node& node) {
            return has_address(node.kind) && !(node.flags & vfd::NodeUnrecorded) && modules.contains(node.module);
        },
        [](std::string_view name) { return !symbols::parse_offset_name(name); });
}

std::vector<std::byte> names_of_object(const vfd::Image& image, std::uint64_t bias) {
    std::set<std::uint32_t> modules;
    for (const vfd::ModuleView& view : image.modules())
        if (view.record->bias == bias && view.record->unloaded == 0)
            modules.insert(view.record->id);
    return names_of_modules(image, modules);
}

} // namespace vftr::analysis
