// SPDX-License-Identifier: BSD-3-Clause
//
// vftr flags: the flags to start with, as a compiler here takes them.
#include "config_tools/costs/compiler_at_hand.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/run/own_library.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"

#include <cstdio>
#include <stdexcept>

namespace vftr::cli {
namespace {

std::vector<advice::Flag> flags_of(const CompilerAtHand& compiler, bool with_plugin) {
    const bool lists = compiler.kind().family == advice::CompilerFamily::Gcc && !compiler.kind().fortran;
    const CompilerTrial trial(compiler);
    std::vector<advice::Flag> flags;
    std::vector<std::string> taken;
    bool before = false; // whether the wanted flag before was taken
    for (const advice::WantedFlag& wanted :
         advice::flags_to_start_with(compiler.kind(), with_plugin ? own_plugin(compiler.kind().family) : "",
                                     lists ? compiler.header_folders() : std::vector<std::string>())) {
        if (wanted.instead && before)
            continue;
        taken.push_back(wanted.flag.text);
        before = trial.understands(taken);
        if (before)
            flags.push_back(wanted.flag);
        else
            taken.pop_back();
    }
    if (!trial.understands(taken) || !trial.has_hooks())
        throw std::runtime_error(compiler.name() + " (" + compiler.kind().version +
                                 ") cannot instrument functions: it has no flag for that which vftrace knows");
    return flags;
}

void print(const std::vector<advice::Flag>& flags, const std::string& version, bool explain) {
    if (explain)
        std::printf("%s\n\n", base::foreign_text(version).c_str());
    const char* separator = "";
    for (const advice::Flag& flag : flags) {
        if (explain)
            std::printf("%s\n    %s\n", flag.text.c_str(), flag.why.c_str());
        else
            std::printf("%s%s", separator, flag.text.c_str());
        separator = " ";
    }
    std::puts(explain ? ("\nThe program is linked with -lvftrace, or recorded by " + own_command("run") + ".").c_str()
                      : "");
}

} // namespace

int verb_flags(int argc, char** argv) {
    bool explain = false, with_plugin = true;
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] [COMPILER]"},
         .about =
             "Prints, on one line, the flags to start with for a program that is to be recorded, as COMPILER takes them:\n\n"
             "    gcc $(vftr flags gcc) -c heat.c\n\n"
             "COMPILER is gcc, g++, gfortran, clang, clang++, icx or the like, by name or path, or a wrapper as mpicc.\n"
             "Default: the one of the variable CC, else gcc.\n",
         .options = {{"--explain", "a line for each flag that says what it is good for", flag(explain)},
                     {"--no-plugin", "without the plugin of vftrace for the compiler: its own hooks alone",
                      flag(with_plugin, false)}}});
    if (early)
        return *early;
    if (argc - optind > 1)
        return usage_error(argv[0],
                           "one COMPILER at a time, and its flags belong behind vftr flags: ", argv[optind + 1]);
    std::string trouble;
    const auto compiler = CompilerAtHand::find(optind < argc ? argv[optind] : nullptr, trouble);
    if (!compiler)
        return usage_error(argv[0], trouble.c_str());
    print(flags_of(*compiler, with_plugin), compiler->kind().version, explain);
    return 0;
}

} // namespace vftr::cli
