// SPDX-License-Identifier: BSD-3-Clause
//
// The names of the functions in a recording. The file itself holds only those of regions and MPI functions. The others
// are looked up in the symbol store beside the file, so that file and store together can be read on a machine that
// lacks the program. Names that the store lacks are looked up in the objects that the program had loaded.
//
// The recording also holds the names of functions whose object is too large for the store (session/results/results.cpp)
// or was being unloaded.
//
// An OpenMP construct is named by function and line. Lines are not in the store but in the debug information, which is
// many times as large as the symbols, while a program has few constructs. So the names of constructs are written into
// the recording when it is closed (construct_names). Until then, and for processes that were killed, they are looked up
// in the program's files.
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

// Clang outlines the body of an OpenMP construct into one or two functions whose names are not from the program
// (".omp_outlined.", ".omp_outlined._debug__", "solve(int) [clone .omp_outlined]"), and the hooks see them as callees
// of the construct. This function tells whether `name` is such an outlined function. What it does is what the construct
// does, so profiles and timelines have no separate path for it. (The functions that gcc outlines have no hooks.) Where
// constructs are not recorded, the outlined function keeps its path. `above` is the kind of the path that calls it.
inline bool is_outlined_function(NodeKind above, NodeKind kind, std::string_view name) {
    return above == NodeKind::OpenMp && kind == NodeKind::Function && name.find(".omp_outlined") != name.npos;
}

// Not thread-safe. The Image must outlive it.
class Names {
public:
    explicit Names(const vfd::Image& image, symbols::ModuleIds ids = symbols::ModuleIds::WhereShared);
    // For a store that is elsewhere, or for a process that still runs.
    Names(const vfd::Image& image, symbols::NameSources sources,
          symbols::ModuleIds ids = symbols::ModuleIds::WhereShared);
    // Gives functions of the executable their qualifier even where the process is not known to be one of several ranks.
    void tell_executables_apart() { executables_apart_ = true; }

    // "init" for the root; "omp parallel solve:42" for a construct. Functions of a library or of a
    // rank, and constructs whose source file is known, have the qualifier by which profiles know them
    // (symbols/qualified_name.hpp). Symbol tables are opened at the first function that the file does not name; every
    // name is looked up once. The result is never empty and has no control characters, whatever the file says.
    const std::string& of(const vfd::Node& node);
    // Of the function that has the instruction, likewise; "exp@plt" of a stub through which others are called; "(not
    // known)" where the sample tells none, and where it tells only an object, that in brackets: "[libvftrace.so.2]".
    const std::string& at(const vfd::CpuSample& sample);
    // The same with its object, as profiles have code without hooks: "[libm.so.6] exp"; "[libm.so.6]" for code without
    // a symbol. No function with hooks has such a name.
    const std::string& without_hooks(const vfd::CpuSample& sample);
    // See symbols::Resolver::inlined.
    std::vector<std::string> inlined(const vfd::CpuSample& sample, std::uint64_t largest) {
        return resolver().inlined(sample.address, sample.module, largest);
    }

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

    symbols::NameOptions options() const;
    std::string look_up(const vfd::Node& node);
    std::string in_brackets(std::uint16_t module) const;
    std::string recorded(const vfd::NameView& view);
    symbols::Resolver& resolver();

    // These are not static, as the profile is made again at exit, when statics may have been destroyed.
    const std::string root_ = "init", overflow_ = "(more call paths)", unknown_ = "(not known)";
    const vfd::Image& image_;
    symbols::NameSources sources_;
    symbols::ModuleIds ids_;
    bool executables_apart_;
    std::unordered_map<Key, std::string, Hash> names_;
    std::unordered_map<Key, std::string, Hash> without_hooks_; // by address
    std::optional<symbols::Resolver> resolver_;
    std::unordered_map<std::uint16_t, std::string> objects_; // by module: the qualifier of its functions, once needed
    bool objects_are_named_ = false;                         // in brackets, by where they begin: no function does there
};

// Whether a name that Names::at returns is that of vftrace, or of a function of it where it is linked statically.
bool is_recorder(std::string_view name);
// Whether it is the name of a stub (symbols/linkage_stubs.hpp).
bool is_stub(std::string_view name);

// The contents of a Names segment for those OpenMP constructs of the recording that it does not name yet; empty if
// there are none.
std::vector<std::byte> construct_names(const vfd::Image& image);

// The contents of a Names segment for the functions of these modules (given by their ids), as far as they have symbols.
std::vector<std::byte> names_of_modules(const vfd::Image& image, const std::set<std::uint32_t>& modules);

// The contents of a Names segment for the functions of one loaded object.
std::vector<std::byte> names_of_object(const vfd::Image& image, std::uint64_t bias);

// The label of the process's executable (symbols::executable_label), or its file name where the file has no such
// module.
std::string executable_of(const vfd::Image& image);

// The modules that contain functions of the recording, so whose symbols it needs.
std::vector<symbols::Module> modules_in_use(const vfd::Image& image);

// How functions are named, from the configuration in the file, or by default where the file has none.
symbols::NameOptions name_options(const vfd::Image& image);

// Names the functions of all files as a reader's own configuration says (vftr report --config), whatever theirs says.
// To be called before names are looked up, while there is one thread.
void set_name_options(const symbols::NameOptions& options);

// Gives functions of executables their qualifier in all recordings, as a reader has to where processes that are no
// ranks, such as the children of ranks, are added to those of a job. To be called as set_name_options.
void tell_executables_apart();

// Merged profiles have no names of the linker, and recordings have none of functions whose names are in the file
// itself, so these cannot be named otherwise than the run has. This tells by which options of the run, if it had others
// than set_name_options has set: "\"demangle_cxx\": true"; empty if nothing is to be told.
std::string options_of_kept_names(const vfd::Image& image);

} // namespace vftr::analysis
