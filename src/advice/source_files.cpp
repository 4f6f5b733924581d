// SPDX-License-Identifier: BSD-3-Clause
#include "advice/source_files.hpp"

#include "advice/objects.hpp"
#include "analysis/recording/naming.hpp"
#include "symbols/module_label.hpp"
#include "symbols/qualified_name.hpp"
#include "symbols/source_lines.hpp"

#include <algorithm>
#include <utility>

namespace vftr::advice {

std::map<std::string, std::string> source_files(const vfd::Image& image, const std::set<std::string>& names) {
    std::map<std::string, std::string> files;
    for (const symbols::Module& module : objects_of(image)) {
        const symbols::SourceLines lines(module);
        if (!lines.known())
            continue;
        const std::string object = symbols::object_label(module), brief = symbols::shown_qualifier(object, 0);
        const bool told_by_object = std::any_of(names.begin(), names.end(),
                                                [&](const std::string& name) { return name.find(brief) != name.npos; });
        for_each_function(module, analysis::name_options(image), [&](std::string name, std::uint64_t address) {
            if (told_by_object)
                for (const std::string& told :
                     {symbols::with_qualifier(name, object), symbols::with_qualifier(name, brief)})
                    if (names.contains(told))
                        name = told;
            if (!names.contains(name) || files.contains(name))
                return;
            if (std::string file = lines.file(address); !file.empty())
                files.emplace(std::move(name), std::move(file));
        });
    }
    return files;
}

} // namespace vftr::advice
