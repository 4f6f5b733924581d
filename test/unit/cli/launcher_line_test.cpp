// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/run/launcher_line.hpp"

#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace vftr::cli;

namespace {

// A folder with the programs `prog` and `node` as the whole of PATH.
class Programs {
public:
    Programs() : path_(std::getenv("PATH")) {
        for (const char* program : {"prog", "node"}) {
            std::ofstream(folder.file(program)) << "#!/bin/sh\n";
            std::filesystem::permissions(folder.file(program), std::filesystem::perms::owner_all);
        }
        std::ofstream(folder.file("hosts")) << "localhost\n";
        setenv("PATH", folder.path().c_str(), 1);
    }
    ~Programs() { setenv("PATH", path_.c_str(), 1); }
    vftr::base::TemporaryFolder folder;

private:
    std::string path_;
};

} // namespace

TEST_CASE("the program in the command line of a launcher", "[cli]") {
    Programs programs;
    const std::string path = programs.folder.file("prog"), hosts = programs.folder.file("hosts");
    REQUIRE(program_in({"mpirun", "prog", "-x"}) == 1);
    REQUIRE(program_in({"/usr/bin/mpirun.openmpi", "-n", "2", path, "prog"}) == 3);
    REQUIRE(program_in({"srun", "-n2", "prog", "node"}) == 2);
    REQUIRE(program_in({"mpirun", "--map-by", "node", "-n", "2", "prog"}) == 5);
    REQUIRE(program_in({"mpirun", "--map-by", "node", path}) == 3);
    REQUIRE(program_in({"mpirun", "--hostfile", hosts, "--wdir", programs.folder.path(), path}) == 5);
    REQUIRE(program_in({"mpirun", "--oversubscribe", "prog"}) == 2);
    REQUIRE(program_in({"mpirun", "--oversubscribe", "prog", path}) == 2);
    REQUIRE(program_in({"strace", "-o", path, "prog"}) == 3);
    REQUIRE(program_in({"mpirun", "--", "prog"}) == 2);
    REQUIRE(program_in({"env", "A=b", "prog"}) == 2);
    REQUIRE(program_in({"mpirun", "-n", "2", "nice", "-n", "3", path}) == 6);
    REQUIRE(program_in({"mpirun", "env", "env", "prog"}) == 3);
}

TEST_CASE("a command line without a launcher or a program", "[cli]") {
    Programs programs;
    REQUIRE(program_in({"prog", "node"}) == 0);
    REQUIRE(program_in({"mpirun"}) == 0);
    REQUIRE(program_in({"mpirun", "-n", "2", "absent"}) == 0);
    REQUIRE(program_in({"mpirun", "", "-n"}) == 0);
}
