// SPDX-License-Identifier: BSD-3-Clause
//
// Options that environment variables override.
#include "config/config.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

using namespace vftr::config;

namespace {

struct Variable {
    Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
    ~Variable() { ::unsetenv(name_); }
    const char* name_;
};

} // namespace

TEST_CASE("What the environment overrides: false is 0, false, no and off in any case", "[config]") {
    for (const char* word : {"0", "false", "no", "off", "FALSE", "No", "oFF"}) {
        INFO(word);
        Variable chain("VFTR_EXEC_CHAIN", word), propagate("VFTR_EXEC_PROPAGATE_ENV", word),
            checkpoint("VFTR_EXEC_CHECKPOINT", word);
        Loaded loaded = load_environment();
        CHECK(loaded.problems.empty());
        CHECK_FALSE(loaded.config.processes_follow);
        CHECK_FALSE(loaded.config.processes_propagate_env);
        CHECK_FALSE(loaded.config.processes_checkpoint);
    }
    for (const char* word : {"1", "true", "yes", "ON", ""}) {
        INFO(word);
        Variable chain("VFTR_EXEC_CHAIN", word);
        Loaded loaded = load_environment();
        CHECK(loaded.problems.empty());
        CHECK(loaded.config.processes_follow);
    }
}

TEST_CASE("What the environment overrides: an unknown value is one warning, and the option keeps what it has",
          "[config]") {
    Variable chain("VFTR_EXEC_CHAIN", "maybe");
    Loaded loaded = load_environment();
    CHECK(loaded.config == Config());
    REQUIRE(loaded.problems.size() == 1);
    CHECK(to_text(loaded.problems[0]) == "Warning: VFTR_EXEC_CHAIN is \"maybe\".\n"
                                         "         Allowed is 1, yes, on, true or 0, no, off, false.\n"
                                         "         Recording goes on with \"processes.follow\": true.\n"
                                         "         in the environment\n");
}

TEST_CASE("What the environment overrides: texts are checked as in the file", "[config]") {
    {
        Variable trace("VFTR_EXEC_TRACE_PATH", "trace.csv"), directory("VFTR_OUTPUT_DIRECTORY", "/tmp");
        Loaded loaded = load_environment();
        CHECK(loaded.problems.empty());
        CHECK(loaded.config.processes_trace_path == "trace.csv");
        CHECK(loaded.config.output_directory == "/tmp");
    }
    Variable directory("VFTR_OUTPUT_DIRECTORY", "/no/such");
    Loaded loaded = load_environment();
    CHECK(loaded.config.output_directory == ".");
    REQUIRE(loaded.problems.size() == 1);
    CHECK(loaded.problems[0].message ==
          "VFTR_OUTPUT_DIRECTORY is \"/no/such\": the directory cannot be used: No such file or directory.\n"
          "Allowed is the path of an existing, writable directory.\n"
          "Recording goes on with \"output_directory\": \".\" (the current directory).");
}

TEST_CASE("What the environment overrides is said where an option is explained", "[config]") {
    for (auto [path, variable] :
         {std::pair{"processes.follow", "VFTR_EXEC_CHAIN"}, {"output_directory", "VFTR_OUTPUT_DIRECTORY"}}) {
        CHECK(explain(path).find(std::string("    Environment: ") + variable + " overrides the file.\n") !=
              std::string::npos);
        CHECK(manual_page("vftrace").find(std::string("\n.TP\n.B ") + variable + "\n") != std::string::npos);
    }
    CHECK(explain("off").find("Environment") == std::string::npos);
}
