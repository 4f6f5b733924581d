// SPDX-License-Identifier: BSD-3-Clause
//
// What a dynamic linker of GNU's C library has built in: the folders in which it searches for libraries, and the files
// that it reads. They are texts in its file, so that it need not be run: those of a distribution, of a compiler's own
// C library below /opt, or of a package manager with folders of its own differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vftr::cli {

struct LinkerRules {
    std::string path, soname;         // of the dynamic linker
    std::vector<std::string> folders; // "/lib/x86_64-linux-gnu/", in the order of the search
    std::string cache, preload;       // "/etc/ld.so.cache", "/etc/ld.so.preload"
    std::string library_folder;       // what $LIB stands for
    std::string platform;             // what $PLATFORM stands for
    // Subfolders of each folder with variants for this processor ("glibc-hwcaps/x86-64-v3/"), the best first.
    std::vector<std::string> variants;
};
// Returns nullopt if the file is no dynamic linker of GNU's C library.
std::optional<LinkerRules> linker_rules(const std::string& interpreter);

} // namespace vftr::cli
