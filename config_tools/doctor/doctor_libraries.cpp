// SPDX-License-Identifier: BSD-3-Clause
//
// What is loaded with a program, and in which order, only the dynamic linker knows for sure: run paths, caches,
// LD_LIBRARY_PATH, variants of a library for a processor. Asked with --list it maps everything and runs nothing,
// neither of the program nor of its libraries. It is asked directly, and only where it is one that this system trusts:
// a program may name anything as its dynamic linker.
#include "config_tools/doctor/doctor.hpp"
#include "config_tools/run/capture.hpp"

#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>

namespace vftr::cli {
namespace {

constexpr int LongestWait = 30; // seconds: folders on slow file systems

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

// "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f…)", "\t/lib64/ld-linux-x86-64.so.2 (0x00007f…)"; what has
// no file (the kernel's) is left out.
std::optional<LoadedObject> parse(std::string line) {
    std::size_t address = line.rfind(" (0x");
    if (line.empty() || line[0] != '\t' || address == line.npos)
        return std::nullopt;
    line = line.substr(1, address - 1);
    std::size_t arrow = line.find(" => ");
    std::string path = arrow == line.npos ? line : line.substr(arrow + 4);
    if (path.empty() || path[0] != '/')
        return std::nullopt;
    return LoadedObject{arrow == line.npos ? path.substr(path.rfind('/') + 1) : line.substr(0, arrow), path};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// "./prog: error while loading shared libraries: libx.so.1: cannot open shared object file: No such file or directory"
void explain_failure(const Program& program, const Captured& answer, Findings& findings) {
    static constexpr char Mark[] = "error while loading shared libraries: ";
    std::size_t mark = answer.err.find(Mark);
    if (mark == answer.err.npos) {
        const std::string said = first_line(answer.err.empty() ? answer.out : answer.err);
        findings.problem("the dynamic linker cannot load " + program.path + ": " +
                             (said.empty() ? "it ends with exit code " + std::to_string(answer.code) : said),
                         "see what ldd " + program.path + " says");
        return;
    }
    std::string what = first_line(answer.err.substr(mark + sizeof Mark - 1));
    findings.problem(program.path + " does not start: " + what,
                     "put the folder of " + what.substr(0, what.find(':')) +
                         " into LD_LIBRARY_PATH or into the program's run path (-Wl,-rpath,FOLDER)");
}

// "ERROR: ld.so: object 'x.so' from LD_PRELOAD cannot be preloaded (…): ignored."
void explain_preload(const Captured& answer, Findings& findings) {
    std::istringstream lines(answer.err);
    for (std::string line; std::getline(lines, line);)
        if (line.find("LD_PRELOAD") != line.npos)
            findings.problem("LD_PRELOAD: " + line, "give the absolute path of a library that is there");
}

} // namespace

std::optional<std::vector<LoadedObject>> load_order(const Program& program, Findings& findings) {
    std::vector<LoadedObject> objects;
    if (program.is_static())
        return objects;
    const std::string& linker = program.linkage.interpreter;
    if (!is_trusted(linker)) {
        findings.problem(program.path + " has a dynamic linker that is not this system's: " + linker,
                         "check it where that is installed");
        return std::nullopt;
    }
    Captured answer = capture({linker, "--list", program.path}, LongestWait);
    if (answer.code != 0 || !answer.in_time) {
        explain_failure(program, answer, findings);
        return std::nullopt;
    }
    explain_preload(answer, findings);
    std::istringstream lines(answer.out);
    for (std::string line; std::getline(lines, line);)
        if (std::optional<LoadedObject> object = parse(line))
            objects.push_back(*object);
    return objects;
}

} // namespace vftr::cli
