// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/shared_names.hpp"

#include "symbols/hex.hpp"
#include "symbols/name_clean.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace vftr::symbols {

namespace {

// A symbol that may have the name of a local function, because the hashes of both names are equal.
struct Candidate {
    std::uint64_t hash, start;
    SymbolSource* source;
    std::uint32_t name, source_file;
    bool local;
};

// A function that shares its name with others; a Group has them in order of their addresses.
struct SameNamed {
    bool local = true;  // no symbol with this name is visible to other objects
    bool clone = false; // f.constprop.0
    std::string file;   // according to the symbols; empty: not known
};
using Group = std::map<std::uint64_t, SameNamed>;

// A function as the source defines it: all copies that begin at the same line of the same file, or one address.
struct Definition {
    std::uint64_t start = 0; // the lowest of `starts`
    std::vector<std::uint64_t> starts;
    std::string path; // as much of it as is known
    std::uint32_t line = 0;
    bool local = true, clone = false;
};

// Returns the part of a name that is the same for functions that look alike: clones have the name of their function,
// internal procedures of Fortran lose their numbers when their names are cleaned, and demangled names of C++ functions
// at file scope do not show whether they are static (_ZL4initi, _Z4initi).
std::string_view shared_part(std::string_view name, bool fortran) {
    name = without_clone_suffix(name);
    constexpr std::string_view Static = "_ZL", Seen = "_Z";
    if (name.starts_with(Static))
        return name.substr(Static.size());
    if (name.starts_with(Seen) && name.size() > Seen.size() && name[Seen.size()] >= '0' && name[Seen.size()] <= '9')
        return name.substr(Seen.size());
    return fortran && is_internal_procedure(name) ? name.substr(0, name.find('.')) : name;
}

// Whether the compiler has generated the function. Each file has its own copies of these, and it
// would be useless to look up their lines.
bool is_compilers_own(std::string_view name) {
    return name.find("__static_initialization_and_destruction_0") != name.npos || name.starts_with("_GLOBAL__") ||
           name.starts_with("__cxx_global_") || name.starts_with("__tcf_");
}

// Returns the file name; "<artificial>" and "<stdin>" are not files.
std::string file_label(std::string_view path) {
    const std::string_view last = path.substr(path.rfind('/') + 1); // npos + 1 is 0
    return last.starts_with('<') ? std::string() : std::string(last);
}

struct Wanted {
    std::unordered_set<std::uint64_t> hashes, starts; // of the local functions
    std::size_t shortest = ~std::size_t{0}, longest = 0;
};

// In characters: "_ZL", which a name may have in addition to its shared part.
constexpr std::size_t Prefix = 3;

Wanted wanted_of(const SymbolIndex& index) {
    Wanted wanted;
    for (std::size_t i = 0; i < index.size(); ++i)
        if (const auto function = index.at(i); function.local) {
            const std::string_view part = shared_part(function.name, function.fortran);
            wanted.hashes.insert(std::hash<std::string_view>()(part));
            wanted.starts.insert(function.start);
            wanted.shortest = std::min(wanted.shortest, part.size());
            wanted.longest = std::max(wanted.longest, function.name.size() + Prefix);
        }
    return wanted;
}

// Returns the hashes of shared parts by the offset with which symbols refer to the name. Names are not in the order of
// the symbols, and reading them one by one would take about a hundred times as long as reading the table in order. If
// equal names are stored as one string, that string is found as the name of a wanted function; otherwise all strings
// are visited.
std::unordered_map<std::uint32_t, std::uint64_t> hashes_by_name(SymbolSource& source, const Wanted& wanted,
                                                                bool fortran) {
    // In characters: the number of an internal procedure.
    constexpr std::size_t Number = 12;
    std::unordered_map<std::uint32_t, std::uint64_t> hashes;
    const auto offer = [&](std::uint32_t offset, std::string_view name) {
        if (name.size() < wanted.shortest || name.size() > wanted.longest + Number)
            return;
        for (const bool as_fortran : {false, true})
            if (const std::uint64_t hash = std::hash<std::string_view>()(shared_part(name, as_fortran));
                (!as_fortran || fortran) && wanted.hashes.contains(hash))
                hashes.insert_or_assign(offset, hash);
    };
    source.for_each_name(offer);
    std::vector<std::uint32_t> own; // these names may be suffixes of other strings
    source.for_each_function([&](const SymbolSource::Function& function) {
        if (wanted.starts.contains(function.symbol.start) && !hashes.contains(function.name))
            own.push_back(function.name);
        return true;
    });
    for (const std::uint32_t name : own)
        offer(name, source.name(name));
    return hashes;
}

std::vector<Candidate> candidates_of(std::span<SymbolSource> sources, const SymbolIndex& index) {
    std::vector<Candidate> candidates;
    const Wanted wanted = wanted_of(index);
    if (wanted.hashes.empty())
        return candidates;
    for (SymbolSource& source : sources) {
        const auto hashes = hashes_by_name(source, wanted, index.has_fortran());
        source.for_each_function([&](const SymbolSource::Function& function) {
            if (const auto found = hashes.find(function.name); found != hashes.end() && !function.symbol.is_label())
                candidates.push_back({found->second, function.symbol.start, &source, function.name,
                                      function.source_file, function.symbol.is_local()});
            return true;
        });
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return std::tie(a.hash, a.start) < std::tie(b.hash, b.start);
    });
    return candidates;
}

// Groups the candidates with one hash by name, if they begin at several addresses.
std::map<std::string, Group> groups_of(std::span<const Candidate> alike, bool fortran) {
    std::map<std::string, Group> groups;
    if (alike.front().start == alike.back().start)
        return groups;
    for (const Candidate& candidate : alike) {
        SymbolSource& source = *candidate.source;
        const std::string file(source.name(candidate.source_file)), name(source.name(candidate.name));
        const SymbolSource::Function function{{}, candidate.name, candidate.source_file};
        SameNamed& place =
            groups[std::string(shared_part(name, fortran && !source.is_foreign(function)))][candidate.start];
        place.local &= candidate.local;
        place.clone |= without_clone_suffix(name) != name;
        if (place.file.empty())
            place.file = file_label(file);
    }
    std::erase_if(groups, [](const auto& group) {
        const auto& functions = group.second;
        return functions.size() < 2 || std::none_of(functions.begin(), functions.end(),
                                                    [](const auto& function) { return function.second.local; });
    });
    return groups;
}

std::string normal(const std::string& path) { return std::filesystem::path(path).lexically_normal().string(); }

using Declarations = std::map<std::uint64_t, SourceLocation>;

// Returns the declarations of those functions that may be the same function as another one.
Declarations declarations_of(const Group& group, const std::map<std::uint64_t, SourceLocation>& places,
                             const SharedNames::Source& source) {
    std::map<std::pair<std::string, std::uint32_t>, int> at_place;
    for (const auto& [start, place] : places)
        ++at_place[{place.file, place.line}];
    Declarations declarations;
    for (const auto& [start, function] : group) {
        const auto place = places.find(start);
        if (place == places.end() || (at_place[{place->second.file, place->second.line}] < 2 && !function.file.empty()))
            continue;
        if (auto declaration = source.declaration(start))
            declarations.try_emplace(start, SourceLocation{normal(declaration->file), declaration->line});
    }
    return declarations;
}

// Without debug information: a clone is one function with another of its name in its file.
void join_clones(std::vector<Definition>& definitions) {
    for (std::size_t i = definitions.size(); i-- > 0;) {
        const std::string file = file_label(definitions[i].path);
        if (!definitions[i].clone || file.empty())
            continue;
        const auto same = std::find_if(definitions.begin(), definitions.end(), [&](const Definition& other) {
            return &other != &definitions[i] && file_label(other.path) == file;
        });
        if (same == definitions.end())
            continue;
        same->starts.insert(same->starts.end(), definitions[i].starts.begin(), definitions[i].starts.end());
        same->local &= definitions[i].local;
        definitions.erase(definitions.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

// Returns the definitions in order of their addresses. The file of a function is taken from the symbols, so that it
// does not depend on whether debug information is available. Only if several files have the same function, it is taken
// from the debug information.
std::vector<Definition> definitions_of(const std::string& name, const Group& group, const SharedNames::Source& source) {
    std::map<std::uint64_t, SourceLocation> places;
    for (const auto& [start, function] : group)
        if (const auto place = is_compilers_own(name) ? std::nullopt : source.place(start))
            places.try_emplace(start, SourceLocation{normal(place->file), place->line});
    const Declarations declarations = declarations_of(group, places, source);
    std::vector<Definition> definitions;
    std::map<std::pair<std::string, std::uint32_t>, std::size_t> by_declaration;
    for (const auto& [start, function] : group) {
        Definition definition{start, {start}, function.file, 0, function.local, function.clone};
        const auto place = places.find(start);
        const auto declared = declarations.find(start);
        if (place != places.end() && !function.file.empty() && file_label(place->second.file) == function.file) {
            definition.path = place->second.file;
            definition.line = place->second.line;
        }
        if (declared != declarations.end()) {
            const auto& [file, line] = declared->second;
            const auto [known, is_new] = by_declaration.try_emplace({file, line}, definitions.size());
            Definition& same = is_new ? definition : definitions[known->second];
            if (!is_new) {
                same.starts.push_back(start);
                same.local &= function.local;
            }
            // The function is in several files, or in one that only the debug information tells.
            if (!is_new || function.file.empty()) {
                same.path = file_label(file).empty() ? std::string() : file;
                same.line = line;
            }
            if (!is_new)
                continue;
        }
        definitions.push_back(std::move(definition));
    }
    join_clones(definitions);
    return definitions;
}

// Returns the last components of a path.
std::string tail(const std::string& path, int parts) {
    std::size_t at = path.size();
    while (parts-- > 0 && at != path.npos)
        at = at == 0 ? path.npos : path.rfind('/', at - 1);
    return at == path.npos ? path : path.substr(at + 1);
}

// Returns the first description of this definition that none of the others has.
std::string origin_of(const Definition& definition, const std::vector<const Definition*>& others) {
    constexpr int MostParts = 4;
    const auto is_only = [&](const auto& name_of) {
        return std::none_of(others.begin(), others.end(), [&](const Definition* other) {
            return other != &definition && name_of(*other) == name_of(definition);
        });
    };
    const std::string file = tail(definition.path, 1);
    for (int parts = 1; parts <= MostParts && !file.empty(); ++parts)
        if (is_only([&](const Definition& d) { return tail(d.path, parts); }))
            return tail(definition.path, parts);
    const auto with_line = [](const Definition& d) { return tail(d.path, 1) + ":" + std::to_string(d.line); };
    if (definition.line != 0 && is_only(with_line))
        return with_line(definition);
    return file + (file.empty() ? "" : " ") + hex_of(definition.start);
}

// Returns the local function that keeps the bare name, or nullptr if none of them does.
const Definition* unqualified_definition(const std::vector<Definition>& definitions) {
    const Definition* bare = nullptr;
    for (const Definition& definition : definitions) {
        if (!definition.local || (bare && definition.path.empty()))
            return nullptr;
        if (definition.path.empty())
            bare = &definition;
    }
    return bare;
}

} // namespace

SharedNames::SharedNames(std::span<SymbolSource> sources, const SymbolIndex& index, const Source& source) {
    const std::vector<Candidate> candidates = candidates_of(sources, index);
    for (auto begin = candidates.begin(), end = begin; begin != candidates.end(); begin = end) {
        end = std::find_if(begin, candidates.end(),
                           [&](const Candidate& candidate) { return candidate.hash != begin->hash; });
        for (const auto& [name, group] : groups_of({begin, end}, index.has_fortran())) {
            const std::vector<Definition> definitions = definitions_of(name, group, source);
            if (definitions.size() < 2)
                continue;
            const Definition* bare = unqualified_definition(definitions);
            std::vector<const Definition*> told;
            for (const Definition& definition : definitions)
                if (definition.local && &definition != bare)
                    told.push_back(&definition);
            for (const Definition* definition : told)
                for (const std::uint64_t start : definition->starts)
                    origins_.emplace(start, origin_of(*definition, told));
        }
    }
}

std::string with_origin(std::string name, std::string_view origin) {
    if (!origin.empty())
        name.append(" (").append(origin).append(")");
    return name;
}

std::string_view without_origin(std::string_view name) {
    const auto open = name.ends_with(')') ? name.rfind(" (") : name.npos;
    const bool is_origin = open != name.npos && open != 0 && name.find(')', open) + 1 == name.size() &&
                           name.size() > open + 3 && name[open + 2] != '.';
    return is_origin ? name.substr(0, open) : name;
}

} // namespace vftr::symbols
