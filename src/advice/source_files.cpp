// SPDX-License-Identifier: BSD-3-Clause
#include "advice/source_files.hpp"

#include "analysis/recording/naming.hpp"
#include "base/modification_time.hpp"
#include "symbols/elf_symbols.hpp"
#include "symbols/module_label.hpp"
#include "symbols/name_clean.hpp"
#include "symbols/qualified_name.hpp"
#include "symbols/source_lines.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <utility>

namespace vftr::advice {
namespace {

// The executable in its present state, if it has not been modified since the recording began.
std::optional<symbols::Module> executable_of(const vfd::FileHeader& header) {
    symbols::Module module;
    module.path = vfd::string_of(header.executable);
    struct stat file {};
    if (::stat(module.path.c_str(), &file) != 0)
        return std::nullopt;
    module.mtime_ns = base::modification_time(file);
    if (module.mtime_ns > header.start.realtime_ns)
        return std::nullopt;
    module.device = file.st_dev;
    module.inode = file.st_ino;
    module.file_size = static_cast<std::uint64_t>(file.st_size);
    return module;
}

} // namespace

std::map<std::string, std::string> source_files(const vfd::Image& image, const std::set<std::string>& names) {
    std::vector<symbols::Module> modules = analysis::modules_in_use(image);
    if (modules.empty())
        if (const auto executable = executable_of(image.header()))
            modules.push_back(*executable);
    const symbols::NameOptions options = analysis::name_options(image);
    std::map<std::string, std::string> files;
    for (const symbols::Module& module : modules) {
        symbols::ElfSymbols symbols(module, 0);
        const auto functions = symbols.index();
        const auto shared = symbols.shared_names(*functions);
        const symbols::SourceLines lines(module);
        if (!lines.known())
            continue;
        const std::string object = symbols::object_label(module), brief = symbols::shown_qualifier(object, 0);
        const bool told_by_object = std::any_of(names.begin(), names.end(),
                                                [&](const std::string& name) { return name.find(brief) != name.npos; });
        for (std::size_t i = 0; i < functions->size(); ++i) {
            const symbols::SymbolIndex::Function function = functions->at(i);
            std::string name = symbols::with_origin(symbols::clean_name(function.name, options, function.fortran),
                                                    shared->origin(function.start));
            if (told_by_object)
                for (const std::string& told :
                     {symbols::with_qualifier(name, object), symbols::with_qualifier(name, brief)})
                    if (names.contains(told))
                        name = told;
            if (!names.contains(name) || files.contains(name))
                continue;
            if (std::string file = lines.file(function.start); !file.empty())
                files.emplace(std::move(name), std::move(file));
        }
    }
    return files;
}

} // namespace vftr::advice
