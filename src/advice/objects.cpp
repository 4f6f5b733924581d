// SPDX-License-Identifier: BSD-3-Clause
#include "advice/objects.hpp"

#include "analysis/recording/naming.hpp"
#include "symbols/elf_file.hpp"
#include "symbols/elf_symbols.hpp"
#include "symbols/hex.hpp"
#include "symbols/module_label.hpp"
#include "symbols/name_clean.hpp"
#include "symbols/qualified_name.hpp"
#include "vfd/header_fields.hpp"

#include <optional>
#include <utility>

namespace vftr::advice {
namespace {

std::optional<symbols::Module> executable_of(const vfd::FileHeader& header) {
    symbols::Module module;
    module.path = vfd::string_of(header.executable);
    std::string reason;
    const auto file = symbols::ElfFile::open(module.path, reason);
    if (!file)
        return std::nullopt;
    const symbols::ElfFile::Identity identity = file->identity();
    if (identity.mtime_ns > header.start.realtime_ns)
        return std::nullopt;
    module.device = identity.device;
    module.inode = identity.inode;
    module.file_size = identity.size;
    module.mtime_ns = identity.mtime_ns;
    module.build_id = file->build_id();
    module.executable = true;
    return module;
}

} // namespace

std::vector<symbols::Module> objects_of(const vfd::Image& image) {
    std::vector<symbols::Module> objects = analysis::modules_in_use(image);
    if (objects.empty())
        if (auto executable = executable_of(image.header()))
            objects.push_back(std::move(*executable));
    return objects;
}

void for_each_function(const symbols::Module& object, const symbols::NameOptions& options,
                       const std::function<void(const std::string& name, std::uint64_t address)>& visit) {
    symbols::ElfSymbols symbols(object, 0);
    const auto functions = symbols.index();
    const auto shared = symbols.shared_names(*functions);
    for (std::size_t i = 0; i < functions->size(); ++i) {
        const symbols::SymbolIndex::Function function = functions->at(i);
        visit(symbols::with_origin(symbols::clean_name(function.name, options, function.fortran),
                                   shared->origin(function.start)),
              function.start);
    }
}

std::unordered_map<std::string, std::string> build_ids(std::span<const vfd::Image> images) {
    std::unordered_map<std::string, std::string> ids;
    for (const vfd::Image& image : images)
        for (const symbols::Module& object : objects_of(image))
            if (!object.build_id.empty())
                ids.emplace(symbols::object_label(object), symbols::hex_of(object.build_id));
    return ids;
}

} // namespace vftr::advice
