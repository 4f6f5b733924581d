// SPDX-License-Identifier: BSD-3-Clause
#include "advice/source_places.hpp"

#include "advice/objects.hpp"
#include "advice/stored_lines.hpp"
#include "analysis/profile/each_node.hpp"
#include "analysis/recording/naming.hpp"
#include "symbols/identity.hpp"
#include "symbols/module_label.hpp"
#include "symbols/qualified_name.hpp"
#include "symbols/store.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace vftr::advice {
namespace {

using symbols::SourceLocation;

// "omp parallel solve:42" of the file that is its qualifier.
std::optional<SourceLocation> place_of_construct(const symbols::QualifiedName& construct) {
    if (!construct.name.starts_with("omp ") || construct.qualifier.empty())
        return std::nullopt;
    const std::string_view digits = construct.name.substr(construct.name.rfind(':') + 1);
    SourceLocation place{std::string(construct.qualifier), 0};
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place.line);
    return error == std::errc{} && stop == digits.data() + digits.size() && place.line > 0 ? std::optional(place)
                                                                                           : std::nullopt;
}

// Clang notes a declaration in the main file of a unit by a number for which libdw has no name; the place where the
// function begins is nearly the same.
std::optional<SourceLocation> declared_or_begun(const symbols::SourceLines& lines, std::uint64_t address) {
    const auto declaration = lines.declaration(address);
    return declaration ? declaration : lines.place(address);
}

// Whether a profile's qualifier is that of functions of this object. A merged profile knows an executable without a
// build-id by its path only.
bool is_of(std::string_view qualifier, const symbols::Module& object) {
    return qualifier.empty() || qualifier == symbols::object_label(object) ||
           qualifier == symbols::executable_label(object) ||
           (object.build_id.empty() && qualifier.ends_with('*') &&
            symbols::shown_qualifier(qualifier, 0) == object.path.substr(object.path.rfind('/') + 1));
}

class Search {
public:
    explicit Search(const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            const symbols::QualifiedName parts = symbols::parse_qualified(name);
            if (const auto place = place_of_construct(parts))
                places_.emplace(name, *place);
            else
                wanted_.emplace(parts.name, &name);
        }
    }

    void in_stores(std::span<const vfd::Image> images) {
        for (const vfd::Image& image : images)
            in_store_of(image);
    }

    void in_objects(std::span<const vfd::Image> images) {
        std::set<std::tuple<std::string, std::string, bool, bool>> known; // how functions of an object are named
        for (const vfd::Image& image : images) {
            const symbols::NameOptions options = analysis::name_options(image);
            for (const symbols::Module& object : objects_of(image))
                if (known
                        .emplace(object.path, symbols::module_key(object), options.demangle_cxx,
                                 options.strip_module_names)
                        .second)
                    in_object(object, options, stored(image, object));
        }
    }

    std::unordered_map<std::string, SourceLocation> finish() {
        for (const auto& [key, lines] : stored_)
            lines.save();
        return std::move(places_);
    }

private:
    StoredLines& stored(const vfd::Image& image, const symbols::Module& object) {
        return stored_.try_emplace(symbols::module_key(object), symbols::store_beside(image.label()), object)
            .first->second;
    }

    void in_store_of(const vfd::Image& image) {
        std::map<std::uint32_t, symbols::Module> objects; // by id
        for (symbols::Module& object : objects_of(image))
            if (!stored(image, object).empty())
                objects.emplace(object.id, std::move(object));
        if (objects.empty())
            return;
        analysis::Names names(image, symbols::ModuleIds::Always);
        std::set<std::pair<std::uint32_t, std::uint64_t>> seen;
        for (const vfd::ThreadView& thread : image.threads())
            analysis::for_each_node(thread, [&](std::uint32_t, const vfd::Node& node) {
                const auto object = objects.find(node.module);
                if (node.kind != vfd::NodeKind::Function || object == objects.end() ||
                    !seen.emplace(node.module, node.key).second)
                    return;
                if (const auto* place = stored(image, object->second).find(node.key - object->second.bias))
                    places_.emplace(names.of(node), *place);
            });
    }

    void in_object(const symbols::Module& object, const symbols::NameOptions& options, StoredLines& kept) {
        std::optional<symbols::SourceLines> lines; // once they are needed
        for_each_function(object, options, [&](const std::string& name, std::uint64_t address) {
            for (auto [at, end] = wanted_.equal_range(name); at != end; ++at) {
                if (places_.contains(*at->second) || !is_of(symbols::parse_qualified(*at->second).qualifier, object))
                    continue;
                if (const SourceLocation* place = kept.find(address)) {
                    places_.emplace(*at->second, *place);
                    continue;
                }
                if (!lines)
                    lines.emplace(object);
                const auto place = lines->known() ? declared_or_begun(*lines, address) : std::nullopt;
                if (place) {
                    places_.emplace(*at->second, *place);
                    kept.add(address, *place);
                }
            }
        });
    }

    std::unordered_map<std::string, SourceLocation> places_;
    std::unordered_multimap<std::string_view, const std::string*> wanted_; // by name without qualifier
    std::map<std::string, StoredLines> stored_;                            // by key of the object
};

} // namespace

std::unordered_map<std::string, SourceLocation> source_places(std::span<const vfd::Image> images,
                                                              const std::vector<std::string>& names) {
    Search search(names);
    search.in_stores(images);
    search.in_objects(images);
    return search.finish();
}

} // namespace vftr::advice
