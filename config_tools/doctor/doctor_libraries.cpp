// SPDX-License-Identifier: BSD-3-Clause
//
// What is loaded with a program, and in which order. library_search.hpp says why the dynamic linker is not asked. Its
// rules are read in its file, and only where it is one that this system trusts: a program may name anything as its
// dynamic linker.
#include "config_tools/doctor/doctor.hpp"
#include "config_tools/doctor/library_search.hpp"

#include <cstdlib>
#include <sys/stat.h>
#include <utility>

namespace vftr::cli {
namespace {

bool is_trusted(const std::string& interpreter) {
    std::string reason;
    struct stat file {
    }, own{};
    if (interpreter[0] != '/' || ::stat(interpreter.c_str(), &file) != 0 || !S_ISREG(file.st_mode))
        return false;
    if (file.st_uid == 0 && !(file.st_mode & (S_IWGRP | S_IWOTH)))
        return true;
    auto self = symbols::ElfFile::open("/proc/self/exe", reason);
    return self && ::stat(symbols::linkage_of(*self).interpreter.c_str(), &own) == 0 && own.st_dev == file.st_dev &&
           own.st_ino == file.st_ino;
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string remedy_of(const Hindrance& hindrance) {
    switch (hindrance.kind) {
    case Hindrance::Nowhere:
        return "put the folder of " + hindrance.what.substr(0, hindrance.what.find(':')) +
               " into LD_LIBRARY_PATH or into the program's run path (-Wl,-rpath,FOLDER)";
    case Hindrance::NoLibrary:
        return "put the library there, or let LD_LIBRARY_PATH lead to it";
    case Hindrance::TooOld:
        break;
    }
    return "build it on this machine, or let LD_LIBRARY_PATH lead to the libraries that it was built with";
}

void explain(const Program& program, const LibrarySearch& search, Findings& findings) {
    for (const auto& [who, what] : search.not_preloaded)
        findings.problem(who + ": " + what + ", so it is not preloaded",
                         "give the absolute path of a library that is there");
    if (search.hindrance)
        findings.problem(program.path + " does not start: " + search.hindrance->what, remedy_of(*search.hindrance));
}

} // namespace

std::optional<std::vector<LoadedObject>> load_order(const Program& program, Findings& findings) {
    std::vector<LoadedObject> objects;
    if (program.is_static())
        return objects;
    const std::string& linker = program.linkage.interpreter;
    const std::optional<LinkerRules> rules = is_trusted(linker) ? linker_rules(linker) : std::nullopt;
    if (!rules) {
        findings.problem(program.path + " has a dynamic linker that is not this system's: " + linker,
                         "check it where that is installed");
        return std::nullopt;
    }
    LibrarySearch search = search_libraries(program.path, program.linkage, *rules,
                                            {variable("LD_LIBRARY_PATH"), variable("LD_PRELOAD"), program.secure});
    explain(program, search, findings);
    if (search.hindrance)
        return std::nullopt;
    for (FoundLibrary& library : search.found)
        objects.push_back({std::move(library.name), std::move(library.path)});
    return objects;
}

} // namespace vftr::cli
