// SPDX-License-Identifier: BSD-3-Clause
#include "output/previous_log.hpp"

#include "base/modification_time.hpp"
#include "report/report.hpp"

#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

using namespace vftr;
using namespace vftr::output;

namespace {

constexpr std::uint64_t Later = ~std::uint64_t{0}; // than anything was written
const std::string Log = "Vftrace 2.0.0\nRuntime profile for application: prog\nStart Date: …\n";

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
std::string string_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("The log of the run before is set aside until there is one of this run") {
    const base::TemporaryFolder folder;
    const std::string stem = folder.file("prog_all"), path = stem + ".log", aside = path + ".previous";
    CHECK_FALSE(is_there_a_previous_log(stem, Later));
    set_previous_log_aside(stem, Later);
    CHECK_FALSE(std::filesystem::exists(aside));
    write(path, Log);
    CHECK(is_there_a_previous_log(stem, Later));
    CHECK_FALSE(is_there_a_previous_log(stem, 0)); // it was written since
    set_previous_log_aside(stem, Later);
    CHECK_FALSE(is_there_a_previous_log(stem, Later));
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK(string_of(aside) == Log);
    set_previous_log_aside(stem, Later); // the run was killed, and another one begins
    CHECK(string_of(aside) == Log);
    write(path, Log + "later");
    set_previous_log_aside(stem, Later);
    CHECK(string_of(aside) == Log + "later");
    remove_previous_log(stem);
    CHECK(std::filesystem::is_empty(folder.path()));
}

// Issue: of two runs at once, the log of one was left as that of a run before.
TEST_CASE("A log that was written since the run began is not of the run before") {
    const base::TemporaryFolder folder;
    const std::string stem = folder.file("prog_all"), path = stem + ".log";
    write(path, Log);
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    const std::uint64_t at = base::modification_time(status);
    set_previous_log_aside(stem, at - 1);
    CHECK(std::filesystem::exists(path));
    set_previous_log_aside(stem, at);
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("What is no log of ours is left alone") {
    const base::TemporaryFolder folder;
    const std::string stem = folder.file("prog_all"), path = stem + ".log", aside = path + ".previous";
    for (const char* text :
         {"", "Vftrace", "Vftrace 2.0.0\n", "My own notes\nRuntime profile for application: prog\n"}) {
        write(path, text);
        set_previous_log_aside(stem, Later);
        CHECK(string_of(path) == text);
        write(aside, text);
        remove_previous_log(stem);
        CHECK(string_of(aside) == text);
        write(path, Log);
        set_previous_log_aside(stem, Later); // there is something at its name
        CHECK(string_of(path) == Log);
        CHECK(string_of(aside) == text);
        std::filesystem::remove(path);
        std::filesystem::remove(aside);
    }
    write(folder.file("mine"), Log);
    std::filesystem::create_symlink("mine", path);
    set_previous_log_aside(stem, Later);
    CHECK(std::filesystem::is_symlink(path));
    std::filesystem::remove(path);
    std::filesystem::create_hard_link(folder.file("mine"), path);
    set_previous_log_aside(stem, Later);
    CHECK(string_of(path) == Log);
    std::filesystem::create_symlink("mine", aside);
    remove_previous_log(stem);
    CHECK(std::filesystem::is_symlink(aside));
}

// Issue: "A killed run does not leave the previous run's log looking like its own."
TEST_CASE("The tables that stand in files of their own go with their log") {
    const base::TemporaryFolder folder;
    const std::string stem = folder.file("prog_all");
    analysis::Profile profile;
    profile.names = {"init"};
    profile.nodes.emplace_back().kind = analysis::NodeKind::Root;
    profile.rank_count = profile.world_size = 1;
    profile.application = "prog";
    profile.summary.mpi = true;
    config::Config config;
    config.profile_table_separate = config.profile_table_show_minmax_summary = true;
    const std::vector<report::LogFile> files = report::make_log(profile, config, "");
    REQUIRE(files.size() >= 3);
    for (const report::LogFile& file : files)
        write(stem + file.suffix + ".log", file.text);
    write(stem + "_mine.log", Log);
    set_previous_log_aside(stem, Later);
    for (const report::LogFile& file : files) {
        INFO(file.suffix);
        CHECK_FALSE(std::filesystem::exists(stem + file.suffix + ".log"));
        CHECK(string_of(stem + file.suffix + ".log.previous") == file.text);
    }
    remove_previous_log(stem);
    CHECK(string_of(stem + "_mine.log") == Log);
    std::filesystem::remove(stem + "_mine.log");
    CHECK(std::filesystem::is_empty(folder.path()));

    write(stem + ".log", Log);
    write(stem + "_minmax.log", "My own notes\n");
    set_previous_log_aside(stem, Later);
    CHECK(string_of(stem + "_minmax.log") == "My own notes\n");
}

TEST_CASE("Logs are known by their first two lines, as they are written") {
    analysis::Profile profile;
    profile.names = {"init"};
    profile.nodes.emplace_back().kind = analysis::NodeKind::Root;
    profile.rank_count = 1;
    profile.application = "prog";
    CHECK(report::begins_as_log(report::make_log(profile, {}, "").front().text));
    CHECK_FALSE(report::begins_as_log(""));
}
