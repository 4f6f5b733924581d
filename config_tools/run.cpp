// SPDX-License-Identifier: BSD-3-Clause
//
// vftr run: any command with libvftrace preloaded, and what was recorded.
//
// Nothing of it may be noticed by the command: the summary goes to stderr, what is wrong before the start ends with 2, and from then on the
// exit code is the command's.
#include "launch.hpp"
#include "own_library.hpp"
#include "run_recordings.hpp"
#include "verb.hpp"

#include "config/config.hpp"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <getopt.h>
#include <stdexcept>
#include <unistd.h>

namespace vftr::cli {
namespace {

struct Options {
    const char* output = nullptr;
    const char* config = nullptr;
    const char* library = nullptr;
    const char* summary = nullptr; // null: stderr
    bool follow = true, quiet = false;
};

void print_help() {
    std::fputs("usage: vftr run [OPTION…] [--] COMMAND [ARGUMENT…]\n\n"
               "Runs the command with libvftrace preloaded, and prints a summary of what was recorded.\n\n"
               "  -o, --output DIR   where the results go, created if it is not there; default: as the configuration says\n"
               "  -c, --config FILE  the configuration, instead of that of VFTR_CONFIG\n"
               "  --library FILE     this libvftrace.so; default: the one that belongs to this vftr\n"
               "  --no-follow        do not follow the command into the programs that it starts\n"
               "  --summary FILE     write the summary there; default: standard error\n"
               "  -q, --quiet        no summary\n"
               "  -h, --help         print this\n\n"
               "The exit code is the command's: its own, 128 + N where signal N ended it, 127 where it is not found,\n"
               "126 where it cannot be executed. 2: wrong usage or configuration, the command was not started.\n",
               stdout);
}

std::uint64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(now.tv_nsec);
}

std::string one_line(const config::Problem& problem) {
    std::string place = problem.file + (problem.line ? ':' + std::to_string(problem.line) + ':' + std::to_string(problem.column) : "");
    const char* kind = problem.severity == config::Problem::Severity::Error ? ": error: " : ": warning: ";
    return place + kind + problem.message.substr(0, problem.message.find('\n'));
}

std::string absolute(const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
}

// One line each, without the excerpts that `vftr config check` shows. Throws where there are errors.
void check_config(const char* file) {
    bool bad = false;
    for (const config::Problem& problem : config::load_file(file).problems) {
        bad |= problem.severity == config::Problem::Severity::Error;
        std::fprintf(stderr, "vftr run: %s\n", one_line(problem).c_str());
    }
    if (bad)
        throw std::runtime_error(std::string(file) + ": the configuration has errors; the command was not started");
}

// What the command and its processes are to find in their environment.
struct Carried {
    std::string library, directory;
    std::uint64_t start = 0;
};

void set_variable(const char* name, const std::string& value) {
    if (::setenv(name, value.c_str(), 1) != 0)
        throw std::runtime_error(std::string(name) + ": " + std::strerror(errno));
}

Carried prepare(const Options& options) {
    Carried carried;
    carried.library = options.library ? given_library(options.library) : own_library();
    if (carried.library.find_first_of(" \t:;") != std::string::npos)
        throw std::runtime_error(carried.library + ": the dynamic linker takes no preloaded library with a blank or colon in its path");
    if (options.config) {
        check_config(options.config);
        set_variable("VFTR_CONFIG", absolute(options.config));
    }
    if (options.output) {
        std::error_code error;
        std::filesystem::create_directories(options.output, error);
        if (error)
            throw std::runtime_error(std::string(options.output) + ": " + error.message());
    }
    const char* given = options.output ? options.output : std::getenv("VFTR_OUTPUT_DIRECTORY");
    carried.directory = absolute(given && *given ? given : config::load_environment().config.output_directory);
    set_variable("VFTR_OUTPUT_DIRECTORY", carried.directory);
    if (!options.follow)
        set_variable("VFTR_EXEC_CHAIN", "0");
    return carried;
}

// In the child: what it is told needs its pid.
char** environment_of_command(const Carried& carried) {
    const char* others = std::getenv("LD_PRELOAD");
    ::setenv("LD_PRELOAD", (carried.library + (others && *others ? std::string(":") + others : "")).c_str(), 1);
    ::setenv("VFTR_PARENT", (std::to_string(::getpid()) + '.' + std::to_string(carried.start) + ".0.").c_str(), 1);
    return environ;
}

std::FILE* open_summary(const Options& options) {
    if (options.quiet || !options.summary)
        return stderr;
    std::FILE* file = std::fopen(options.summary, "we");
    if (!file)
        throw std::runtime_error(std::string(options.summary) + ": " + std::strerror(errno));
    return file;
}

void print_summary(std::FILE* out, const Carried& carried, const Ended& ended) {
    std::vector<std::string> paths = recordings_of_run(carried.directory, {static_cast<std::uint32_t>(ended.pid), 0, carried.start});
    if (paths.empty())
        std::fputs("vftr run: nothing was recorded; vftr doctor COMMAND says why\n", out);
    for (const std::string& path : paths)
        std::fprintf(out, "%s\n", path.c_str());
}

void summarise(std::FILE* out, const Carried& carried, const Ended& ended) {
    try {
        print_summary(out, carried, ended);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "vftr run: no summary: %s\n", error.what());
    }
    if (out != stderr && std::fclose(out) != 0)
        std::fprintf(stderr, "vftr run: the summary could not be written: %s\n", std::strerror(errno));
}

} // namespace

int verb_run(int argc, char** argv) {
    static const option Known[] = {{"output", required_argument, nullptr, 'o'},
                                   {"config", required_argument, nullptr, 'c'},
                                   {"library", required_argument, nullptr, 'l'},
                                   {"no-follow", no_argument, nullptr, 'n'},
                                   {"summary", required_argument, nullptr, 's'},
                                   {"quiet", no_argument, nullptr, 'q'},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    Options options;
    for (int c; (c = getopt_long(argc, argv, "+o:c:qh", Known, nullptr)) != -1;) {
        switch (c) {
        case 'o':
            options.output = optarg;
            break;
        case 'c':
            options.config = optarg;
            break;
        case 'l':
            options.library = optarg;
            break;
        case 'n':
            options.follow = false;
            break;
        case 's':
            options.summary = optarg;
            break;
        case 'q':
            options.quiet = true;
            break;
        case 'h':
            print_help();
            return 0;
        default:
            return 2;
        }
    }
    if (optind == argc)
        return usage_error(argv[0], "a COMMAND is missing");
    Carried carried;
    std::FILE* summary = stderr;
    try {
        summary = open_summary(options);
        carried = prepare(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "vftr run: %s\n", error.what());
        return 2;
    }
    carried.start = now_ns();
    Ended ended = launch(argv + optind, [&] { return environment_of_command(carried); });
    if (std::string text = ended.text(argv[optind]); !text.empty())
        std::fprintf(stderr, "vftr run: %s\n", text.c_str());
    if (!ended.error && !options.quiet)
        summarise(summary, carried, ended);
    return ended.code();
}

} // namespace vftr::cli
