// SPDX-License-Identifier: BSD-3-Clause
//
// The objects of a program, opened, in the order of the search for symbols: the program is the first.
#pragma once

#include "config_tools/doctor/doctor.hpp"

#include <string_view>

namespace vftr::cli {

struct LoadedFile {
    const LoadedObject* object; // nullptr: the program
    const symbols::ElfFile* file;
    bool vftrace; // libvftrace.so

    symbols::Presence has(const char* symbol) const {
        return symbols::find_symbol(*file, symbols::Table::Dynamic, symbol).presence;
    }
    bool gives(const char* symbol) const { return has(symbol) == symbols::Presence::Given; }
    bool wants(const char* symbol) const { return has(symbol) == symbols::Presence::Wanted; }
    // "libc.so.6 (/lib/…)"; the path of the program.
    std::string text(const Program& program) const;
};

class LoadedFiles {
public:
    LoadedFiles(const Program& program, const std::vector<LoadedObject>& objects);
    const std::vector<LoadedFile>& all() const { return all_; }
    // The first that gives the symbol, so the one whose definition is taken; nullptr: none.
    const LoadedFile* giver(const char* symbol) const;
    const LoadedFile* vftrace() const; // nullptr: not loaded

private:
    std::vector<std::optional<symbols::ElfFile>> files_;
    std::vector<LoadedFile> all_;
};

// Whether libvftrace.a is in the program, also in one without symbols.
bool has_vftrace_inside(const Program& program);

} // namespace vftr::cli
