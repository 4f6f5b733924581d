// SPDX-License-Identifier: BSD-3-Clause
//
// vftr run: any command with libvftrace preloaded, and what was recorded.
//
// Nothing of it may be noticed by the command: the summary goes to stderr, what is wrong before the start ends with 2,
// and from then on the exit code is the command's.
#include "config_tools/exit_code.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/run/launch.hpp"
#include "config_tools/run/own_library.hpp"
#include "config_tools/run/run_summary.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/verb.hpp"

#include "base/absolute_directory.hpp"
#include "base/environment.hpp"
#include "base/foreign_text.hpp"
#include "base/process.hpp"
#include "config/config.hpp"
#include "inherit/environment.hpp"
#include "inherit/injected_variables.hpp"
#include "inherit/preload_list.hpp"
#include "inherit/provenance.hpp"
#include "report/command_text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace vftr::cli {
namespace {

struct RunOptions {
    const char* output = nullptr;
    const char* config = nullptr;
    const char* library = nullptr;
    const char* summary = nullptr; // null: stderr
    bool follow = true, quiet = false;
};

std::uint64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000000000u + static_cast<std::uint64_t>(now.tv_nsec);
}

// One line each, without the excerpts that `vftr config check` shows. Throws where there are errors.
void check_config(const char* file) {
    bool bad = false;
    for (const config::Problem& problem : config::load_file(file).problems) {
        bad |= problem.severity == config::Problem::Severity::Error;
        tell_error(own_command("run"), config::to_line(problem));
    }
    if (bad)
        throw std::runtime_error(std::string(file) + ": the configuration has errors; the command was not started");
}

// What the command is told, but for its pid.
struct Prepared {
    std::string library, directory;
    inherit::InheritedEnvironment inherited; // the library
    std::uint64_t start = 0;
    bool writes_log = false; // of all processes, in place of theirs
};

void set_variable(const char* name, const std::string& value) {
    if (::setenv(name, value.c_str(), 1) != 0)
        throw std::runtime_error(std::string(name) + ": " + std::strerror(errno));
}

// What the command had not, and is told by us alone, is taken out of its environment again.
class NewVariables {
public:
    NewVariables() {
        for (const char* name : Names)
            if (!std::getenv(name))
                new_.push_back(name);
    }
    void hand_on() const {
        std::string memory(inherit::InjectedList::bytes(new_.size()), '\0');
        inherit::InjectedList list(memory.data());
        for (const std::string name : new_)
            if (const char* value = std::getenv(name.c_str()))
                list.add((name + "=" + value).c_str(), inherit::Injected::Whole);
        // A vftr run in that of another: what the latter has added stays marked.
        const std::string variable(inherit::InjectedListVariable);
        const char* before = inherit::marker_in(environ);
        std::string sums = before ? before : "";
        if (const char* entry = list.entry())
            sums += (sums.empty() ? "" : ",") + std::string(base::value_in(entry, variable));
        if (!sums.empty())
            set_marker(variable + '=' + sums);
    }

private:
    // Not by setenv: what somebody else has in a variable of that name stays.
    static void set_marker(std::string text) {
        static std::string entry;
        static std::vector<char*> entries;
        entry = std::move(text);
        for (char** other = environ; other && *other; ++other)
            if (!inherit::is_marker(*other))
                entries.push_back(*other);
        entries.insert(entries.end(), {entry.data(), nullptr});
        environ = entries.data();
    }

    static constexpr const char* Names[] = {"VFTR_CONFIG", "VFTR_OUTPUT_DIRECTORY", "VFTR_EXEC_CHAIN", "VFTR_EXEC_LOGS",
                                            "VFTR_EXEC_TRACE_PATH"};
    std::vector<const char*> new_;
};

void carry_library(Prepared& prepared) {
    struct stat status {};
    if (!inherit::is_one_entry(prepared.library))
        throw std::runtime_error(prepared.library +
                                 ": the dynamic linker preloads no library with a blank or colon in its path");
    if (::stat(prepared.library.c_str(), &status) != 0)
        throw std::runtime_error(prepared.library + ": " + std::strerror(errno));
    inherit::InheritedEnvironment& inherited = prepared.inherited;
    inherited.follow = inherited.preloaded = true;
    inherited.library = inherited.library_as_given = prepared.library.c_str();
    inherited.library_device = status.st_dev;
    inherited.library_inode = status.st_ino;
}

// The command may go elsewhere before it reads it.
void set_config(const char* given) {
    const char* inherited = std::getenv("VFTR_CONFIG");
    if (given)
        check_config(given);
    if (given || (inherited && ::access(inherited, R_OK) == 0))
        set_variable("VFTR_CONFIG", std::filesystem::absolute(given ? given : inherited));
}

// AddressSanitizer ends a program in which another library stands before it; that it does not matter has to be told.
void reassure_sanitizer() {
    static constexpr const char* Option = "verify_asan_link_order";
    const char* given = std::getenv("ASAN_OPTIONS");
    std::string options = given ? given : "";
    if (options.find(Option) == std::string::npos)
        set_variable("ASAN_OPTIONS", options + (options.empty() ? "" : ":") + Option + "=0");
}

// It changes the own environment, which the command gets.
void prepare(Prepared& prepared, const RunOptions& options) {
    const NewVariables fresh;
    prepared.library = options.library ? given_library(options.library) : own_library();
    carry_library(prepared);
    set_config(options.config);
    if (options.output) {
        std::error_code error;
        std::filesystem::create_directories(options.output, error);
        if (error)
            throw std::runtime_error(std::string(options.output) + ": " + error.message());
        set_variable("VFTR_OUTPUT_DIRECTORY", options.output);
    }
    const config::Loaded loaded = config::load_environment();
    // With --config most of it is told already. The command and its children leave it to us.
    if (!config::off_by_environment() && base::prints_job_messages())
        std::fputs((options.config ? config::not_yet_text(loaded) : config::run_text(loaded)).c_str(), stderr);
    prepared.inherited.config_in_environment = std::getenv("VFTR_CONFIG");
    prepared.directory = base::absolute_directory(loaded.config.output_directory);
    set_variable("VFTR_OUTPUT_DIRECTORY", prepared.directory);
    if (const auto& trace = loaded.config.processes_trace_path; trace && !trace->starts_with('/'))
        set_variable("VFTR_EXEC_TRACE_PATH", std::filesystem::absolute(*trace));
    if (!options.follow)
        set_variable("VFTR_EXEC_CHAIN", "0");
    if (loaded.config.processes_logs == "auto") {
        prepared.writes_log = !options.quiet;
        set_variable("VFTR_EXEC_LOGS", "first");
    }
    fresh.hand_on();
    reassure_sanitizer();
}

// In the child. The memory is never freed: the exec is next.
char* const* environment_of_command(const Prepared& prepared) {
    char text[inherit::ProvenanceSize];
    inherit::Provenance provenance;
    provenance.pid = static_cast<std::uint32_t>(::getpid());
    provenance.start_realtime_ns = prepared.start;
    std::string_view parent = inherit::write_provenance(provenance, text);
    std::size_t bytes = inherit::scratch_needed(prepared.inherited, environ, environ, parent);
    return inherit::child_environment(prepared.inherited, environ, environ, parent,
                                      bytes ? std::malloc(bytes) : nullptr, bytes)
        .environment;
}

std::FILE* open_summary(const RunOptions& options) {
    if (options.quiet || !options.summary)
        return stderr;
    std::FILE* file = std::fopen(options.summary, "we");
    if (!file)
        throw std::runtime_error(std::string(options.summary) + ": " + std::strerror(errno));
    return file;
}

std::string in_one_line(char** command) {
    std::string line;
    for (; *command; ++command)
        line += ' ' + report::command_word(*command);
    return line;
}

// <command>_run; "": none.
std::string log_name(const Prepared& prepared, const char* command) {
    return prepared.writes_log ? std::filesystem::path(command).filename().string() + "_run" : "";
}

void summarise(std::FILE* out, const Prepared& prepared, const Ended& ended, char** command) {
    try {
        const vfd::RecordingId root{static_cast<std::uint32_t>(ended.pid), 0, prepared.start};
        if (print_summary(out, prepared.directory, root, log_name(prepared, command[0])) == 0)
            std::fprintf(out, "%s: nothing was recorded; %s --%s says why\n", own_command("run").c_str(),
                         own_command("doctor").c_str(), base::foreign_text(in_one_line(command)).c_str());
    } catch (const std::exception& error) {
        tell_error(own_command("run"), std::string("no summary: ") + error.what());
    }
    if (out != stderr && std::fclose(out) != 0)
        tell_error(own_command("run"), std::string("the summary could not be written: ") + std::strerror(errno));
}

} // namespace

int verb_run(int argc, char** argv) {
    RunOptions options;
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] [--] COMMAND [ARGUMENT…]"},
         .about = "Runs the command with libvftrace preloaded, and prints a summary of what was recorded.\n",
         .options = {{"-o, --output DIR",
                      "where the results go, created if it is not there; default: as the configuration says",
                      text(options.output)},
                     {"-c, --config FILE", "the configuration, instead of that of VFTR_CONFIG", text(options.config)},
                     {"--library FILE", "this libvftrace.so; default: the one that belongs to this vftr",
                      text(options.library)},
                     {"--no-follow", "leave the environments that programs make for others as they are",
                      flag(options.follow, false)},
                     {"--summary FILE", "write the summary there; default: standard error", text(options.summary)},
                     {"-q, --quiet", "no summary, and no log of all processes", flag(options.quiet)}},
         .after =
             "The exit code is the command's: its own, 128 + N where signal N ended it, 127 where it is not found,\n"
             "126 where it cannot be executed. 2: wrong usage or configuration, the command was not started.\n",
         .options_first = true});
    if (early)
        return *early;
    if (optind == argc)
        return usage_error(argv[0], "a COMMAND is missing");
    Prepared prepared;
    std::FILE* summary = stderr;
    try {
        summary = open_summary(options);
        prepare(prepared, options);
    } catch (const std::exception& error) {
        tell_error(own_command("run"), error.what());
        return ExitWrongUsage;
    }
    prepared.start = now_ns();
    if (!config::off_by_environment() && base::prints_job_messages())
        set_previous_run_log_aside(prepared.directory, log_name(prepared, argv[optind]), prepared.start);
    Ended ended = launch(argv + optind, [&] { return environment_of_command(prepared); });
    if (std::string text = ended.text(argv[optind]); !text.empty())
        tell_error(own_command("run"), text);
    if (!ended.error && !options.quiet && base::prints_job_messages())
        summarise(summary, prepared, ended, argv + optind);
    return ended.code();
}

} // namespace vftr::cli
