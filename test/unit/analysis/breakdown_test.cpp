// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: where the time went, in percent and per rank: computation, MPI, OpenMP waiting, I/O where known, overhead, not
// running; parallel efficiency in the terms of the POP project.
#include "analysis/profile/breakdown.hpp"

#include "analysis/merge/serialize.hpp"
#include "analysis/profile/profile.hpp"
#include "analysis/recording/breakdown_of.hpp"
#include "profile_builder.hpp"

#include "../vfd/image_builder.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace vftr;
using namespace vftr::analysis;
using namespace vftr::test;

namespace {

constexpr std::uint64_t Main = 0x401000, Allreduce = vfd::NamedKey | 1, Sync = vfd::NamedKey | 2,
                        Send = vfd::NamedKey | 3, Pause = vfd::NamedKey | 4;
constexpr std::uint64_t Barrier = 0x402000 | static_cast<std::uint64_t>(vfd::Construct::Barrier) << vfd::ConstructShift;

vfd::Node node(vfd::NodeKind kind, std::uint32_t parent, std::uint64_t key, std::uint64_t exclusive) {
    vfd::Node node = ImageBuilder::function(parent, key);
    node.kind = kind;
    node.exclusive = node.inclusive = exclusive * Ms;
    return node;
}

// A second; a tick is 1 ns. Of the first thread 100 ms are main's, 200 + 30 MPI's, 50 a barrier's of OpenMP, 40 paused,
// the rest the root's.
ImageBuilder image(std::int32_t rank = 0) {
    ImageBuilder builder;
    builder.header.clock = vfd::ClockKind::Monotonic;
    builder.header.start = {1000, 1000, 500000};
    builder.header.end = {1000 + 1000 * Ms, 1000 + 1000 * Ms, 500000 + 1000 * Ms};
    builder.header.flags = vfd::FlagMpi;
    builder.header.rank = rank;
    builder.header.size = 2;
    builder.name(Main, "main")
        .name(Barrier, "omp barrier", vfd::NodeKind::OpenMp)
        .name(Allreduce, "MPI_Allreduce", vfd::NodeKind::Mpi);
    builder.name(Sync, "MPI_Allreduce_sync", vfd::NodeKind::Region)
        .name(Send, "MPI_Send", vfd::NodeKind::Mpi)
        .name(Pause, "vftrace_pause", vfd::NodeKind::Pause);
    return builder;
}

std::vector<vfd::Node> first_thread(std::uint64_t send = 30) {
    return {ImageBuilder::root(),
            node(vfd::NodeKind::Function, 0, Main, 100),
            node(vfd::NodeKind::Mpi, 1, Allreduce, 120),
            node(vfd::NodeKind::Region, 2, Sync, 80),
            node(vfd::NodeKind::Mpi, 1, Send, send),
            node(vfd::NodeKind::OpenMp, 1, Barrier, 50),
            node(vfd::NodeKind::Pause, 1, Pause, 40)};
}

void add_thread(ImageBuilder& builder, vfd::ThreadRecord record, const std::vector<vfd::Node>& tree) {
    record.begin = 1000;
    record.node_count = static_cast<std::uint32_t>(tree.size());
    record.origin.thread = vfd::NoThread;
    Bytes bytes, nodes;
    put(bytes, record);
    builder.segment(vfd::SegmentKind::Thread, record.index, 0, bytes);
    for (const vfd::Node& node : tree)
        put(nodes, node);
    builder.segment(vfd::SegmentKind::Nodes, record.index, 0, nodes, 0, ImageBuilder::Page);
}

// Of OpenMP, idle and at work for so many ms.
void add_worker(ImageBuilder& builder, std::uint32_t index, std::uint64_t idle, std::uint64_t busy) {
    vfd::ThreadRecord record{};
    record.index = index;
    record.flags = vfd::ThreadOpenMp;
    vfd::Node root = ImageBuilder::root();
    root.exclusive = idle * Ms;
    add_thread(builder, record, {root, node(vfd::NodeKind::Function, 0, Main, busy)});
}

std::uint64_t of(const Breakdown& breakdown, Activity activity) { return breakdown.of(activity).sum / Ms; } // ms

Breakdown breakdown_of(ImageBuilder builder) { return profile_of(builder.open()).breakdown; }

} // namespace

TEST_CASE("functions of MPI are told apart by what they do") {
    for (const char* name : {"MPI_Send", "MPI_Irecv", "MPI_Waitall", "MPI_Testsome", "MPI_Sendrecv_replace",
                             "MPI_Startall", "MPI_Probe", "MPI_Send_c", "MPI_Precv_init"})
        CHECK(activity_of_mpi(name) == Activity::PointToPoint);
    for (const char* name :
         {"MPI_Barrier", "MPI_Bcast", "MPI_Iallreduce", "MPI_Ibarrier", "MPI_Alltoallw_c", "MPI_Neighbor_allgather",
          "MPI_Ineighbor_alltoall", "MPI_Scan", "MPI_Reduce_scatter_block", "MPI_Bcast_init"})
        CHECK(activity_of_mpi(name) == Activity::Collective);
    for (const char* name :
         {"MPI_Put", "MPI_Get", "MPI_Get_c", "MPI_Rget_accumulate", "MPI_Win_fence", "MPI_Fetch_and_op"})
        CHECK(activity_of_mpi(name) == Activity::OneSided);
    for (const char* name : {"MPI_File_write_all", "MPI_File_open"})
        CHECK(activity_of_mpi(name) == Activity::MpiFiles);
    for (const char* name : {"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Session_init"})
        CHECK(activity_of_mpi(name) == Activity::MpiBeginEnd);
    for (const char* name : {"MPI_Finalized", "MPI_Comm_split", "MPI_Get_count", "MPI_Info_get", "MPI_Initialized",
                             "MPI_Reduce_local", "MPI_Intercomm_create", "MPI_", "MPI_I", ""})
        CHECK(activity_of_mpi(name) == Activity::OtherMpi);
}

TEST_CASE("the activities of a process add up to the lives of its threads") {
    const Breakdown breakdown = breakdown_of(std::move(image().thread(0, first_thread())));
    CHECK(of(breakdown, Activity::Collective) == 120);
    CHECK(of(breakdown, Activity::Synchronisation) == 80);
    CHECK(of(breakdown, Activity::PointToPoint) == 30);
    CHECK(of(breakdown, Activity::OpenMpWait) == 50);
    CHECK(of(breakdown, Activity::Paused) == 40);
    CHECK(of(breakdown, Activity::Computation) == 100);
    CHECK(breakdown.sum() == 420 * Ms);
    CHECK(breakdown.outside_mpi.sum == 150 * Ms);
    CHECK(breakdown.longest == 380 * Ms);
}

TEST_CASE("the time that an OpenMP worker is in no construct is idle, and counts in the efficiency of OpenMP") {
    ImageBuilder builder = image();
    builder.thread(0, first_thread());
    add_worker(builder, 1, 700, 60);
    const Breakdown breakdown = breakdown_of(std::move(builder));
    CHECK(of(breakdown, Activity::OpenMpIdle) == 700);
    CHECK(of(breakdown, Activity::Computation) == 160);
    // Of its life as much is no matter of OpenMP as of the first thread's, which was outside of MPI and of pauses for
    // 150 of 420 ms.
    CHECK(breakdown.team / Ms == 150 + 760 * 150 / 420);
    CHECK(breakdown.worked == 160 * Ms);
    CHECK(breakdown.openmp_efficiency() == Approx(160.0 / (150 + 760 * 150.0 / 420)));
}

// Issue: where workers come and go each record of one counted as if it had lived for the whole run
TEST_CASE("a worker counts in the efficiency of OpenMP for as long as it lived") {
    ImageBuilder builder = image();
    builder.thread(0, {ImageBuilder::root(), node(vfd::NodeKind::Function, 0, Main, 1000)});
    for (std::uint32_t index = 1; index <= 20; ++index)
        add_worker(builder, index, 5, 15);
    const Breakdown breakdown = breakdown_of(std::move(builder));
    CHECK(breakdown.team == 1400 * Ms);
    CHECK(breakdown.worked == 1300 * Ms);
}

TEST_CASE("what a worker did in its constructs counts although the first thread was in MPI for most of the time") {
    ImageBuilder builder = image();
    builder.thread(
        0, {ImageBuilder::root(), node(vfd::NodeKind::Function, 0, Main, 100), node(vfd::NodeKind::Mpi, 1, Send, 900)});
    add_worker(builder, 1, 10, 90);
    const Breakdown breakdown = breakdown_of(std::move(builder));
    CHECK(breakdown.team == 190 * Ms);
    CHECK(breakdown.worked == 190 * Ms);
}

// Issue: programs without OpenMP but with forked children got an OpenMP efficiency
TEST_CASE("only processes with workers of OpenMP count in its efficiency") {
    auto process = [](bool with_worker) {
        ImageBuilder builder = image(1);
        builder.thread(0, {ImageBuilder::root(), node(vfd::NodeKind::Function, 0, Main, with_worker ? 100 : 1000)});
        if (with_worker)
            add_worker(builder, 1, 50, 50);
        return profile_of(builder.open());
    };
    Profile all = process(false);
    add_process(all, process(false));
    CHECK(all.breakdown.team == 0);
    SECTION("one of them") {
        add_process(all, process(true));
        CHECK(all.breakdown.openmp_efficiency() == Approx(0.75));
    }
    SECTION("several of them") {
        Profile other = process(true);
        add_process(other, all);
        add_process(other, process(true));
        CHECK(other.breakdown.team == 400 * Ms);
        CHECK(other.breakdown.openmp_efficiency() == Approx(0.75));
    }
}

TEST_CASE("ranks are compared by their times outside of MPI") {
    Profile all;
    Breakdown one = {}, other = {};
    one.outside_mpi = of_one_rank(60, 0);
    one.longest = 100;
    other.outside_mpi = of_one_rank(80, 1);
    other.longest = 90;
    one.times[0] = of_one_rank(60, 0);
    other.times[0] = of_one_rank(80, 1);
    Profile first = one_rank(0), second = one_rank(1);
    first.breakdown = one;
    second.breakdown = other;
    SECTION("in order") {
        merge(all, first);
        merge(all, second);
    }
    SECTION("the other way round") {
        merge(all, second);
        merge(all, first);
    }
    CHECK(all.breakdown.load_balance(2) == Approx(70.0 / 80));
    CHECK(all.breakdown.communication_efficiency() == Approx(80.0 / 100));
    const RankStat& computation = all.breakdown.of(Activity::Computation);
    CHECK(computation.sum == 140);
    CHECK(computation.min == 60);
    CHECK(computation.max_rank == 1);
}

TEST_CASE("of the processes of a rank the longest stands for its first thread, and the activities are those of all") {
    Profile main = one_rank(3), child = one_rank(3);
    main.breakdown.outside_mpi = of_one_rank(60, 3);
    main.breakdown.longest = 100;
    main.breakdown.times[0] = of_one_rank(60, 3);
    child.breakdown.outside_mpi = child.breakdown.times[0] = of_one_rank(90, 3);
    child.breakdown.longest = 90;
    SECTION("the child is added") {
        add_process(main, child);
        CHECK(main.breakdown.outside_mpi.sum == 60);
        CHECK(main.breakdown.longest == 100);
        CHECK(main.breakdown.of(Activity::Computation).max == 150);
    }
    SECTION("to the child is added") {
        add_process(child, main);
        CHECK(child.breakdown.outside_mpi.sum == 60);
        CHECK(child.breakdown.longest == 100);
    }
}

TEST_CASE("a merged profile keeps where the time went") {
    ImageBuilder builder = image(1);
    builder.thread(0, first_thread());
    add_worker(builder, 1, 0, 60);
    Profile profile = profile_of(builder.open());
    const Profile again = deserialize(serialize(profile), "again");
    CHECK(again.breakdown.sum() == 480 * Ms);
    CHECK(again.breakdown.of(Activity::Synchronisation).min_rank == 1);
    CHECK(again.breakdown.outside_mpi.sum == 150 * Ms);
    CHECK(again.breakdown.longest == 380 * Ms);
    CHECK(again.breakdown.team == 210 * Ms);
    CHECK(again.breakdown.worked == 160 * Ms);
}

TEST_CASE("what a thread spent without CPU time outside of MPI and other waits is blocked") {
    ImageBuilder builder = image();
    vfd::ThreadRecord record{};
    std::uint64_t cpu = 150; // ms of 420, of which 230 + 50 + 40 may have slept
    SECTION("so much at least") { cpu = 50; }
    SECTION("not where waits may be all of it") { cpu = 100; }
    SECTION("nor where it is next to nothing") { cpu = 99; }
    SECTION("and not where the CPU time is not known") { cpu = 0; }
    record.cpu_ns = cpu * Ms;
    record.cpu_until = 1000 + 1000 * Ms;
    SECTION("only what is before the latest question counts") {
        cpu = 0;
        record.cpu_ns = 50 * Ms;
        record.cpu_until = 1000 + 900 * Ms;
    }
    add_thread(builder, record, first_thread());
    const Breakdown breakdown = breakdown_of(std::move(builder));
    CHECK(of(breakdown, Activity::Blocked) == (cpu == 50 ? 50 : 0));
    CHECK(of(breakdown, Activity::Computation) == (cpu == 50 ? 50 : 100));
    CHECK(breakdown.sum() == 420 * Ms);
}

// Issue: beside busy loops a program that computes was shown as blocked: its one-time work had waited for a core, and
// was overhead as well
TEST_CASE("one-time work that waited is overhead, and nothing is blocked because of it") {
    ImageBuilder builder = image();
    vfd::ThreadRecord record{};
    record.one_time_work = 40 * Ms;
    record.cpu_ns = 100 * Ms;
    record.cpu_until = 1000 + 1000 * Ms;
    vfd::Node root = ImageBuilder::root();
    root.exclusive = 40 * Ms;
    add_thread(builder, record, {root, node(vfd::NodeKind::Function, 0, Main, 100)});
    const Breakdown breakdown = breakdown_of(std::move(builder));
    CHECK(of(breakdown, Activity::Blocked) == 0);
    CHECK(of(breakdown, Activity::Computation) == 100);
    CHECK(of(breakdown, Activity::Overhead) == 40);
}

// Issue: what was done at the end was in the head's one-time work, as wall time, and in no activity
TEST_CASE("the ending is overhead, and a wait for a core as far as it was one") {
    ImageBuilder builder = image();
    builder.header.ending_ns = 30 * Ms;
    builder.header.ending_wait_ns = 10 * Ms;
    builder.thread(0, {ImageBuilder::root(), node(vfd::NodeKind::Function, 0, Main, 1000)});
    const Profile profile = profile_of(builder.open());
    CHECK(of(profile.breakdown, Activity::Overhead) == 20);
    CHECK(of(profile.breakdown, Activity::NoCore) == 10);
    CHECK(profile.breakdown.of(Activity::Overhead).max == 20 * Ms);
    CHECK(profile.breakdown.sum() == profile.summary.times.sum.runtime);
    CHECK(profile.summary.times.sum.one_time_work == 20 * Ms);
    CHECK(profile.summary.times.sum.waiting == 10 * Ms);
}

// Issue: what rank 0 did after MPI_Finalize was compared with ranks that were cut there
TEST_CASE("the efficiencies are made of what was before the collation") {
    ImageBuilder builder = image(1);
    builder.header.until_collation = {90 * Ms, 200 * Ms, 180 * Ms, 160 * Ms};
    builder.thread(0, first_thread());
    const Breakdown breakdown = breakdown_of(std::move(builder));
    CHECK(breakdown.outside_mpi.max == 90 * Ms);
    CHECK(breakdown.outside_mpi.max_rank == 1);
    CHECK(breakdown.communication_efficiency() == Approx(0.45));
    CHECK(breakdown.openmp_efficiency() == Approx(160.0 / 180));
    CHECK(breakdown.sum() == 420 * Ms);
}
