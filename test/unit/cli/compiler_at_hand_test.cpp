// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/costs/compiler_at_hand.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

using namespace vftr;
using cli::CompilerAtHand;

namespace {
// That hangs, if it is asked to `when`, in a child of its own, whose process id it writes.
std::string hanging_compiler(const std::string& folder, const std::string& when) {
    const std::string path = folder + "/hanging";
    std::ofstream(path) << "#!/bin/sh\ncase $1 in " << when << ") sleep 600 & echo $! >" << folder
                        << "/pid; wait; esac\n"
                        << "echo 'gcc (GCC) 12 Free Software Foundation'\n";
    ::chmod(path.c_str(), 0700);
    return path;
}
bool child_runs(const std::string& folder) {
    std::string pid, number, name, state;
    std::ifstream(folder + "/pid") >> pid;
    REQUIRE_FALSE(pid.empty());
    std::ifstream("/proc/" + pid + "/stat") >> number >> name >> state;
    return !state.empty() && state != "Z";
}
bool child_is_killed(const std::string& folder) {
    for (int i = 0; i < 500 && child_runs(folder); ++i)
        ::usleep(10000);
    return !child_runs(folder);
}
} // namespace

TEST_CASE("a compiler that hangs is killed, with what it has started, and named", "[cli][flags]") {
    const base::TemporaryFolder folder;
    std::string trouble;
    const std::string path = hanging_compiler(folder.path(), "*");
    CHECK_FALSE(CompilerAtHand::find(path.c_str(), trouble, 1));
    CHECK(trouble == "the compiler does not answer within 1 s: " + path + " --version");
    CHECK(child_is_killed(folder.path()));
}

TEST_CASE("a compiler that hangs when it compiles is no endless trial of flags", "[cli][flags]") {
    const base::TemporaryFolder folder;
    std::string trouble;
    const auto compiler = CompilerAtHand::find(hanging_compiler(folder.path(), "-g").c_str(), trouble, 1);
    REQUIRE(compiler);
    CHECK_THROWS_AS(cli::CompilerTrial(*compiler).understands({"-g"}), std::runtime_error);
    CHECK(child_is_killed(folder.path()));
}
