// SPDX-License-Identifier: BSD-3-Clause
//
// What threads did for others, in profiles and timelines.
// Issue: workers' functions appear under the parallel region's path of the forking thread.
#include "analysis/recording/work_attribution.hpp"
#include "analysis/timeline/timeline.hpp"
#include "profile_builder.hpp"

#include "../vfd/image_builder.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace vftr;
using namespace vftr::analysis;
using namespace vftr::test;

namespace {

constexpr std::uint64_t Main = 0x401000, Solve = 0x402000, Work = 0x403000, Region = 0x402010, Wait = 0x402020,
                        Task = 0x402030;

std::uint64_t construct(vfd::Construct construct, std::uint64_t address) {
    return address | static_cast<std::uint64_t>(construct) << vfd::ConstructShift;
}

class Recording {
public:
    Recording() {
        builder.header.clock = vfd::ClockKind::Monotonic;
        builder.header.start = {1000, 1000, 500000};
        builder.header.end = {2000, 2000, 501000};
        builder.name(Main, "main").name(Solve, "solve").name(Work, "work");
        builder.name(construct(vfd::Construct::Parallel, Region), "omp parallel solve:12", vfd::NodeKind::OpenMp);
        builder.name(construct(vfd::Construct::ImplicitBarrier, Wait), "omp implicit barrier solve:12",
                     vfd::NodeKind::OpenMp);
        builder.name(construct(vfd::Construct::Task, Task), "omp task solve:20", vfd::NodeKind::OpenMp);
    }

    // Begins a thread.
    Recording& thread(std::uint32_t index, std::uint64_t exclusive, std::uint64_t inclusive) {
        threads_[index] = {ImageBuilder::root()};
        nodes_ = &threads_[index];
        nodes_->back().exclusive = exclusive;
        nodes_->back().inclusive = inclusive;
        return *this;
    }
    Recording& function(std::uint32_t parent, std::uint64_t key, std::uint64_t calls, std::uint64_t exclusive,
                        std::uint64_t inclusive, vfd::NodeKind kind = vfd::NodeKind::Function) {
        vfd::Node node = ImageBuilder::function(parent, key);
        node.kind = kind;
        node.calls = calls;
        node.exclusive = exclusive;
        node.inclusive = inclusive;
        nodes_->push_back(node);
        return *this;
    }
    Recording& omp(std::uint32_t parent, vfd::Construct what, std::uint64_t address, std::uint64_t calls,
                   std::uint64_t exclusive, std::uint64_t inclusive) {
        return function(parent, construct(what, address), calls, exclusive, inclusive, vfd::NodeKind::OpenMp);
    }
    Recording& attributed(std::uint32_t parent, std::uint32_t thread, std::uint32_t node, std::uint64_t calls,
                          std::uint64_t exclusive, std::uint64_t inclusive) {
        return function(parent, vfd::AttributedWorkKey | std::uint64_t{thread} << 32 | node, calls, exclusive,
                        inclusive, vfd::NodeKind::AttributedWork);
    }
    vfd::Image open() {
        for (const auto& [index, nodes] : threads_)
            builder.thread(index, nodes);
        threads_.clear();
        return builder.open();
    }
    Profile profile() {
        Profile profile = profile_of(open());
        canonicalise(profile);
        return profile;
    }

    ImageBuilder builder;

private:
    std::map<std::uint32_t, std::vector<vfd::Node>> threads_;
    std::vector<vfd::Node>* nodes_ = nullptr;
};

void check_adds_up(const Profile& profile) {
    std::vector<std::uint64_t> sum;
    for (const PathNode& node : profile.nodes)
        sum.push_back(node.exclusive);
    for (std::size_t i = profile.nodes.size(); i-- > 1;)
        sum[profile.nodes[i].parent] += sum[i];
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i) {
        INFO(call_path(profile, i));
        CHECK(profile.nodes[i].inclusive == sum[i]);
    }
}

const std::string RegionPath = "omp parallel solve:12<solve<main<init";

// Thread 0 forks; `worker` takes part.
void fork_and_work(Recording& r, std::uint32_t forker, std::uint32_t worker) {
    r.thread(forker, 50, 1000).function(0, Main, 1, 50, 950).function(1, Solve, 1, 100, 900);
    r.omp(2, vfd::Construct::Parallel, Region, 3, 100, 800).function(3, Work, 3, 600, 600);
    r.omp(3, vfd::Construct::ImplicitBarrier, Wait, 3, 100, 100);
    r.thread(worker, 200, 1000).attributed(0, forker, 3, 3, 70, 800).function(1, Work, 3, 400, 400);
    r.omp(1, vfd::Construct::ImplicitBarrier, Wait, 3, 330, 330);
}

} // namespace

TEST_CASE("what a worker does is below the region of the thread that forked") {
    const bool worker_first = GENERATE(false, true);
    Recording r;
    fork_and_work(r, worker_first ? 1 : 0, worker_first ? 0 : 1);
    const Profile p = r.profile();
    CHECK(p.nodes.size() == 6);
    CHECK(at(p, RegionPath).calls == 3);
    CHECK(at(p, RegionPath).exclusive == 170);
    CHECK(at(p, RegionPath).inclusive == 1600);
    CHECK(at(p, "work<" + RegionPath).calls == 6);
    CHECK(at(p, "work<" + RegionPath).exclusive == 1000);
    CHECK(at(p, "solve<main<init").inclusive == 1700);
    CHECK(at(p, "init").exclusive == 250);
    CHECK(at(p, "init").inclusive == 2000);
    CHECK(p.summary.runtime_sum == 2000);
    check_adds_up(p);
}

TEST_CASE("a task that is executed elsewhere counts where it was made, not in the barrier where that happened") {
    Recording r;
    r.thread(0, 0, 1000).function(0, Main, 1, 0, 1000).omp(1, vfd::Construct::Parallel, Region, 1, 600, 1000);
    r.omp(2, vfd::Construct::Task, Task, 0, 0, 0).omp(2, vfd::Construct::ImplicitBarrier, Wait, 1, 100, 400);
    r.attributed(4, 0, 3, 1, 50, 300).function(5, Work, 1, 250, 250);
    r.thread(1, 100, 1000).attributed(0, 0, 2, 1, 10, 900).omp(1, vfd::Construct::ImplicitBarrier, Wait, 1, 90, 890);
    r.attributed(2, 0, 3, 2, 100, 800).function(3, Work, 2, 700, 700);
    const Profile p = r.profile();
    const std::string region = "omp parallel solve:12<main<init";
    CHECK(at(p, "omp implicit barrier solve:12<" + region).inclusive == 190);
    CHECK(at(p, "omp task solve:20<" + region).calls == 3);
    CHECK(at(p, "omp task solve:20<" + region).exclusive == 150);
    CHECK(at(p, "omp task solve:20<" + region).inclusive == 1100);
    CHECK(at(p, "work<omp task solve:20<" + region).calls == 3);
    CHECK(at(p, region).inclusive == 1900);
    CHECK(!has(p, "omp task solve:20<omp implicit barrier solve:12<" + region));
    check_adds_up(p);
}

TEST_CASE("tasks within a recursion are counted once in what is around them") {
    Recording r;
    // work makes a task that calls work, which waits for another one of the kind: what was noted for it is of the
    // outermost call.
    r.thread(0, 0, 510)
        .function(0, Main, 1, 10, 510)
        .function(1, Work, 1, 100, 500)
        .omp(2, vfd::Construct::Task, Task, 0, 0, 0);
    r.omp(2, vfd::Construct::Taskwait, Wait, 1, 0, 400).attributed(4, 0, 3, 2, 0, 400).function(5, Work, 2, 400, 250);
    r.omp(6, vfd::Construct::Taskwait, Wait, 1, 0, 200).attributed(7, 0, 3, 0, 0, 0);
    const Profile p = r.profile();
    const std::string task = "omp task solve:20<work<main<init";
    CHECK(at(p, "work<" + task).exclusive == 400);
    CHECK(at(p, "work<" + task).inclusive == 400);
    CHECK(at(p, "work<main<init").inclusive == 500);
    CHECK(at(p, "init").inclusive == 510);
    check_adds_up(p);
}

TEST_CASE("a team within a team hangs where the outer worker hangs") {
    Recording r;
    // Thread 0 works for 1, which works for 2.
    r.thread(0, 0, 100).attributed(0, 1, 3, 1, 5, 100).function(1, Work, 1, 95, 95);
    r.thread(1, 0, 300).attributed(0, 2, 2, 1, 20, 300).function(1, Solve, 1, 80, 280);
    r.omp(2, vfd::Construct::Parallel, Region, 1, 200, 200);
    r.thread(2, 0, 400).function(0, Main, 1, 100, 400).omp(1, vfd::Construct::Parallel, Region, 1, 300, 300);
    const Profile p = r.profile();
    CHECK(at(p, "work<omp parallel solve:12<solve<omp parallel solve:12<main<init").exclusive == 95);
    CHECK(at(p, "omp parallel solve:12<solve<omp parallel solve:12<main<init").inclusive == 300);
    CHECK(at(p, "main<init").inclusive == 800);
    check_adds_up(p);
}

TEST_CASE("a path that only a worker has used has callers") {
    Recording r;
    r.thread(0, 0, 10).attributed(0, 1, 2, 1, 10, 10);
    r.thread(1, 20, 20).function(0, Main, 0, 0, 0).function(1, Solve, 0, 0, 0);
    const Profile p = r.profile();
    CHECK(at(p, "solve<main<init").exclusive == 10);
    CHECK(at(p, "solve<main<init").calls == 0);
    CHECK(at(p, "main<init").inclusive == 10);
    check_adds_up(p);
}

TEST_CASE("a dumped sample of a worker has the path of the forking thread") {
    Recording r;
    fork_and_work(r, 0, 1);
    r.builder.header.flags = vfd::FlagSampling;
    r.builder.events(1, EventEncoder(1000).enter(1100, 1).enter(1200, 2).leave_of(1300, 2).leave_of(1400, 1));
    r.builder.events(0, EventEncoder(1000).enter(1150, 4).leave_of(1350, 4));
    const vfd::Image image = r.open();
    const Timeline timeline(image);
    std::vector<std::string> seen;
    timeline.for_each_sample([&](const Sample& sample) {
        seen.push_back(std::to_string(sample.thread) + (sample.enter ? '+' : '-') +
                       call_path(timeline.stacks(), sample.stack));
    });
    CHECK(seen == std::vector<std::string>{"1+" + RegionPath, "0+work<" + RegionPath, "1+work<" + RegionPath,
                                           "1-work<" + RegionPath, "0-work<" + RegionPath, "1-" + RegionPath});
}

TEST_CASE("messages of a worker have the path of the forking thread") {
    Recording r;
    r.thread(0, 0, 100).function(0, Main, 1, 50, 100).omp(1, vfd::Construct::Parallel, Region, 1, 50, 50);
    r.thread(1, 0, 50).attributed(0, 0, 2, 1, 40, 50).function(1, vfd::NamedKey, 1, 10, 10, vfd::NodeKind::Mpi);
    r.builder.name(vfd::NamedKey, "MPI_Send", vfd::NodeKind::Mpi);
    r.builder.header.flags = vfd::FlagMpi;
    r.builder.header.size = 2;
    r.builder.traffic(1, {{1, 2, 1, vfd::Direction::Send, vfd::Span::Rank, 0, 1, 8, 5}});
    const Profile p = r.profile();
    REQUIRE(p.messages.size() == 1);
    CHECK(call_path(p, p.messages[0].node) == "MPI_Send<omp parallel solve:12<main<init");
}

TEST_CASE("what means nothing stays below the root") {
    Recording r;
    // No such thread; no such node; two that mean each other, and one that means one of them; itself; a key that is
    // none.
    r.thread(0, 0, 505).attributed(0, 7, 0, 1, 1, 101).function(1, Work, 1, 100, 100);
    r.attributed(0, 1, 99, 1, 1, 101).function(3, Work, 1, 100, 100);
    r.attributed(0, 1, 2, 1, 1, 101).function(5, Work, 1, 100, 100);
    r.attributed(0, 0, 7, 1, 1, 101).function(7, Work, 1, 100, 100);
    r.function(0, Main, 1, 1, 101, vfd::NodeKind::AttributedWork).function(9, Work, 1, 100, 100);
    r.thread(1, 0, 101).attributed(0, 0, 6, 1, 1, 101).function(1, Solve, 1, 100, 100);
    r.attributed(2, 1, 2, 1, 0, 0).function(3, Work, 1, 0, 0);
    const Profile p = r.profile();
    CHECK(at(p, "work<init").calls == 5);
    CHECK(at(p, "solve<init").calls == 1);
    CHECK(at(p, "work<solve<init").calls == 1);
    check_adds_up(p);
}

TEST_CASE("a long chain of threads that work for each other is no trouble") {
    constexpr std::uint32_t Threads = 2000;
    Recording r;
    for (std::uint32_t i = 0; i < Threads; ++i)
        r.thread(i, 0, 10).attributed(0, i + 1, 2, 1, 0, 10).function(1, Work, 1, 10, 10);
    r.thread(Threads, 0, 10).function(0, Main, 1, 0, 10).function(1, Work, 1, 10, 10);
    const Profile p = r.profile();
    CHECK(p.nodes.size() == Threads + 3);
    check_adds_up(p);
}
