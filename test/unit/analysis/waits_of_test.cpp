// SPDX-License-Identifier: BSD-3-Clause
#include "../vfd/image_builder.hpp"
#include "analysis/timeline/waits_of.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace vftr;
using namespace vftr::test;
using analysis::Profile;
using analysis::Waits;
using analysis::WaitState;
using analysis::WaitSum;
using vfd::Direction;

namespace {

enum Node : std::uint32_t { Root, Main, Send, Receive, Irecv, Wait, Bcast, Ibarrier };

vfd::Node mpi(std::uint64_t name) {
    vfd::Node node = ImageBuilder::function(Main, vfd::NamedKey | name);
    node.kind = vfd::NodeKind::Mpi;
    node.inclusive = node.exclusive = 1000;
    return node;
}

// Two ticks are a nanosecond. `early`: how far the machine's clock is behind that of rank 0.
ImageBuilder rank_file(std::int32_t rank, const EventEncoder& events, std::int64_t early = 0) {
    ImageBuilder b;
    b.header.flags = vfd::FlagMpi | vfd::FlagSampling;
    b.header.rank = rank;
    b.header.size = 2;
    b.header.pid = 100 + static_cast<std::uint32_t>(rank);
    if (early != 0) {
        b.header.clock_offset[0] = {b.header.start.monotonic_ns, early, 10};
        std::strcpy(b.header.hostname, "another");
    }
    const char* names[] = {"MPI_Send", "MPI_Recv", "MPI_Irecv", "MPI_Wait", "MPI_Bcast", "MPI_Ibarrier"};
    std::vector<vfd::Node> nodes{ImageBuilder::root(), ImageBuilder::function(Root, 0x401000)};
    b.name(0x401000, "main");
    for (std::uint64_t i = 0; i < 6; ++i) {
        b.name(vfd::NamedKey | i, names[i], vfd::NodeKind::Mpi);
        nodes.push_back(mpi(i));
    }
    b.thread(0, nodes).events(0, events).group(1, {{0, 1, 2}}).group(2, {{0, 1, 3}});
    return b;
}

EventEncoder receiver() {
    EventEncoder e(1000);
    e.enter(2000, Receive).message(6000, {2000, Receive, 0, 8, 0, 1, Direction::Receive}).leave_of(6010, Receive);
    e.enter(7000, Irecv).leave_of(7010, Irecv);
    e.enter(8000, Wait).message(9500, {7000, Irecv, 0, 8, 0, 2, Direction::Receive}).leave_of(9510, Wait);
    e.enter(20000, Bcast)
        .message(24000, {20000, Bcast, 0, 8, 0, -1, Direction::Receive})
        .collective(20000, 24000, Bcast, 1, 0);
    return e.leave_of(24010, Bcast);
}
EventEncoder sender() {
    EventEncoder e(1000);
    e.enter(5000, Send).message(5100, {5000, Send, 1, 8, 0, 1}).leave_of(5110, Send);
    e.enter(9000, Send).message(9100, {9000, Send, 1, 8, 0, 2}).leave_of(9110, Send);
    e.enter(23000, Bcast).message(23050, {23000, Bcast, 1, 8, 0, -1}).collective(23000, 23100, Bcast, 1, 0);
    return e.leave_of(23110, Bcast);
}

std::pair<Waits, Profile> analyse(std::vector<vfd::Image> images) {
    Profile all;
    for (const vfd::Image& image : images)
        merge(all, analysis::profile_of(image));
    canonicalise(all);
    Waits waits = analysis::waits_of(images, all);
    return {std::move(waits), std::move(all)};
}

std::vector<vfd::Image> files(ImageBuilder first, ImageBuilder second) {
    std::vector<vfd::Image> images;
    images.push_back(first.open());
    images.push_back(second.open());
    return images;
}

// "late sender at MPI_Recv<main<init 1500 ns" of all.
std::vector<std::string> string_of(const Waits& waits, const Profile& all) {
    static const char* const names[] = {"late sender", "late receiver", "collective", "early exit"};
    std::vector<std::string> lines;
    for (const WaitSum& sum : waits.sums)
        lines.push_back(std::string(names[static_cast<int>(sum.state)]) + " at " + call_path(all, sum.path) + " on " +
                        std::to_string(sum.worst_rank) + ": " + std::to_string(sum.ns));
    std::sort(lines.begin(), lines.end());
    return lines;
}

} // namespace

TEST_CASE("the timelines of two ranks show where one waited", "[waits]") {
    auto [waits, all] = analyse(files(rank_file(0, sender()), rank_file(1, receiver())));
    CHECK(string_of(waits, all) == std::vector<std::string>{"collective at MPI_Bcast<main<init on 1: 1500",
                                                            "late sender at MPI_Recv<main<init on 1: 1500",
                                                            "late sender at MPI_Wait<main<init on 1: 500"});
    CHECK(waits.messages == 4); // those of the broadcast are no messages of their own
    CHECK(waits.unmatched_messages == 0);
    CHECK(waits.calls == 2);
    CHECK(waits.unmatched_calls == 0);
}

TEST_CASE("a send whose end was not seen has begun when it did, and waited for nobody", "[waits]") {
    EventEncoder dropping(1000);
    dropping.enter(5000, Send).leave_of(5110, Send);
    dropping.enter(9000, Send).message(9100, {9000, Send, 1, 8, 0, 2}).leave_of(9110, Send);
    dropping.enter(23000, Bcast).message(23050, {23000, Bcast, 1, 8, 0, -1}).collective(23000, 23100, Bcast, 1, 0);
    EventEncoder::Message late{5000, Send, 1, 8, 0, 1};
    late.recorded = 23105; // in a call that is no wait of its own
    dropping.message(5100, late).leave_of(23110, Bcast);
    auto [waits, all] = analyse(files(rank_file(0, dropping), rank_file(1, receiver())));
    CHECK(string_of(waits, all) == std::vector<std::string>{"collective at MPI_Bcast<main<init on 1: 1500",
                                                            "late sender at MPI_Recv<main<init on 1: 1500",
                                                            "late sender at MPI_Wait<main<init on 1: 500"});
    CHECK(waits.unmatched_messages == 0);
    REQUIRE(waits.late.size() == 1);
    CHECK((waits.late[0].rank == 0 && waits.late[0].calls == 1 && waits.late[0].late == 1 && waits.late[0].ns == 1500));
}

TEST_CASE("waits are seen on one clock", "[waits]") {
    // The receiver's clock is 200 ns behind: it came 200 ns later than its times say.
    auto [waits, all] = analyse(files(rank_file(0, sender()), rank_file(1, receiver(), 200)));
    CHECK(string_of(waits, all) == std::vector<std::string>{"collective at MPI_Bcast<main<init on 1: 1300",
                                                            "late sender at MPI_Recv<main<init on 1: 1300",
                                                            "late sender at MPI_Wait<main<init on 1: 300"});
    CHECK(waits.clock_error == 10);
    CHECK(waits.clocks_known);
}

TEST_CASE("what the files lack is counted as unmatched", "[waits]") {
    EventEncoder cut = sender();
    std::vector<vfd::Image> one;
    one.push_back(rank_file(1, receiver()).open());
    auto alone = analyse(std::move(one)).first;
    CHECK(alone.messages == 2);
    CHECK(alone.unmatched_messages == 2);
    CHECK(alone.unmatched_calls == 1);
    cut.collective(24000, 24100, Ibarrier, 2, -1).collective(24000, 24200, Ibarrier, 77, -1).raw({0x83});
    auto waits = analyse(files(rank_file(0, cut), rank_file(1, receiver()))).first;
    CHECK(waits.unmatched_calls == 1);
    CHECK(waits.cut_streams == 1);
}

TEST_CASE("files without a timeline are refused", "[waits]") {
    ImageBuilder plain = rank_file(0, sender());
    plain.header.flags = vfd::FlagMpi;
    CHECK_THROWS_WITH(analyse(files(plain, rank_file(1, receiver()))), Catch::Contains("sampling.active"));
    plain.header.flags = vfd::FlagSampling;
    std::vector<vfd::Image> serial;
    serial.push_back(plain.open());
    CHECK_THROWS_WITH(analyse(std::move(serial)), Catch::Contains("not of an MPI program"));
}

TEST_CASE("damaged timelines do no harm to the analysis of waits", "[waits][damaged]") {
    const Bytes whole = rank_file(0, sender()).bytes();
    ImageBuilder other = rank_file(1, receiver());
    std::mt19937 random(6);
    for (int trial = 0; trial < 1500; ++trial) {
        Bytes bytes = whole;
        for (unsigned n = 1 + random() % 4; n > 0; --n)
            bytes[random() % bytes.size()] = static_cast<std::byte>(random());
        try {
            std::vector<vfd::Image> images;
            images.push_back(MemoryFile(bytes).open());
            images.push_back(other.open());
            analyse(std::move(images));
        } catch (const std::runtime_error&) {
        }
    }
}
