// SPDX-License-Identifier: BSD-3-Clause
//
// Names of the functions in a recording. The file holds only those of regions and MPI functions. The
// rest is looked up in the symbol store beside it, so that both together can be read where the
// program is not, and where that does not have them in the objects that the program had loaded.
//
// The names of functions of an object that is too large for the store (session/results.cpp), or that is being closed,
// are in the recording.
//
// An OpenMP construct is named by function and line, and lines are not in the store: they are in the debug information,
// which is many times as large as the symbols, while a program has few constructs. So their names are written into the
// recording when it is closed (construct_names). Until then, and for processes that were killed, they are looked up in
// the program's files.
#pragma once

#include "symbols/symbols.hpp"
#include "vfd/image.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vftr::analysis {

using vfd::NodeKind;

// Clang makes functions of the text of a construct, one or two, which it gives no names of the program's
// (".omp_outlined.", ".omp_outlined._debug__", "solve(int) [clone .omp_outlined]"), and the hooks see them below the
// construct. Whether this is such a function: what it does is what the construct does, and so profiles and timelines
// have no path of its own for it. (gcc's have no hooks.) Where constructs are not recorded it stays. above: the kind of
// the path that calls it.
inline bool is_text_of_construct(NodeKind above, NodeKind kind, std::string_view name) {
    return above == NodeKind::OpenMp && kind == NodeKind::Function && name.find(".omp_outlined") != name.npos;
}

// One thread at a time. The Image must outlive it.
class Names {
public:
    explicit Names(const vfd::Image& image, symbols::ModuleIds ids = symbols::ModuleIds::WhereShared);
    // The store elsewhere, or a process that still runs.
    Names(const vfd::Image& image, symbols::NameSources sources,
          symbols::ModuleIds ids = symbols::ModuleIds::WhereShared);

    // "init" for the root; "omp parallel solve:42"; of a function of a library, and of a construct whose source file is
    // known, with the qualifier by which profiles know it (symbols/qualified_name.hpp). Symbol tables are opened at the
    // first function that the file does not name; every name is looked up once. Never empty, and without control
    // characters, whatever the file says.
    const std::string& of(const vfd::Node& node);

private:
    struct Key {
        std::uint64_t key;
        std::uint16_t module;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& k) const {
            return (k.key ^ std::uint64_t{k.module} << 48) * 0x9e3779b97f4a7c15 >> 8;
        }
    };

    std::string look_up(const vfd::Node& node);
    std::string recorded(const vfd::NameView& view);
    symbols::Resolver& resolver();

    // No statics: the profile is made again at exit, when those may be gone.
    const std::string root_ = "init", overflow_ = "(more call paths)";
    const vfd::Image& image_;
    symbols::NameSources sources_;
    symbols::ModuleIds ids_;
    std::unordered_map<Key, std::string, Hash> names_;
    std::optional<symbols::Resolver> resolver_;
    std::unordered_map<std::uint16_t, std::string>
        objects_; // qualifiers of the functions of modules, of those that have been asked for
};

// What a Names segment holds that names those OpenMP constructs of the recording which have no name there yet; empty:
// none.
std::vector<std::byte> construct_names(const vfd::Image& image);

// Likewise of the functions of these modules (their ids), as far as they have symbols.
std::vector<std::byte> names_of_modules(const vfd::Image& image, const std::set<std::uint32_t>& modules);

// Likewise of the functions of one loaded object.
std::vector<std::byte> names_of_object(const vfd::Image& image, std::uint64_t bias);

// The modules that functions of the recording lie in, those whose symbols it needs.
std::vector<symbols::Module> modules_in_use(const vfd::Image& image);

// How functions are to be named, from the configuration in the file; the defaults where it has
// none.
symbols::NameOptions name_options(const vfd::Image& image);

} // namespace vftr::analysis
