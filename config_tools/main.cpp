// SPDX-License-Identifier: BSD-3-Clause
//
// vftr: looks up the verb and runs it. A link to vftr of one of the names in Commands does what Vftrace 2.0 did under
// that name.
#include "config_tools/exit_code.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/syntax/syntax.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/tell/progress_line.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"
#include "vfd/image.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <malloc.h>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::cli {
namespace {

constexpr Verb Verbs[] = {
#define VFTR_NAMED_VERB(name, shown, summary) {shown, summary, verb_##name},
#define VFTR_VERB(name, summary) VFTR_NAMED_VERB(name, #name, summary)
#include "config_tools/verbs.def"
#undef VFTR_VERB
#undef VFTR_NAMED_VERB
};

// Names that scripts know from before there was vftr, and those of compilers. A command with a verb has the name of
// that in messages.
constexpr struct {
    const char* name;
    const char* verb;
    int (*run)(int, char**);
} Commands[] = {{"vftrace_vfd_dump", "dump", verb_dump},
                {"vftrace_generate_default_config", nullptr, command_generate_default_config},
                {"vftrace_check_config", nullptr, command_check_config},
                {"vftr-cc", nullptr, verb_cc},
                {"vftr-c++", nullptr, verb_cxx},
                {"vftr-fc", nullptr, verb_fc},
                {"vftr-mpicc", nullptr, command_mpicc},
                {"vftr-mpicxx", nullptr, command_mpicxx},
                {"vftr-mpifort", nullptr, command_mpifort}};

const Verb* find_verb(const char* name) {
    for (const Verb& row : Verbs)
        if (std::strcmp(name, row.name) == 0)
            return &row;
    return nullptr;
}

int run(std::string name, int (*what)(int, char**), int argc, char** argv) {
    argv[0] = name.data();
    ProgressLine::begin_command(name, ProgressLine::Clock::now());
    try {
        int code = what(argc, argv);
        // Of a write that failed before, as of a text that is larger than the buffer, nothing is left to flush, and the
        // cause is not known any more.
        const bool flushed = std::fflush(stdout) == 0;
        if (!flushed || std::ferror(stdout)) {
            tell_error(std::string("cannot write to standard output") +
                       (flushed ? ", or not all of it" : std::string(": ") + std::strerror(errno)));
            return ExitFailed;
        }
        return code;
    } catch (const std::exception& error) {
        tell_error(error.what());
        return ExitFailed;
    }
}

int run(const Verb& row, int argc, char** argv) { return run(own_command(row.name), row.run, argc, argv); }

void print_help(std::FILE* out) {
    const std::string name = own_command();
    std::fprintf(out, "usage: %s VERB [OPTION…] [FILE…]\n\nVerbs:\n", name.c_str());
    for (const Verb& row : Verbs)
        if (row.summary)
            std::fprintf(out, "  %-10s %s\n", row.name, row.summary);
    std::fprintf(out, "\n%s VERB --help tells more about a verb; man %s about all. %s --version prints the version.\n",
                 name.c_str(), name.c_str(), name.c_str());
}

// Verbs that read many recordings need the same memory for each: it is not given back to the kernel and fetched anew in
// between, which would be a third of their time.
void keep_memory() {
#ifdef M_TRIM_THRESHOLD
    constexpr int MostKept = 512 << 20,
                  LargestFromHeap = 32 << 20; // bytes; the latter is as large as the C library takes
    ::mallopt(M_TRIM_THRESHOLD, MostKept);
    ::mallopt(M_MMAP_THRESHOLD, LargestFromHeap);
#endif
}

int unknown_verb(const std::string& name) {
    std::vector<std::string> known;
    for (const Verb& row : Verbs)
        if (row.summary)
            known.emplace_back(row.name);
    return usage_error(own_command().c_str(), "no such verb: ", (name + did_you_mean(name, known)).c_str());
}

} // namespace

std::span<const Verb> verbs() { return Verbs; }

int usage_error(const char* verb, const char* message, const char* what) {
    tell_error(verb, with_name(message) + what + " (see " + verb + " --help)");
    return ExitWrongUsage;
}

} // namespace vftr::cli

int main(int argc, char** argv) {
    using namespace vftr::cli;
    keep_memory();
    const std::string_view started_as = argc > 0 ? argv[0] : "";
    const std::string installed(started_as.substr(started_as.rfind('/') + 1));
    const std::string own = own_name().command(installed);
    for (const auto& command : Commands)
        if (installed == command.name || own == command.name)
            return run(command.verb ? own_command(command.verb) : installed, command.run, argc, argv);
    if (argc < 2)
        return usage_error(own_command().c_str(), "a verb is missing");
    const bool asks = std::strcmp(argv[1], "help") == 0;
    if (asks && argc > 2 && !find_verb(argv[2]))
        return unknown_verb(argv[2]);
    if (asks && argc > 2) {
        char option[] = "--help";
        char* of_verb[] = {argv[2], option, nullptr};
        return run(*find_verb(argv[2]), 2, of_verb);
    }
    if (asks || std::strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (std::strcmp(argv[1], "--version") == 0) {
        std::puts("vftr " VFTR_VERSION);
        return 0;
    }
    if (const Verb* row = find_verb(argv[1]))
        return run(*row, argc - 1, argv + 1);
    return unknown_verb(argv[1]);
}
