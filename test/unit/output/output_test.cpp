// SPDX-License-Identifier: BSD-3-Clause
#include "output/output.hpp"

#include "base/temporary_folder.hpp"
#include "vfd/format.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace vftr;
using namespace vftr::output;

namespace {

// The merged profile of a run that ended then.
void leave_results(const std::string& path, std::uint64_t end_realtime_ns) {
    vfd::FileHeader header{};
    std::memcpy(header.magic, vfd::Magic, sizeof header.magic);
    header.end.realtime_ns = end_realtime_ns;
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&header), sizeof header);
}

std::string claim_basename(const Destination& output, std::uint64_t start) {
    NameClaim claim;
    return output::claim_basename(output, start, claim);
}

std::string claim_child_basename(const Destination& output, const std::string& working_file) {
    NameClaim claim;
    return output::claim_child_basename(output, working_file, claim);
}

} // namespace

// Issue: same pid in several containers in one folder
TEST_CASE("a name that another process is about to use is not given to a second one of the same id",
          "[session][output]") {
    base::TemporaryFolder folder;
    Destination output{folder.path(), "prog"};
    const std::string own = "prog_" + std::to_string(getpid());
    NameClaim first, second, third;
    CHECK(output::claim_basename(output, 1000, first) == "prog");
    CHECK(output::claim_basename(output, 1000, second) == own);
    CHECK(output::claim_basename(output, 1000, third) == own + ".1");
    leave_results(output.path("prog_all.vfd"), 2000);
    leave_results(output.path(own + "_all.vfd"), 2001);
    first.reset();
    second.reset();
    third.reset();
    CHECK(output::claim_basename(output, 1000, first) == own + ".1");
    CHECK(output::claim_basename(output, 3000, second) == "prog");
    CHECK(output::claim_child_basename(output, "", third) == own);
}

TEST_CASE("a later run replaces the results of an earlier one", "[session][output]") {
    base::TemporaryFolder folder;
    Destination output{folder.path(), "prog"};
    CHECK(claim_basename(output, 1000) == "prog");
    leave_results(output.path("prog_all.vfd"), 999);
    CHECK(claim_basename(output, 1000) == "prog");
}

TEST_CASE("a run that was going on at the same time keeps its results", "[session][output]") {
    base::TemporaryFolder folder;
    Destination output{folder.path(), "prog"};
    leave_results(output.path("prog_all.vfd"), 1001);
    CHECK(claim_basename(output, 1000) == "prog_" + std::to_string(getpid()));
}

// Issue: of two runs at once, the log of one was left as that of a run before.
TEST_CASE("results are another run's while it writes them, and where it ended after this one began",
          "[session][output]") {
    base::TemporaryFolder folder;
    Destination output{folder.path(), "prog"};
    CHECK(would_be_replaced(output, 1000));
    leave_results(output.path("prog_all.vfd"), 1000);
    CHECK(would_be_replaced(output, 1000));
    CHECK_FALSE(would_be_replaced(output, 999));
    NameClaim claim;
    REQUIRE(output::claim_basename(output, 1000, claim) == "prog");
    CHECK_FALSE(would_be_replaced(output, 1000));
    claim.reset();
    CHECK(would_be_replaced(output, 1000));
    std::ofstream(output.path("prog.results.tmp")) << ""; // whose process was killed
    CHECK(would_be_replaced(output, 1000));
}

TEST_CASE("a child of a recorded process has its process id in its names and replaces nothing", "[session][output]") {
    base::TemporaryFolder folder;
    Destination output{folder.path(), "prog"};
    const std::string name = "prog_" + std::to_string(getpid());
    CHECK(claim_child_basename(output, output.path(name + ".tmpvfd")) == name);
    CHECK(claim_child_basename(output, "") == name); // there is none: it was lost
    std::ofstream(output.path(name + ".vfd")) << "of a process that had this id before";
    CHECK(claim_child_basename(output, output.path(name + ".tmpvfd")) == name + ".1");
    std::ofstream(output.path(name + ".1_all.log")) << "likewise";
    CHECK(claim_child_basename(output, output.path(name + ".tmpvfd")) == name + ".2");
    CHECK(claim_child_basename(output, output.path(name + ".7.tmpvfd")) == name + ".7");
}

TEST_CASE("an MPI job below a recorded process is named for what its ranks have in common", "[session][output]") {
    base::TemporaryFolder folder;
    Destination output{folder.path(), "prog"};
    inherit::Provenance provenance{77, 1000, 0, "99s3"};
    CHECK(job_basename(output, provenance, 1, 4) == "prog_99s3");
    SECTION("another job that has ended is not replaced") {
        std::ofstream(output.path("prog_99s3_all.vfd")) << "";
        CHECK(job_basename(output, provenance, 1, 4) == "prog_99s3.1");
    }
    SECTION("nor one whose ranks died") {
        std::ofstream(output.path("prog_99s3_1.vfd")) << "";
        CHECK(job_basename(output, provenance, 1, 4) == "prog_99s3.1");
    }
}

TEST_CASE("an MPI job that is the only one of its tree has plain names, and replaces those of an earlier tree",
          "[session][output]") {
    base::TemporaryFolder folder;
    Destination output{folder.path(), "prog"};
    inherit::Provenance provenance{77, 1000, 0, ""};
    CHECK(job_basename(output, provenance, 1, 4) == "prog");
    inherit::set_token(provenance, 0, 0);
    CHECK(job_basename(output, provenance, 1, 4) == "prog");
    auto leave_begun = [&](const std::string& name, std::uint64_t start) {
        vfd::FileHeader header{};
        std::memcpy(header.magic, vfd::Magic, sizeof header.magic);
        header.start.realtime_ns = start;
        header.state = vfd::FileState::Sealed;
        std::ofstream(output.path(name), std::ios::binary).write(reinterpret_cast<const char*>(&header), sizeof header);
    };
    leave_begun("prog_all.vfd", 999);
    leave_begun("prog_1.vfd", 999);
    CHECK(job_basename(output, provenance, 1, 4) == "prog");
    leave_begun("prog_all.vfd", 1001);
    CHECK(job_basename(output, provenance, 1, 4) == "prog.1");
    leave_begun("prog.1_1.vfd", 1001);
    CHECK(job_basename(output, provenance, 1, 4) == "prog.2");
}

TEST_CASE("a file of that name that is no profile is replaced", "[session][output]") {
    base::TemporaryFolder folder;
    Destination output{folder.path(), "prog"};
    std::ofstream(output.path("prog_all.vfd")) << "something else";
    CHECK(claim_basename(output, 1000) == "prog");
}

TEST_CASE("the executable is known by its path and its name", "[session][output]") {
    CHECK(executable_path() == std::filesystem::read_symlink("/proc/self/exe").string());
    CHECK(executable_name() == std::filesystem::read_symlink("/proc/self/exe").filename().string());
}
