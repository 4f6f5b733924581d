// SPDX-License-Identifier: BSD-3-Clause
//
// Which files a dynamic linker would load with a program, by the rules of ld.so(8), found by reading ELF files.
//
// The dynamic linker itself knows that best, and can be asked (--list). But it runs code of the files that it is asked
// about: libraries for auditing that a file names (DT_AUDIT, DT_DEPAUDIT) are loaded and called, and what a program
// names as its dynamic linker may be any program. What the user only wants to look at must not run, so nothing is
// loaded here.
//
// What is left out: LD_AUDIT, filters (DT_FILTER, DT_AUXILIARY), and the folders for kinds of processors that the C
// library knew until 2.36 (tls/, haswell/).
#pragma once

#include "config_tools/doctor/linker_rules.hpp"

#include "symbols/linkage.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

// What the search depends on besides the files.
struct SearchEnvironment {
    std::string library_path, preload; // LD_LIBRARY_PATH, LD_PRELOAD
    bool secure = false;               // a set-user-ID program: both are ignored, and $ORIGIN is no place to search
};

struct FoundLibrary {
    std::string name, path; // "libc.so.6", "/lib/x86_64-linux-gnu/libc.so.6"
};
// What makes that the program does not start.
struct Hindrance {
    enum Kind {
        Nowhere,   // a library is not to be found
        NoLibrary, // what has its name is none, or is for another machine
        TooOld     // a library lacks a version of symbols that is wanted of it
    };
    Kind kind;
    std::string what;
};
struct LibrarySearch {
    std::vector<FoundLibrary> found; // in the order in which symbols are searched for, without the program
    // What cannot be preloaded, and why; the program starts without it. First the name of who wants it (LD_PRELOAD).
    std::vector<std::pair<std::string, std::string>> not_preloaded;
    std::optional<Hindrance> hindrance;
};
LibrarySearch search_libraries(const std::string& program, const symbols::Linkage& linkage, const LinkerRules& rules,
                               const SearchEnvironment& environment);

} // namespace vftr::cli
