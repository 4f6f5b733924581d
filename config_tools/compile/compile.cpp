// SPDX-License-Identifier: BSD-3-Clause
//
// vftr cc, c++ and fc: the compiler with the flags of vftr flags, and with libvftrace where it links. Build systems
// that take a compiler by its name and no more have them as vftr-cc, vftr-c++, vftr-fc, vftr-mpicc, vftr-mpicxx and
// vftr-mpifort.
//
// A build starts a compiler thousands of times, so nothing is tried here as vftr flags does: the compiler is asked once
// for its version, which says whether the plugin is for it.
#include "config.h"
#include "config_tools/compile/command_line.hpp"
#include "config_tools/costs/compiler_at_hand.hpp"
#include "config_tools/exit_code.hpp"
#include "config_tools/files/real_path.hpp"
#include "config_tools/run/own_library.hpp"
#include "config_tools/run/search_path.hpp"
#include "config_tools/syntax/syntax.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace vftr::cli {
namespace {

using Words = std::vector<std::string>;

struct Language {
    const char* variable; // of the environment, which names the compiler
    const char* mpi_variable;
    const char* compiler; // where the variable does not
    const char* mpi_compiler;
};
constexpr Language C{"VFTR_CC", "VFTR_MPICC", "gcc", "mpicc"}, Cxx{"VFTR_CXX", "VFTR_MPICXX", "g++", "mpicxx"},
    Fortran{"VFTR_FC", "VFTR_MPIFORT", "gfortran", "mpifort"};

std::string compiler_of(const Language& language, bool mpi) {
    const char* named = std::getenv(mpi ? language.mpi_variable : language.variable);
    return named && *named ? named : mpi ? language.mpi_compiler : language.compiler;
}

bool is_off() {
    const char* value = std::getenv("VFTR_WRAPPER");
    return value && std::strcmp(value, "off") == 0;
}

Syntax syntax_of_compiler(const Language& language) {
    const std::string compiler = language.compiler, variable = language.variable;
    return {.usage = {"[--mpi] [ARGUMENT…]"},
            .about = "Runs the compiler " + compiler + ", or " + language.mpi_compiler +
                     " with --mpi, with the flags that record a program, and links with libvftrace.\n"
                     "All other arguments are the compiler's.\n",
            .options = {{"--mpi", "the compiler of MPI; as the first argument"},
                        {"--help", "print this; as the only argument"}},
            .after = variable + ", " + language.mpi_variable + "  name another compiler in the environment\n" +
                     "VFTR_WRAPPER=off  adds nothing, for programs that a configure script only tries\n"};
}

// "(Debian 12.2.0-14) 12.2.0" of "gcc (Debian 12.2.0-14) 12.2.0".
std::string_view version_part(std::string_view line) {
    const std::size_t begin = line.find('(');
    return begin == line.npos ? line : line.substr(begin);
}

// The compiler's plugin, where it is for this version.
std::string fitting_plugin(const advice::Compiler& compiler) {
    const bool is_gcc = compiler.family == advice::CompilerFamily::Gcc;
    const bool fits = is_gcc ? version_part(compiler.version) == version_part(GCC_PLUGIN_VERSION)
                             : compiler.version == CLANG_PLUGIN_VERSION;
    return fits ? own_plugin(compiler.family) : "";
}

Words flags_to_compile_with(const CompilerAtHand& compiler) {
    const advice::Compiler& kind = compiler.kind();
    const std::string plugin = fitting_plugin(kind);
    const bool lists = kind.family == advice::CompilerFamily::Gcc && !kind.fortran && plugin.empty();
    Words flags;
    for (const advice::WantedFlag& wanted :
         advice::flags_to_start_with(kind, plugin, lists ? compiler.header_folders() : Words()))
        if (!wanted.instead)
            flags.push_back(wanted.flag.text);
    return flags;
}

Words libraries(bool is_static, bool mpi) {
    const std::string library = own_library(), folder = library.substr(0, library.rfind('/'));
    // Distributions have what programs are linked with in a package of its own.
    const char* const wanted = is_static ? "libvftrace.a" : "libvftrace.so";
    if (real_path(folder + '/' + wanted).empty())
        throw std::runtime_error("there is no " + folder + '/' + wanted +
                                 ", which programs are linked with (Debian: libvftrace-dev)");
    Words words{"-L" + folder, "-lvftrace"};
    if (is_static) {
        std::istringstream others(VFTR_STATIC_LIBS);
        for (std::string word; others >> word;)
            words.push_back(word);
    } else {
        words.push_back("-Wl,-rpath," + folder);
        // The libraries of MPI come behind. libvftrace offers what the program calls of them, so a linker that adds
        // only what is needed would leave them out.
        if (mpi)
            words.push_back("-Wl,--no-as-needed");
    }
    return words;
}

std::vector<char*> pointers_to(const Words& words) {
    std::vector<char*> pointers;
    for (const std::string& word : words)
        pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

int execute(const Words& command, const Words& environment, const char* verb) {
    ::execvpe(command[0].c_str(), pointers_to(command).data(), pointers_to(environment).data());
    tell_error(verb, command[0] + ": " + std::strerror(errno));
    return ExitNotFound;
}

int compile(int argc, char** argv, const Language& language, bool mpi) {
    Words arguments(argv + 1, argv + argc);
    if (!mpi && !arguments.empty() && arguments[0] == "--mpi") {
        mpi = true;
        arguments.erase(arguments.begin());
    }
    if (const auto code = describe(argv[0], syntax_of_compiler(language), arguments == Words{"--help"}))
        return *code;
    Words command = words_of_command(compiler_of(language, mpi));
    Words environment; // the question for the version changes our own
    for (char** entry = environ; entry && *entry; ++entry)
        environment.push_back(*entry);
    const CompilerCall call = compiler_call(arguments);
    if (!is_off() && call.has_input) {
        std::string trouble;
        const auto compiler = CompilerAtHand::find(compiler_of(language, mpi).c_str(), trouble);
        if (!compiler)
            return usage_error(argv[0], trouble.c_str());
        for (const std::string& flag : flags_to_compile_with(*compiler))
            command.push_back(flag);
    }
    command.insert(command.end(), arguments.begin(), arguments.end());
    if (!is_off() && call.links)
        for (const std::string& word : libraries(call.is_static, mpi))
            command.push_back(word);
    return execute(command, environment, argv[0]);
}

} // namespace

int verb_cc(int argc, char** argv) { return compile(argc, argv, C, false); }
int verb_cxx(int argc, char** argv) { return compile(argc, argv, Cxx, false); }
int verb_fc(int argc, char** argv) { return compile(argc, argv, Fortran, false); }
int command_mpicc(int argc, char** argv) { return compile(argc, argv, C, true); }
int command_mpicxx(int argc, char** argv) { return compile(argc, argv, Cxx, true); }
int command_mpifort(int argc, char** argv) { return compile(argc, argv, Fortran, true); }

} // namespace vftr::cli
