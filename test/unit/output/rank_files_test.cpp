// SPDX-License-Identifier: BSD-3-Clause
#include "output/rank_files.hpp"

#include "../vfd/image_builder.hpp"
#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace vftr;
using namespace vftr::output;
using analysis::Profile;
using analysis::RankList;
using test::ImageBuilder;

namespace {

constexpr std::int32_t Ranks = 4;

struct Job {
    Job() { output.directory = folder.path(); }

    // As a rank's recorder keeps it while the rank runs: main was called twice.
    static ImageBuilder recording(std::int32_t rank) {
        ImageBuilder builder;
        builder.unsealed();
        builder.header.rank = rank;
        builder.header.size = Ranks;
        builder.header.flags = vfd::FlagMpi;
        vfd::Node main = ImageBuilder::function(0, 0x10);
        main.calls = 2;
        builder.thread(0, {ImageBuilder::root(), main}).name(0x10, "main");
        return builder;
    }
    void leave(ImageBuilder builder, std::int32_t rank) const {
        const test::Bytes bytes = builder.bytes();
        std::ofstream(output.path("app_" + std::to_string(rank) + ".vfd"), std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    Profile read(std::chrono::seconds time = std::chrono::seconds(60)) const {
        Profile others;
        others.missing_ranks.add(1, Ranks - 1);
        add_rank_files(others, output, recording(0).header, std::chrono::steady_clock::now() + time);
        return others;
    }

    base::TemporaryFolder folder;
    Destination output{"", "app"};
};

} // namespace

TEST_CASE("ranks that came to MPI_Finalize are read from their files, others are late or missing",
          "[session][rank_files]") {
    Job job;
    ImageBuilder arrived = Job::recording(1);
    arrived.header.flags |= vfd::FlagInFinalize;
    job.leave(arrived, 1);
    job.leave(Job::recording(3), 3);
    const Profile others = job.read();
    CHECK(others.rank_count == 2);
    CHECK(others.missing_ranks == RankList{2});
    CHECK(others.late_ranks == RankList{3});
    CHECK(others.summary.unfinished == 1);
    REQUIRE(others.nodes.size() == 2);
    CHECK(others.nodes[1].calls == 4);
}

TEST_CASE("a file that is not of this job does not count", "[session][rank_files]") {
    Job job;
    ImageBuilder other = Job::recording(1);
    SECTION("it is of a job of another size") { other.header.size = Ranks + 1; }
    SECTION("it is of another rank") { other.header.rank = 2; }
    SECTION("it was not an MPI process") { other.header.flags = 0; }
    SECTION("its run had ended before this one began") {
        other.header.last[1].realtime_ns = other.header.start.realtime_ns - 1;
        other.header.last[0] = other.header.last[1];
    }
    SECTION("its run had ended well before this one began") {
        other.header.state = vfd::FileState::Sealed;
        other.header.end = {5000, 4'000'000'000, other.header.start.realtime_ns - 1};
    }
    job.leave(other, 1);
    CHECK(job.read().missing_ranks == RankList{1, 2, 3});
}

TEST_CASE("a file that cannot be read leaves its rank missing", "[session][rank_files]") {
    Job job;
    job.leave(Job::recording(1), 1);
    std::filesystem::resize_file(job.output.path("app_1.vfd"), 5000);
    std::ofstream(job.output.path("app_2.vfd")) << "something else";
    std::filesystem::create_directory(job.output.path("app_3.vfd"));
    CHECK(job.read().missing_ranks == RankList{1, 2, 3});
}

TEST_CASE("reading ends when the time is over", "[session][rank_files]") {
    Job job;
    for (std::int32_t rank = 1; rank < Ranks; ++rank)
        job.leave(Job::recording(rank), rank);
    CHECK(job.read(std::chrono::seconds(-1)).missing_ranks == RankList{1, 2, 3});
}
