// SPDX-License-Identifier: BSD-3-Clause
#include "config/config.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace vftr::config;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path = fs::temp_directory_path() / ("vftr_config_" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
        ::unsetenv("VFTR_CONFIG");
        ::unsetenv("VFTR_OFF");
        fs::remove_all(path);
    }
    std::string write(const char* name, const std::string& text) const {
        std::ofstream(path / name) << text;
        return path / name;
    }
};

std::string only_message(const Loaded& loaded) {
    REQUIRE(loaded.problems.size() == 1);
    CHECK(loaded.problems[0].severity == Problem::Severity::Error);
    return loaded.problems[0].message;
}

} // namespace

TEST_CASE("VFTR_OFF is 1, yes, on or true, in any case") {
    Folder folder;
    CHECK_FALSE(off_by_environment());
    for (const char* word : {"1", "yes", "on", "true", "YES", "On", "tRuE"}) {
        ::setenv("VFTR_OFF", word, 1);
        INFO(word);
        CHECK(off_by_environment());
    }
    for (const char* word : {"", "0", "no", "off", "false", "11", "1 ", "tru", "truee", "oN1"}) {
        ::setenv("VFTR_OFF", word, 1);
        INFO(word);
        CHECK_FALSE(off_by_environment());
    }
}

TEST_CASE("Another value of VFTR_OFF does not switch off, and is told") {
    Folder folder;
    for (const char* word : {"", "0", "no"}) {
        ::setenv("VFTR_OFF", word, 1);
        CHECK(load_environment().problems.empty());
    }
    ::setenv("VFTR_OFF", "maybe", 1);
    const std::vector<Problem> problems = load_environment().problems;
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].message ==
          "VFTR_OFF is \"maybe\".\nAllowed is 1, yes, on, true or 0, no, off, false.\nRecording goes on.");
    CHECK(problems[0].severity == Problem::Severity::Warning);
}

TEST_CASE("Without VFTR_CONFIG, or with an empty one, the defaults hold") {
    Folder folder;
    ::unsetenv("VFTR_CONFIG");
    for (int i = 0; i < 2; ++i) {
        Loaded loaded = load_environment();
        CHECK(loaded.config == Config());
        CHECK(loaded.source.empty());
        CHECK(loaded.problems.empty());
        ::setenv("VFTR_CONFIG", "", 1);
    }
}

TEST_CASE("VFTR_CONFIG names the file that is read") {
    Folder folder;
    std::string file = folder.write("c1.json", R"({"sampling": {"active": true}})");
    ::setenv("VFTR_CONFIG", file.c_str(), 1);
    Loaded loaded = load_environment();
    CHECK(loaded.problems.empty());
    CHECK(loaded.source == file);
    CHECK(loaded.config.sampling_active);
}

// Issue: a daemon loses everything, silently: paths that were named by a relative path are looked for elsewhere.
TEST_CASE("Relative paths of VFTR_CONFIG and of the files that it names are meant from a given folder") {
    Folder folder;
    const std::string home = folder.path;
    std::filesystem::create_directory(home + "/results");
    folder.write("c1.json", R"({"output_directory": "results", "hwprof": {"default_scenario": "c1.json"}})");
    ::setenv("VFTR_CONFIG", "c1.json", 1);
    Loaded loaded = load_environment(home);
    CHECK(loaded.problems.empty());
    CHECK(loaded.source == "c1.json");
    CHECK(loaded.config.output_directory == "results");
    CHECK(loaded.folder == home);
    CHECK(only_message(load_environment("/")) == "the configuration cannot be read: No such file or directory");
    ::setenv("VFTR_CONFIG", (home + "/c1.json").c_str(), 1);
    CHECK(load_environment(home).problems.empty());
    CHECK(load_environment("/").problems.size() == 2);
}

TEST_CASE("A config file that cannot be read is one error, and the defaults hold") {
    Folder folder;
    Loaded loaded = load_file(folder.path / "missing.json");
    CHECK(only_message(loaded) == "the configuration cannot be read: No such file or directory");
    CHECK(loaded.config == Config());
    CHECK(loaded.source.empty());
    CHECK(only_message(load_file(folder.path)) == "the configuration cannot be read: Is a directory");
    CHECK(only_message(load_file("/dev/zero")) == "the configuration cannot be read: it is larger than 1 MiB");
    CHECK(to_text(load_file("/nowhere/c").problems.at(0)) ==
          "Error: the configuration cannot be read: No such file or directory\n"
          "       in /nowhere/c\n");
}

TEST_CASE("The output directory must exist, be a directory and be writable") {
    Folder folder;
    auto message = [](const std::string& directory) {
        Loaded loaded = parse(R"({"output_directory": ")" + directory + "\"}", "c");
        CHECK(loaded.config.output_directory == ".");
        return only_message(loaded);
    };
    std::string file = folder.write("file", "");
    CHECK(message("/no/such").find("cannot be used: No such file or directory") != std::string::npos);
    CHECK(message(file).find("this is not a directory") != std::string::npos);
    CHECK(message("").find("the name is empty") != std::string::npos);
    if (::geteuid() != 0) {
        fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
        CHECK(message(folder.path).find("not writable") != std::string::npos);
        fs::permissions(folder.path, fs::perms::owner_all);
    }
    Loaded good = parse(R"({"output_directory": ")" + folder.path.string() + "\"}", "c");
    CHECK(good.problems.empty());
    CHECK(good.config.output_directory == folder.path);
}

TEST_CASE("The scenario of counters must be a readable file") {
    Folder folder;
    std::string file = folder.write("scenario.json", "{}");
    CHECK(parse(R"({"hwprof": {"default_scenario": ")" + file + "\"}}", "c").problems.empty());
    CHECK(parse(R"({"hwprof": {"default_scenario": ""}})", "c").problems.empty());
    CHECK(only_message(parse(R"({"hwprof": {"default_scenario": "/tmp"}})", "c")).find("this is a directory") !=
          std::string::npos);
    CHECK(only_message(parse(R"({"hwprof": {"default_scenario": "/no/such"}})", "c")).find("No such file") !=
          std::string::npos);
}
