// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"
#include "record/entries/constructs.hpp"
#include "record/threads/thread_records.hpp"
#include "record/timing/off_cpu.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using vfd::Construct;
using vfd::NodeKind;

namespace {

constexpr std::uint64_t F = 0x10, G = 0x20;
const void* const Here = reinterpret_cast<const void*>(0x1234);
const void* const There = reinterpret_cast<const void*>(0x5678);
const std::uint64_t Parallel = construct_key(Construct::Parallel, Here),
                    Barrier = construct_key(Construct::Barrier, There), Task = construct_key(Construct::Task, Here),
                    OtherTask = construct_key(Construct::Task, There);

std::uint64_t attributed_work_key(const CallInstance& place) {
    return vfd::AttributedWorkKey | std::uint64_t{place.thread} << 32 | place.node;
}

// The innermost node of that key.
const vfd::Node& node_of(Thread& thread, std::uint64_t key) {
    for (std::uint32_t id = thread.node_count(); id-- > 0;)
        if (thread.node(id).key == key)
            return thread.node(id);
    FAIL("no such node");
    return thread.node(0);
}

void check_times(Thread& thread) {
    thread.end_and_add_up();
    for (std::uint32_t id = 0; id < thread.node_count(); ++id) {
        CHECK(thread.node(id).inclusive >= thread.node(id).exclusive);
        CHECK(thread.node(id).exclusive <= thread.lifetime());
        CHECK(thread.node(id).open == 0);
    }
}

} // namespace

TEST_CASE("a construct is named by its kind and the address that it returns to", "[record][constructs]") {
    CHECK(vfd::construct_of(Parallel) == Construct::Parallel);
    CHECK(vfd::address_of(Parallel, NodeKind::OpenMp) == 0x1234);
    CHECK(Parallel != Task);
    CHECK(Task != OtherTask);
    CHECK((Parallel & (vfd::NamedKey | vfd::AttributedWorkKey)) == 0);
}

TEST_CASE("a construct is an entry of its function, and its module is that of its address", "[record][constructs]") {
    Recording recording;
    Thread thread;
    std::uint64_t key = construct_key(Construct::Parallel, reinterpret_cast<const void*>(&check_times));
    thread.enter(F, 0x9000);
    errno = 7;
    CHECK(enter_construct(key, 0, 0x8800));
    CHECK(thread.open_keys() == Keys{F, key});
    CHECK(node_of(thread, key).kind == NodeKind::OpenMp);
    CHECK(recording.live_image().threads().size() == 1);
    CHECK(node_of(thread, key).module == recorder.modules.find(reinterpret_cast<std::uint64_t>(&check_times)));
    CHECK(node_of(thread, key).module != 0);
    thread.enter(G, 0x8000);
    thread.leave(G, 0x8000);
    CHECK(leave_construct(key) == Left::Matched);
    CHECK(leave_construct(key) == Left::NotOpen);
    CHECK(errno == 7);
    thread.leave(F, 0x9000);
    CHECK(thread.state().record->vanished + thread.state().record->unmatched == 0);
    check_times(thread);
}

TEST_CASE("what was called in a construct is gone when it is left, and it is gone with its function",
          "[record][constructs]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    REQUIRE(enter_construct(Parallel, 0, 0x8800));
    thread.enter(G, 0x8000); // an exception goes through it
    CHECK(leave_construct(Parallel) == Left::Matched);
    CHECK(thread.open_keys() == Keys{F});
    CHECK(thread.state().record->vanished == 1);
    thread.enter(G, 0x8000);
    REQUIRE(enter_construct(Barrier, 0, 0x7000));
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
    CHECK(leave_construct(Barrier) == Left::NotOpen);
    check_times(thread);
}

TEST_CASE("functions that lie deeper than the runtime's caller are gone when a construct begins",
          "[record][constructs]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    REQUIRE(enter_construct(Parallel, 0, 0x8800));
    CHECK(thread.open_keys() == Keys{F, Parallel});
    CHECK(leave_construct(Parallel) == Left::Matched);
    thread.enter(G, 0x8000);
    CHECK(place_of_construct(Task, 0x8800).node != vfd::NoNode);
    CHECK(thread.open_keys() == Keys{F});
    check_times(thread);
}

TEST_CASE("a region that was begun in a construct and not ended stays", "[record][constructs]") {
    Recording recording;
    Thread thread;
    std::uint64_t region = intern("a", NodeKind::Region);
    thread.enter(F, 0x9000);
    REQUIRE(enter_construct(Parallel, 0, 0x8800));
    enter_named(region, NodeKind::Region, 0x9000);
    CHECK(leave_construct(Parallel) == Left::Matched);
    CHECK(thread.open_keys() == Keys{F, region});
    CHECK(leave_named(region) == Left::Matched);
    check_times(thread);
}

namespace {

// A region goes on when its construct has ended, after what the thread's clock shows as a preemption of most of the
// time since the latest slow path. Returns whether the recorder has found it: it does not if the kernel counts a
// voluntary switch meanwhile.
bool preempted_region_goes_on() {
    Recording recording;
    Thread thread;
    const std::uint64_t region = intern("a", NodeKind::Region);
    thread.enter(F, 0x9000);
    REQUIRE(enter_construct(Parallel, 0, 0x8800));
    enter_named(region, NodeKind::Region, 0x9000);
    const std::uint64_t begin = base::read_ticks();
    while (base::read_ticks() - begin < 20 * LateSlowPath)
        ;
    OffCpuClock& clock = thread.state().off_cpu;
    const base::Moment now = base::read_moment();
    const std::uint64_t passed = now.monotonic_ns - clock.wall_ns;
    timespec cpu{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
    clock.cpu_ns =
        static_cast<std::uint64_t>(cpu.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(cpu.tv_nsec) - passed / 4;
    --clock.involuntary;
    request_slow_path(thread.state());
    CHECK(leave_construct(Parallel) == Left::Matched);
    const bool found = thread.state().record->preempted >= 10 * LateSlowPath;
    CHECK(leave_named(region) == Left::Matched);
    check_times(thread);
    return found;
}

} // namespace

TEST_CASE("a preemption that is found when regions move on is cut out of them as well", "[record][constructs]") {
    if (std::getenv("EMULATED"))
        return;
    bool found = false;
    for (int tries = 0; tries < 100 && !found; ++tries)
        found = preempted_region_goes_on();
    CHECK(found);
}

TEST_CASE("times that were noted before are booked as given, but never before the latest event",
          "[record][constructs]") {
    Settings settings;
    settings.sampling = settings.all_events = GENERATE(false, true);
    Recording recording(settings);
    Thread thread;
    thread.enter(F, 0x9000);
    REQUIRE(enter_construct(
        Barrier, 0, 0x8800)); // what is done at the first call of a path is cut out of the times of all that is open
    CHECK(leave_construct(Barrier) == Left::Matched);
    const std::uint64_t before = node_of(thread, Barrier).inclusive;
    std::uint64_t begin = base::read_ticks();
    spend_time();
    std::uint64_t end = base::read_ticks();
    spend_time();
    REQUIRE(enter_construct(Barrier, begin, 0x8800));
    CHECK(leave_construct(Barrier, end) == Left::Matched);
    CHECK(node_of(thread, Barrier).inclusive - before == end - begin);
    thread.enter(G, 0x8000);
    spend_time();
    REQUIRE(enter_construct(Parallel, begin, 0x7000)); // too early
    CHECK(leave_construct(Parallel, end) == Left::Matched);
    CHECK(node_of(thread, Parallel).inclusive == 0);
    thread.leave(G, 0x8000);
    thread.leave(F, 0x9000);
    check_times(thread);
    CHECK(node_of(thread, G).inclusive > 0);
}

TEST_CASE("nothing is recorded of constructs within a pause", "[record][constructs]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    REQUIRE(enter_construct(Parallel, 0, 0x8800));
    std::uint64_t before = base::read_ticks();
    pause_all();
    pause_here();
    spend_time();
    CHECK_FALSE(enter_construct(Barrier, 0, 0x8800));
    CHECK(place_of_construct(Task, 0x8800).thread == vfd::NoThread);
    CHECK_FALSE(begin_attributed_work(place_of_construct(Task, 0x8800)));
    CHECK(leave_construct(Parallel, before) == Left::Ignored); // ends all the same
    CHECK(thread.open_keys() == Keys{F});
    resume_all();
    resume_here();
    REQUIRE(enter_construct(Barrier, before, 0x8800));
    CHECK(leave_construct(Barrier) == Left::Matched);
    check_times(thread);
}

TEST_CASE("another thread's path is one entry of the tree", "[record][constructs]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    REQUIRE(enter_construct(Parallel, 0, 0x8800));
    CallInstance place = innermost_call();
    CallInstance task = place_of_construct(Task, 0x8800);
    CHECK(thread.node(task.node).calls == 0);
    CHECK(thread.node(task.node).parent == place.node);
    std::thread([&] {
        mark_worker();
        Thread worker;
        CHECK(worker.state().record->flags == 0); // mark_worker began another one
        REQUIRE(begin_attributed_work(place));
        CHECK(worker.open_keys() == Keys{attributed_work_key(place)});
        CHECK(node_of(worker, attributed_work_key(place)).kind == NodeKind::AttributedWork);
        CHECK(node_of(worker, attributed_work_key(place)).module == 0);
        worker.enter(G, 0x9000);
        REQUIRE(begin_attributed_work(task));
        worker.enter(F, 0x8000);
        end_attributed_work(task);
        CHECK(worker.open_keys() == Keys{attributed_work_key(place), G});
        worker.leave(G, 0x9000);
        std::uint64_t arrival = base::read_ticks();
        spend_time();
        end_attributed_work(place, arrival);
        CHECK(worker.depth() == 0);
        CHECK(worker.state().record->last == arrival);
        check_times(worker);
    }).join();
    CHECK(thread_of(0) == &thread.state());
    CHECK(thread_of(1)->record->flags == vfd::ThreadOpenMp);
    CHECK(thread_of(77) == nullptr);
    check_times(thread);
}

TEST_CASE("a task of the same construct within a task has its place, whichever thread made it",
          "[record][constructs]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    CallInstance task = place_of_construct(Task, 0x8800);
    CHECK(place_of_construct(Task, 0x8800).node == task.node);
    std::thread([&] {
        Thread worker;
        REQUIRE(begin_attributed_work(task));
        worker.enter(G, 0x8000);
        CallInstance again = place_of_construct(Task, 0x7000);
        CHECK(again.thread == task.thread);
        CHECK(again.node == task.node);
        CallInstance other = place_of_construct(OtherTask, 0x7000);
        CHECK(other.thread == worker.state().record->index);
        REQUIRE(begin_attributed_work(other));
        worker.enter(F, 0x6000);
        CHECK(place_of_construct(OtherTask, 0x5000).node == other.node);
        CHECK(place_of_construct(Task, 0x5000).node == task.node);
        CHECK(place_of_construct(Task, 0x5000).thread == task.thread);
        worker.end();
    }).join();
}

TEST_CASE("nested constructs have at most as many paths as recursion may have", "[record][constructs]") {
    Recording recording;
    Thread thread;
    for (int i = 0; i < 100; ++i) {
        REQUIRE(enter_construct(Parallel));
        REQUIRE(enter_construct(Barrier));
    }
    CHECK(thread.node_count() <= 2 * recorder.settings.max_recursion + 1);
    for (int i = 0; i < 100; ++i) {
        CHECK(leave_construct(Barrier) == Left::Matched);
        CHECK(leave_construct(Parallel) == Left::Matched);
    }
    CHECK(thread.calls(Parallel) == 100);
    check_times(thread);
}

TEST_CASE("teams are added up by region", "[record][constructs]") {
    Recording recording;
    Thread thread;
    count_team({0, 5, 0}, 4, 400);
    count_team({0, 6, 0}, 1, 10);
    count_team({0, 5, 0}, 2, 50);
    count_team({vfd::NoThread, 0, 0}, 2, 50);
    vfd::Image image = recording.live_image();
    REQUIRE(image.teams().size() == 1);
    std::span<const vfd::Team> teams = image.teams()[0];
    REQUIRE(teams.size() == 2);
    CHECK((teams[0].node == 5 && teams[0].largest == 4 && teams[0].regions == 2 && teams[0].threads == 6 &&
           teams[0].ticks == 450));
    CHECK((teams[1].node == 6 && teams[1].largest == 1 && teams[1].regions == 1));
}

TEST_CASE("threads that make tasks and execute each other's", "[record][constructs]") {
    constexpr std::uint64_t Rounds = 20000;
    Recording recording;
    Thread thread;
    std::mutex lock;
    std::vector<CallInstance> made{place_of_construct(Task)};
    std::atomic<std::uint64_t> executed{0};
    auto work = [&](const void* code) {
        std::unique_lock checks(lock); // which are for one thread at a time
        Thread worker;
        checks.unlock();
        std::uint64_t attributed = 0;
        for (std::uint64_t i = 0; i < Rounds; ++i) {
            CallInstance taken;
            {
                std::lock_guard guard(lock);
                taken = made[i * 7 % made.size()];
            }
            const bool works = begin_attributed_work(taken);
            attributed += works;
            worker.enter(i % 3 ? F : G, 0x9000);
            const CallInstance place = place_of_construct(construct_key(Construct::Task, i % 2 ? code : Here), 0x8000);
            worker.leave(i % 3 ? F : G, 0x9000);
            if (works)
                end_attributed_work(taken);
            std::lock_guard guard(lock);
            if (made.size() < 4096)
                made.push_back(place);
        }
        executed += attributed;
        checks.lock();
        CHECK(worker.calls(F) + worker.calls(G) == Rounds);
        CHECK(worker.node_count() < 400);
        check_times(worker);
    };
    std::thread first([&] { work(There); }), second([&] { work(&recorder); });
    first.join();
    second.join();
    CHECK(executed == 2 * Rounds);
}
