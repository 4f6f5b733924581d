// SPDX-License-Identifier: BSD-3-Clause
#include "advice/source_files.hpp"

#include "advice/objects.hpp"
#include "analysis/recording/naming.hpp"
#include "symbols/elf_symbols.hpp"
#include "symbols/identity.hpp"
#include "symbols/module_label.hpp"
#include "symbols/name_clean.hpp"
#include "symbols/qualified_name.hpp"
#include "symbols/source_lines.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>
#include <utility>

namespace vftr::advice {
namespace {

// Calls visit(name, address in the file) for the functions of an object, with what tells those of one name in it apart.
template <class Visit>
void for_each_function(const symbols::Module& module, const symbols::NameOptions& options, Visit visit) {
    symbols::ElfSymbols symbols(module, 0);
    const auto functions = symbols.index();
    const auto shared = symbols.shared_names(*functions);
    for (std::size_t i = 0; i < functions->size(); ++i) {
        const symbols::SymbolIndex::Function function = functions->at(i);
        visit(symbols::with_origin(symbols::clean_name(function.name, options, function.fortran),
                                   shared->origin(function.start)),
              function.start);
    }
}

} // namespace

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

namespace {

// "omp parallel solve:42" of the file that is its qualifier.
std::optional<symbols::SourceLocation> place_of_construct(const symbols::QualifiedName& construct) {
    if (!construct.name.starts_with("omp ") || construct.qualifier.empty())
        return std::nullopt;
    const std::string_view digits = construct.name.substr(construct.name.rfind(':') + 1);
    symbols::SourceLocation place{std::string(construct.qualifier), 0};
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place.line);
    return error == std::errc{} && stop == digits.data() + digits.size() && place.line > 0 ? std::optional(place)
                                                                                           : std::nullopt;
}

// Clang notes a declaration in the main file of a unit by a number for which libdw has no name; the place where the
// function begins is nearly the same.
std::optional<symbols::SourceLocation> declared_or_begun(const symbols::SourceLines& lines, std::uint64_t address) {
    const auto declaration = lines.declaration(address);
    return declaration ? declaration : lines.place(address);
}

// Whether a profile's qualifier is that of functions of this object. A merged profile knows the executable by its path
// only.
bool is_of(std::string_view qualifier, const symbols::Module& module) {
    return qualifier.empty() || qualifier == symbols::object_label(module) ||
           qualifier == symbols::executable_label(module) ||
           (module.build_id.empty() && qualifier.ends_with('*') &&
            symbols::shown_qualifier(qualifier, 0) == module.path.substr(module.path.rfind('/') + 1));
}

struct Searched {
    symbols::Module module;
    symbols::NameOptions options;
};
// The objects of all recordings, each once for each way in which their functions are named.
std::vector<Searched> distinct_modules(std::span<const vfd::Image> images) {
    std::vector<Searched> distinct;
    std::set<std::tuple<std::string, std::string, bool, bool>> known;
    for (const vfd::Image& image : images) {
        const symbols::NameOptions options = analysis::name_options(image);
        for (symbols::Module& module : objects_of(image))
            if (known
                    .emplace(module.path, symbols::module_key(module), options.demangle_cxx, options.strip_module_names)
                    .second)
                distinct.push_back({std::move(module), options});
    }
    return distinct;
}

} // namespace

std::unordered_map<std::string, symbols::SourceLocation> source_places(std::span<const vfd::Image> images,
                                                                       const std::vector<std::string>& names) {
    std::unordered_map<std::string, symbols::SourceLocation> places;
    std::unordered_multimap<std::string_view, const std::string*> wanted; // by name without qualifier
    for (const std::string& name : names) {
        const symbols::QualifiedName parts = symbols::parse_qualified(name);
        if (const auto place = place_of_construct(parts))
            places.emplace(name, *place);
        else
            wanted.emplace(parts.name, &name);
    }
    for (const auto& [module, options] : distinct_modules(images)) {
        const symbols::SourceLines lines(module);
        if (!lines.known())
            continue;
        for_each_function(module, options, [&, &object = module](const std::string& name, std::uint64_t address) {
            for (auto [at, end] = wanted.equal_range(name); at != end; ++at)
                if (!places.contains(*at->second) && is_of(symbols::parse_qualified(*at->second).qualifier, object))
                    if (const auto place = declared_or_begun(lines, address))
                        places.emplace(*at->second, *place);
        });
    }
    return places;
}

} // namespace vftr::advice
