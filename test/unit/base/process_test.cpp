// SPDX-License-Identifier: BSD-3-Clause
#include "base/process.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace vftr;

TEST_CASE("a process keeps its start, its child has a later one", "[process]") {
    const std::uint64_t own = base::process_start(getpid());
    REQUIRE(own != 0);
    CHECK(base::process_start(getpid()) == own);
    const pid_t child = fork();
    if (child == 0)
        _exit(base::process_start(getpid()) >= own ? 0 : 1);
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("a process that is not there has no start", "[process]") { CHECK(base::process_start(0x7ffffffe) == 0); }

TEST_CASE("a process lives until it ends, also where nobody has waited for it", "[process]") {
    const std::uint64_t own = base::process_start(getpid());
    CHECK(base::process_lives(getpid(), own));
    CHECK(base::process_lives(getpid(), 0));
    CHECK(!base::process_lives(getpid(), own + 1)); // the pid of another one
    CHECK(base::process_lives(1, 0));               // another user's
    for (pid_t pid : {0x7ffffffe, 0, -1})
        CHECK(!base::process_lives(pid, 0));
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    siginfo_t info;
    REQUIRE(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
    CHECK(base::process_stat(child).state == 'Z');
    CHECK(!base::process_lives(child, 0));
    REQUIRE(waitpid(child, nullptr, 0) == child);
}

TEST_CASE("a pid of another pid namespace means no process here, one of an unknown namespace may", "[process]") {
    const std::uint64_t own = base::pid_namespace();
    REQUIRE(own != 0);
    CHECK(base::is_own_pid_namespace(own));
    CHECK(base::is_own_pid_namespace(0));
    CHECK(!base::is_own_pid_namespace(own + 1));
    CHECK(base::process_lives(getpid(), 0, own));
    CHECK(base::process_lives(getpid(), 0, 0));
    CHECK(!base::process_lives(getpid(), 0, own + 1));
}

TEST_CASE("arguments are the command line, cut to the room and terminated", "[process]") {
    char whole[4096], cut[4];
    const std::size_t size = base::read_arguments(whole, sizeof whole);
    REQUIRE(size >= 2);
    CHECK(whole[size - 1] == '\0');
    CHECK(std::strstr(whole, "unit_tests") != nullptr);
    CHECK(base::read_arguments(cut, sizeof cut) == 4);
    CHECK(cut[3] == '\0');
    CHECK(std::strncmp(cut, whole, 3) == 0);
}
