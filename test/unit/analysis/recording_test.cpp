// SPDX-License-Identifier: BSD-3-Clause
#include "../vfd/image_builder.hpp"
#include "analysis/processes/recording.hpp"

#include <catch2/catch.hpp>

#include <cstring>

using namespace vftr;
using analysis::Ending;
using analysis::Recording;

namespace {

// On the host "here", where only process 77 of pid namespace 5, started at 7, lives.
Recording recording_of(const vfd::FileHeader& header) {
    const analysis::Machine machine{"here", [](std::uint32_t pid, std::uint64_t start, std::uint64_t pid_namespace) {
                                        return pid == 77 && start == 7 && (pid_namespace == 5 || pid_namespace == 0);
                                    }};
    return analysis::recording_of(header, "file.vfd", machine);
}

vfd::FileHeader header_of(std::uint32_t pid) {
    vfd::FileHeader header = test::ImageBuilder().header;
    header.pid = pid;
    header.process_start = 7;
    std::strcpy(header.hostname, "here");
    return header;
}

vfd::FileHeader open_header(std::uint32_t pid) {
    vfd::FileHeader header = header_of(pid);
    header.state = vfd::FileState::Open;
    header.end = {};
    header.last[1] = {2000, 6'000'000'000, 1'800'000'000'700'000'000};
    header.last_index = 1;
    return header;
}

} // namespace

TEST_CASE("how a process ended, from its header", "[recording]") {
    vfd::FileHeader header = header_of(77);
    SECTION("closed") {
        CHECK(recording_of(header).ending == Ending::Exit);
        CHECK(!recording_of(header).exit_status);
        header.exit_status = 3;
        header.flags |= vfd::FlagExitStatus;
        CHECK(recording_of(header).exit_status == 3);
        header.state = vfd::FileState::Executed;
        CHECK(recording_of(header).ending == Ending::Executed);
        header.state = vfd::FileState::Exited;
        CHECK(recording_of(header).ending == Ending::Left);
    }
    SECTION("closed by vftr recover") {
        header.flags |= vfd::FlagRecovered;
        CHECK(recording_of(header).ending == Ending::Killed);
        CHECK(recording_of(header).closed);
    }
    SECTION("not closed") {
        CHECK(recording_of(open_header(77)).ending == Ending::Runs);
        CHECK(recording_of(open_header(78)).ending == Ending::Killed);
        CHECK(recording_of(open_header(78)).end_realtime_ns == 1'800'000'000'700'000'000);
        vfd::FileHeader again = open_header(77); // the pid is another process's now
        again.process_start = 6;
        CHECK(recording_of(again).ending == Ending::Killed);
        vfd::FileHeader contained = open_header(77); // the pid is one of another pid namespace
        contained.pid_namespace = 6;
        CHECK(recording_of(contained).ending == Ending::Killed);
        CHECK(recording_of(contained).pid_namespace == 6);
        contained.pid_namespace = 5;
        CHECK(recording_of(contained).ending == Ending::Runs);
        std::strcpy(again.hostname, "there");
        CHECK(recording_of(again).ending == Ending::Unknown);
    }
}

TEST_CASE("the command line in a header", "[recording]") {
    vfd::FileHeader header = header_of(77);
    CHECK(recording_of(header).arguments.empty());
    CHECK(recording_of(header).program() == "app");
    std::memcpy(header.arguments, "a\0b c\0\0d", 9);
    CHECK(recording_of(header).arguments == std::vector<std::string>{"a", "b c", "", "d"});
    CHECK(!recording_of(header).arguments_cut);
    SECTION("that fills the field is cut, terminated or not") {
        std::memset(header.arguments, 'x', sizeof header.arguments);
        CHECK(recording_of(header).arguments == std::vector<std::string>{std::string(512, 'x')});
        CHECK(recording_of(header).arguments_cut);
        header.arguments[511] = '\0';
        CHECK(recording_of(header).arguments == std::vector<std::string>{std::string(511, 'x')});
        CHECK(recording_of(header).arguments_cut);
    }
    SECTION("of a program without a name") {
        std::memset(header.executable, 0, sizeof header.executable);
        CHECK(recording_of(header).program() == "(unknown program)");
    }
}

TEST_CASE("kinship in a header counts where it says so", "[recording]") {
    vfd::FileHeader header = header_of(77);
    header.parent = {5, 0, 99};
    CHECK(!recording_of(header).parent);
    header.flags |= vfd::FlagFollowed;
    REQUIRE(recording_of(header).parent);
    CHECK(recording_of(header).parent->pid == 5);
    header.parent.pid = 0;
    CHECK(!recording_of(header).parent);
    SECTION("rank and size only with MPI, and never less than one rank") {
        header.rank = 3;
        header.size = -4;
        CHECK(recording_of(header).rank == -1);
        header.flags |= vfd::FlagMpi;
        CHECK(recording_of(header).rank == 3);
        CHECK(recording_of(header).size == 1);
    }
}
