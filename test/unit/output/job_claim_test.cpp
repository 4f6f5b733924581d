// SPDX-License-Identifier: BSD-3-Clause
#include "output/job_claim.hpp"

#include "base/process.hpp"
#include "base/temporary_folder.hpp"
#include "output/job_decision.hpp"
#include "output/output.hpp"
#include "vfd/format.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace vftr;
using namespace vftr::output;

namespace {

// This process as a rank of a job.
class AsRankOf {
public:
    explicit AsRankOf(const char* job) {
        ::setenv("PMIX_RANK", "0", 1);
        ::setenv("PMIX_NAMESPACE", job, 1);
    }
    ~AsRankOf() {
        ::unsetenv("PMIX_RANK");
        ::unsetenv("PMIX_NAMESPACE");
    }
};

std::uint64_t now() {
    return static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
}

vfd::FileHeader header_of_rank(std::int32_t rank, std::uint64_t pid = static_cast<std::uint64_t>(::getpid())) {
    vfd::FileHeader header{};
    std::memcpy(header.magic, vfd::Magic, sizeof vfd::Magic);
    header.rank = rank;
    header.size = 4;
    header.pid = pid;
    header.process_start = base::process_start(static_cast<pid_t>(pid));
    header.start.realtime_ns = now();
    header.last[0] = header.start;
    ::gethostname(header.hostname, sizeof header.hostname - 1);
    return header;
}

std::string name_of(const Destination& output, const char* job, std::int32_t rank) {
    const AsRankOf this_is(job);
    const JobName name = job_wide_basename(output, header_of_rank(rank));
    CHECK(name.of_all_ranks);
    return name.name;
}

void write(const std::string& path, const vfd::FileHeader& header, const std::string& key = "") {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file << key;
}

} // namespace

// Issue: two jobs of one program in one folder mixed their files
TEST_CASE("All ranks of a job have one basename, and no other job's", "[output][mpi]") {
    const base::TemporaryFolder folder;
    const Destination output{folder.path(), "prog"};
    CHECK(name_of(output, "job 1", 2) == "prog");
    const std::string second = name_of(output, "job 2", 1);
    CHECK(second.starts_with("prog_"));
    for (std::int32_t rank : {0, 1, 3}) {
        CHECK(name_of(output, "job 1", rank) == "prog");
        CHECK(name_of(output, "job 2", rank) == second);
    }
    const std::string third = name_of(output, "job 3", 0);
    CHECK((third != "prog" && third != second));
}

TEST_CASE("A basename is free when the job that had it has ended", "[output][mpi]") {
    const base::TemporaryFolder folder;
    const Destination output{folder.path(), "prog"};
    const vfd::FileHeader decides = header_of_rank(3);
    {
        const AsRankOf this_is("job 1");
        REQUIRE(job_wide_basename(output, decides).name == "prog");
        release_job(output, "prog", header_of_rank(3, 1)); // another process does not
        CHECK(std::filesystem::exists(output.path("prog.job")));
    }
    CHECK(held_by_another_job(output, "prog"));
    release_job(output, "prog", decides);
    CHECK(std::filesystem::is_empty(folder.path()));
    CHECK_FALSE(held_by_another_job(output, "prog"));
    CHECK(name_of(output, "job 2", 0) == "prog");
}

TEST_CASE("What a killed job has left does not count", "[output][mpi]") {
    const base::TemporaryFolder folder;
    const Destination output{folder.path(), "prog"};
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    vfd::FileHeader gone = header_of_rank(1, static_cast<std::uint64_t>(child));
    ::waitpid(child, nullptr, 0);
    write(output.path("prog.job"), gone, "pmix job 1");
    SECTION("it is replaced") { CHECK(name_of(output, "job 2", 0) == "prog"); }
    SECTION("but where its rank 0 still writes") {
        vfd::FileHeader rank_0 = header_of_rank(0, static_cast<std::uint64_t>(::getppid()));
        rank_0.state = vfd::FileState::Open;
        write(output.path("prog_0.vfd"), rank_0);
        CHECK(name_of(output, "job 2", 0) != "prog");
    }
    SECTION("on another machine its recording tells") {
        std::strcpy(gone.hostname, "elsewhere");
        const bool writes = GENERATE(true, false);
        gone.last[0].realtime_ns -= 60'000'000'000;
        write(output.path("prog.job"), gone, "pmix job 1");
        gone.state = writes ? vfd::FileState::Open : vfd::FileState::Sealed;
        write(output.path("prog_1.vfd"), gone);
        CHECK((name_of(output, "job 2", 0) == "prog") != writes);
    }
    SECTION("on another machine a fresh decision counts before there is a recording") {
        std::strcpy(gone.hostname, "elsewhere");
        write(output.path("prog.job"), gone, "pmix job 1");
        CHECK(name_of(output, "job 2", 0) != "prog");
    }
}

TEST_CASE("A job leaves alone what a run writes or has written since", "[output][mpi]") {
    const base::TemporaryFolder folder;
    const Destination output{folder.path(), "prog"};
    SECTION("now") {
        NameClaim claim;
        REQUIRE(claim_basename(output, now(), claim) == "prog");
        CHECK(name_of(output, "job 1", 0) != "prog");
    }
    SECTION("since") {
        vfd::FileHeader later = header_of_rank(0);
        later.end.realtime_ns = now() + 60'000'000'000;
        write(output.path("prog_all.vfd"), later);
        CHECK(name_of(output, "job 1", 0) != "prog");
    }
    SECTION("a run leaves the job's alone") {
        CHECK(name_of(output, "job 1", 0) == "prog");
        NameClaim claim;
        CHECK(claim_basename(output, now(), claim) == "prog_" + std::to_string(::getpid()));
        CHECK_FALSE(would_be_replaced(output, now()));
    }
}

TEST_CASE("Where nothing can be decided, a rank has a name of its own", "[output][mpi]") {
    const base::TemporaryFolder folder;
    const Destination output{folder.path(), "prog"};
    CHECK(job_key().empty());
    const JobName alone = job_wide_basename(output, header_of_rank(0));
    CHECK((alone.name == "prog" && !alone.of_all_ranks));
    CHECK(std::filesystem::is_empty(folder.path()));
    const AsRankOf this_is("job 1");
    const Destination nowhere{folder.file("missing"), "prog"};
    const JobName lost = job_wide_basename(nowhere, header_of_rank(0));
    CHECK((lost.name == "prog" && !lost.of_all_ranks));
}

TEST_CASE("Ranks of two jobs that come at the same moment agree", "[output][mpi]") {
    const base::TemporaryFolder folder;
    const Destination output{folder.path(), "prog"};
    constexpr int Ranks = 24;
    int ends[2], all_told[2];
    REQUIRE((::pipe(ends) == 0 && ::pipe(all_told) == 0));
    std::vector<pid_t> children;
    for (int i = 0; i < Ranks; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            const AsRankOf this_is(i % 2 == 0 ? "job 1" : "job 2");
            const JobName name = job_wide_basename(output, header_of_rank(i / 2));
            const std::string line = (i % 2 == 0 ? "1 " : "2 ") + name.name + (name.of_all_ranks ? "\n" : "?\n");
            const bool told = ::write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size());
            ::close(ends[1]);
            ::close(all_told[1]);
            char byte;
            (void)!::read(all_told[0], &byte, 1); // a decision counts while its process runs
            ::_exit(told ? 0 : 1);
        }
        children.push_back(child);
    }
    ::close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    ::close(ends[0]);
    ::close(all_told[0]);
    ::close(all_told[1]);
    for (const pid_t child : children)
        ::waitpid(child, nullptr, 0);
    std::multiset<std::string> lines;
    std::set<std::string> names;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
        const std::string line = text.substr(at, text.find('\n', at) - at);
        lines.insert(line);
        names.insert(line);
    }
    INFO(text);
    CHECK(lines.size() == Ranks);
    CHECK(names.size() == 2);
    CHECK((names.contains("1 prog") != names.contains("2 prog")));
}
