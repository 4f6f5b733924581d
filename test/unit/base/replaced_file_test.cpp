// SPDX-License-Identifier: BSD-3-Clause
#include "base/replaced_file.hpp"

#include "../planted.hpp"
#include "base/absolute_directory.hpp"
#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

using namespace vftr;
using namespace vftr::base;

namespace {

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("a file is replaced as a whole", "[base][replaced_file]") {
    base::TemporaryFolder folder;
    std::string path = folder.file("x.log");
    CHECK(replace_file(path, "first", 5) == 0);
    CHECK(replace_file(path, "second one", 10) == 0);
    CHECK(contents(path) == "second one");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

// Issue: a link or FIFO planted in a shared folder overwrites another file or hangs the program
TEST_CASE("what somebody has put in the place of the temporary file is not written to", "[base][replaced_file]") {
    base::TemporaryFolder folder;
    const std::string path = folder.file("x.log");
    const test::Planted planted(path + "." + std::to_string(gettid()) + ".tmp", folder.file("victim"));
    CHECK(replace_file(path, "results", 7) == 0);
    CHECK(contents(path) == "results");
    CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(path)));
    CHECK(planted.victim_is_whole());
}

TEST_CASE("the results of a file's name replace a link, and not what it leads to", "[base][replaced_file]") {
    base::TemporaryFolder folder;
    const std::string path = folder.file("x.log"), victim = folder.file("victim");
    std::ofstream(victim) << "precious";
    REQUIRE(symlink(victim.c_str(), path.c_str()) == 0);
    CHECK(replace_file(path, "results", 7) == 0);
    CHECK(contents(path) == "results");
    CHECK(contents(victim) == "precious");
}

TEST_CASE("a file beyond the file size limit is an error and no signal", "[base][replaced_file]") {
    base::TemporaryFolder folder;
    std::string path = folder.file("x.log"), text(10000, 'x');
    REQUIRE(replace_file(path, "old", 3) == 0);
    rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit{4096, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    int error = replace_file(path, text.data(), text.size());
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(error == EFBIG);
    CHECK(contents(path) == "old");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a file that cannot be written is an error", "[base][replaced_file]") {
    base::TemporaryFolder folder;
    CHECK(replace_file(folder.file("none/x.log"), "x", 1) == ENOENT);
    CHECK(replace_file(folder.path() + "/" + std::string(300, 'n'), "x", 1) == ENAMETOOLONG);
    CHECK(replace_file(folder.path() + "/" + std::string(5000, 'n'), "x", 1) == ENAMETOOLONG);
}

TEST_CASE("a directory's name becomes absolute", "[base][absolute_directory]") {
    CHECK(absolute_directory("/tmp/../tmp") == std::filesystem::canonical("/tmp").string());
    CHECK(absolute_directory(".") == std::filesystem::current_path().string());
    CHECK(absolute_directory("/none/such") == "/none/such");
    CHECK(absolute_directory(".", "/tmp/../tmp") == std::filesystem::canonical("/tmp").string());
    CHECK(absolute_directory("/tmp", "/none") == std::filesystem::canonical("/tmp").string());
    CHECK(absolute_directory("such", "/none") == "/none/such");
    CHECK(absolute_directory("no/such/folder", std::filesystem::current_path()) == "no/such/folder");
    CHECK(path_from("/a", "b") == "/a/b");
    CHECK(path_from("/", "b") == "/b");
    CHECK(path_from("/a", "/b") == "/b");
    CHECK(path_from("", "b") == "b");
    CHECK(working_directory() == std::filesystem::current_path().string());
}
