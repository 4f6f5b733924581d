// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"
#include "record/entries/message_totals.hpp"
#include "record/stream/events.hpp"
#include "record/threads/thread_lifetime.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sys/resource.h>
#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using vfd::Direction;
using vfd::Span;

namespace {

constexpr std::uint64_t F = 0x10;

// Of all threads, as a reader of the live memory sees them.
std::vector<vfd::Traffic> traffic(const Recording& recording) {
    std::vector<vfd::Traffic> all;
    vfd::Image image = recording.live_image();
    for (std::span<const vfd::Traffic> part : image.traffic())
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::vector<std::uint32_t> members(const vfd::Image& image, std::uint32_t group) {
    std::vector<std::uint32_t> ranks;
    REQUIRE(image.group(group));
    image.group(group)->for_each_rank([&](std::uint32_t rank) { ranks.push_back(rank); });
    return ranks;
}

// No memory from the kernel for the life of this.
class NoMemory {
public:
    NoMemory() {
        getrlimit(RLIMIT_AS, &before_);
        rlimit limit{1, before_.rlim_max};
        setrlimit(RLIMIT_AS, &limit);
    }
    ~NoMemory() { setrlimit(RLIMIT_AS, &before_); }

private:
    rlimit before_{};
};

Transfer to_rank(std::uint32_t target, std::uint64_t bytes, Direction direction = Direction::Send) {
    CallInstance place = innermost_call();
    return {place, place.enter + 7, target, direction, Span::Rank, 5, 0, bytes};
}

} // namespace

TEST_CASE("messages of one path, target, direction and span are one record", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    for (unsigned i = 0; i < 1000; ++i) {
        record_transfer(to_rank(i % 3, 10));
        record_transfer(to_rank(i % 3, 1, Direction::Receive));
    }
    Transfer group = to_rank(1, 5);
    group.span = Span::Others;
    record_transfer(group);
    thread.enter(F + 1, 0x8000);
    record_transfer(to_rank(0, 3));
    std::vector<vfd::Traffic> all = traffic(recording);
    REQUIRE(all.size() == 8);
    CHECK((all[0].node == 1 && all[0].target == 0 && all[0].direction == Direction::Send && all[0].span == Span::Rank));
    CHECK((all[0].transfers == 334 && all[0].bytes == 3340 && all[0].ticks == 334 * 7));
    CHECK((all[1].direction == Direction::Receive && all[1].bytes == 334));
    CHECK((all[6].span == Span::Others && all[6].transfers == 1 && all[6].bytes == 5));
    CHECK((all[7].node == 2 && all[7].transfers == 1));
}

TEST_CASE("a table of very many targets keeps every sum", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    constexpr std::uint32_t Targets = 50000;
    for (int round = 0; round < 2; ++round)
        for (std::uint32_t target = 0; target < Targets; ++target)
            record_transfer(to_rank(target, target));
    std::vector<vfd::Traffic> all = traffic(recording);
    REQUIRE(all.size() == Targets);
    CHECK(recording.live_image().traffic().size() < 16);
    std::uint64_t wrong = 0;
    for (std::uint32_t target = 0; target < Targets; ++target)
        wrong += all[target].target != target || all[target].transfers != 2 ||
                 all[target].bytes != 2 * std::uint64_t{target};
    CHECK(wrong == 0);
}

TEST_CASE("a message that another thread began belongs to that thread's path", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    Transfer begun = to_rank(3, 8);
    std::thread([&] {
        Thread other;
        other.enter(F + 1, 0x9000);
        record_transfer(begun);
        close_current_thread();
    }).join();
    std::vector<vfd::Traffic> all = traffic(recording);
    REQUIRE(all.size() == 1);
    CHECK((all[0].thread == begun.place.thread && all[0].node == begun.place.node));
}

TEST_CASE("four threads record messages, groups and types at the same time", "[record][messages]") {
    constexpr std::uint32_t Threads = 4, Rounds = 2000, Targets = 50, Groups = 8;
    Settings settings;
    settings.sampling = true;
    settings.sample_interval = 3600;
    Recording recording(settings);
    std::array<std::atomic<const Transfer*>, Threads> handed{};
    std::array<std::array<std::uint32_t, Groups>, Threads> groups{}, types{};
    std::barrier together(Threads);
    std::mutex beginning;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < Threads; ++t)
        threads.emplace_back([&, t] {
            std::unique_lock one_by_one(beginning); // Catch is not made for threads
            Thread thread;
            one_by_one.unlock();
            thread.enter(F, 0x9000);
            const Transfer mine = to_rank(Targets, 100);
            handed[t] = &mine;
            for (std::uint32_t round = 0; round < Rounds; ++round) {
                record_transfer(to_rank(round % Targets, 8));
                const std::array ranks{round % Groups, round % Groups + 1};
                groups[t][round % Groups] = intern_group(ranks);
                types[t][round % Groups] = intern_type("type", round % Groups);
            }
            together.arrive_and_wait();
            record_transfer(*handed[(t + 1) % Threads]);
            together.arrive_and_wait();
            close_current_thread();
        });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(std::count(groups.begin(), groups.end(), groups[0]) == Threads);
    CHECK(std::count(types.begin(), types.end(), types[0]) == Threads);
    std::uint64_t transfers = 0, bytes = 0, events = 0, handed_over = 0;
    for (const vfd::Traffic& one : traffic(recording)) {
        transfers += one.transfers;
        bytes += one.bytes;
        handed_over += one.target == Targets;
    }
    CHECK(transfers == Threads * (Rounds + 1));
    CHECK(bytes == Threads * (Rounds * 8 + 100));
    CHECK(handed_over == Threads);
    const vfd::Image image = vfd::Image::open(recording.path());
    for (const vfd::ThreadView& thread : image.threads())
        thread.for_each_event(image.header().flags,
                              [&](const vfd::Event& e) { events += e.kind == vfd::Event::Kind::Message; });
    CHECK(events == transfers);
}

TEST_CASE("a send is counted when it begins, and its time when it ends", "[record][messages]") {
    Settings settings;
    settings.sampling = settings.all_events = true;
    Recording recording(settings);
    Thread thread;
    thread.enter(F, 0x9000);
    Transfer send = to_rank(3, 10); // the call that begins it takes 7 ticks
    const std::uint64_t begin = send.place.enter;
    auto record = [&send](Stage stage, std::uint64_t end) {
        send.stage = stage;
        send.end = end;
        record_transfer(send);
    };
    auto sum = [&recording] {
        std::vector<vfd::Traffic> all = traffic(recording);
        REQUIRE(all.size() == 1);
        return all[0];
    };
    auto messages = [&recording] {
        std::vector<vfd::Event> events;
        const vfd::Image image = vfd::Image::open(recording.path());
        CHECK(image.threads()[0].for_each_event(image.header().flags, [&](const vfd::Event& e) {
            if (e.kind == vfd::Event::Kind::Message)
                events.push_back(e);
        }));
        return events;
    };
    send.counted_to = begin + 7;
    record(Stage::Begun, begin + 7);
    CHECK((sum().transfers == 1 && sum().bytes == 10 && sum().ticks == 7));
    CHECK(messages().empty());
    record(Stage::Ended, begin + 1000);
    CHECK((sum().transfers == 1 && sum().bytes == 10 && sum().ticks == 1000));
    CHECK((messages().size() == 1 && messages()[0].late == 0));
    record(Stage::Begun, begin + 7);
    record(Stage::Withdrawn, begin + 7);
    CHECK((sum().transfers == 1 && sum().bytes == 10 && sum().ticks == 1000));
    CHECK(messages().size() == 1);
    record(Stage::Begun, begin + 7);
    const std::uint64_t before = base::read_ticks();
    record(Stage::Unseen, begin + 7);
    CHECK((sum().transfers == 2 && sum().bytes == 20 && sum().ticks == 1007));
    REQUIRE(messages().size() == 2);
    const vfd::Event unseen = messages()[1];
    const std::uint64_t unit = std::uint64_t{1} << unit_bits();
    CHECK(unseen.ticks + unit > before); // the stream goes on
    CHECK((unseen.ticks - unseen.late < begin + 7 + unit && unseen.ticks - unseen.late + unit > begin + 7));
    CHECK((unseen.bytes == 10 && unseen.target == 3 && unseen.tag == 5));
}

TEST_CASE("a send that another thread ends or cancels is counted once", "[record][messages]") {
    Recording recording;
    Thread first;
    first.enter(F, 0x9000);
    Transfer send = to_rank(3, 10), cancelled = to_rank(3, 5);
    send.counted_to = cancelled.counted_to = send.end;
    send.stage = cancelled.stage = Stage::Begun;
    record_transfer(send);
    record_transfer(cancelled);
    std::thread other([&] {
        Thread second;
        second.enter(F, 0x9000);
        send.stage = Stage::Ended;
        send.end += 100;
        record_transfer(send);
        cancelled.stage = Stage::Withdrawn;
        record_transfer(cancelled);
    });
    other.join();
    vfd::Traffic all{};
    for (const vfd::Traffic& one : traffic(recording)) {
        all.transfers += one.transfers;
        all.bytes += one.bytes;
        all.ticks += one.ticks;
    }
    CHECK((all.transfers == 1 && all.bytes == 10 && all.ticks == 107));
}

TEST_CASE("messages are not recorded while off or paused, or inside a hook", "[record][messages]") {
    Recording recording;
    Transfer transfer{{0, 1, 1}, 2, 0, Direction::Send, Span::Rank, 0, 0, 1};
    record_transfer(transfer);
    CHECK(intern_type("X", 1) == 0);
    Thread thread;
    thread.enter(F, 0x9000);
    pause_all();
    pause_here();
    record_transfer(transfer);
    resume_all();
    resume_here();
    hold_guard(thread.state(), 0x8000);
    record_transfer(transfer);
    release_guard(thread.state());
    CHECK(traffic(recording).empty());
    record_transfer(transfer);
    CHECK(traffic(recording).size() == 1);
}

TEST_CASE("a message keeps errno and leaves the guard released", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    errno = 42;
    record_transfer(to_rank(1, 1));
    const std::uint32_t ranks[] = {0, 1};
    intern_group(ranks);
    CHECK(errno == 42);
    CHECK(thread.state().guard == GuardReady);
}

TEST_CASE("equal groups have one id, other groups another", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    std::vector<std::uint32_t> world(100000), reverse(1000), scattered;
    for (std::uint32_t i = 0; i < world.size(); ++i)
        world[i] = i;
    for (std::uint32_t i = 0; i < reverse.size(); ++i)
        reverse[i] = 999 - i;
    for (std::uint32_t i = 0; i < 5000; ++i)
        scattered.push_back(i * i % 8191);
    const std::vector<std::uint32_t> mixed{
        7, 1, 2, 3, vfd::ForeignRank - 1, vfd::ForeignRank, vfd::ForeignRank + 1, 0, vfd::ForeignRank};
    std::uint32_t a = intern_group(world), b = intern_group(reverse), c = intern_group(scattered),
                  none = intern_group({}), d = intern_group(mixed);
    std::map<std::uint32_t, int> ids{{a, 0}, {b, 0}, {c, 0}, {none, 0}, {d, 0}};
    CHECK(ids.size() == 5);
    vfd::Image image = vfd::Image::open(recording.path());
    CHECK(members(image, a) == world);
    CHECK(image.group(a)->runs.size() == 1);
    CHECK(members(image, b) == reverse);
    CHECK(image.group(b)->runs.size() == 1);
    CHECK(members(image, c) == scattered);
    CHECK(members(image, none).empty());
    CHECK(members(image, d) == mixed);
    CHECK(ids.count(0) == 0);
    CHECK(intern_group(world) == a);
    CHECK(intern_group(reverse) == b);
    CHECK(intern_group(scattered) == c);
    CHECK(intern_group({}) == none);
    world.pop_back();
    CHECK(ids.count(intern_group(world)) == 0);
}

TEST_CASE("equal types have one id, another size or name another", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    std::uint32_t id = intern_type("MPI_INT", 4);
    CHECK(id != 0);
    CHECK(intern_type("MPI_INT", 4) == id);
    CHECK(intern_type("MPI_INT", 8) != id);
    CHECK(intern_type("", 4) != id);
    std::map<std::uint32_t, int> ids;
    for (int i = 0; i < 3000; ++i)
        ids[intern_type("type " + std::to_string(i), 1)] = i;
    CHECK(ids.size() == 3000);
    CHECK(intern_type("type 77", 1) == intern_type("type 77", 1));
    vfd::Image image = vfd::Image::open(recording.path());
    CHECK(image.types().size() == 3003);
    CHECK(image.type(id)->name == "MPI_INT");
    CHECK(image.type(id)->size == 4);
    CHECK(image.type(intern_type("", 4))->name.empty());
}

TEST_CASE("a forked child's ids never mean a record of its parent", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    std::uint32_t before = intern_type("MPI_INT", 4);
    recorder.types.create(&recorder.writer, vfd::SegmentKind::Types); // as a forked child does
    CHECK(intern_type("MPI_INT", 4) > before);
}

TEST_CASE("the event stream has every message and collective call", "[record][messages]") {
    Settings settings;
    settings.sampling = true;
    settings.sample_interval = 3600;
    Recording recording(settings);
    Thread thread;
    thread.enter(F, 0x9000);
    CHECK(messages_are_streamed());
    std::uint64_t begin = innermost_call().enter;
    Transfer first{innermost_call(), begin + 100, 3, Direction::Send, Span::Rank, 77, 5, 1000};
    record_transfer(first);
    Transfer second{{99, 1234, begin - 5}, begin + 110, vfd::ForeignRank | 2, Direction::Get, Span::Others, -1, 0,
                    std::uint64_t{1} << 40};
    record_transfer(second);
    record_collective(innermost_call(), begin + 120, 4, -1, 0);
    record_collective(innermost_call(), begin + 130, 4, 0, 0);
    Transfer third = first;
    third.communicator = ~0u;
    record_transfer(third);
    record_collective(innermost_call(), begin + 140, 4, 0, 300);
    record_probe({innermost_call(), begin + 150, 6, 200, 78, 2000, true});
    vfd::Image image = vfd::Image::open(recording.path());
    std::vector<vfd::Event> events;
    REQUIRE(image.threads()[0].for_each_event(image.header().flags, [&](const vfd::Event& e) { events.push_back(e); }));
    REQUIRE(events.size() == 7);
    const vfd::Event &a = events[0], &b = events[1], &c = events[2];
    auto about = [](std::uint64_t ticks, std::uint64_t wanted) { // times in the stream are cut to its unit
        const std::uint64_t unit = std::uint64_t{1} << unit_bits();
        return ticks + unit > wanted && ticks < wanted + unit;
    };
    CHECK((a.kind == vfd::Event::Kind::Message && about(a.ticks, begin + 100) && about(a.duration, 100) &&
           a.thread == 0 && a.node == 1));
    CHECK((a.target == 3 && a.direction == Direction::Send && a.span == Span::Rank && a.tag == 77 && a.type == 5 &&
           a.bytes == 1000));
    CHECK((about(b.ticks, begin + 110) && about(b.duration, 115) && b.thread == 99 && b.node == 1234 &&
           b.target == second.target));
    CHECK((b.direction == Direction::Get && b.span == Span::Others && b.tag == -1 && b.type == 0 &&
           b.bytes == second.bytes));
    CHECK((c.kind == vfd::Event::Kind::Collective && about(c.ticks, begin + 120) && about(c.duration, 120) &&
           c.target == 4 && c.root == -1));
    CHECK((events[3].root == 0 && events[3].communicator == 0));
    CHECK((a.communicator == 0 && events[4].communicator == ~0u && events[4].bytes == 1000));
    CHECK((events[5].kind == vfd::Event::Kind::Collective && events[5].communicator == 300 && events[5].root == 0));
    const vfd::Event& probe = events[6];
    CHECK((probe.kind == vfd::Event::Kind::Probe && about(probe.ticks, begin + 150) && about(probe.duration, 150)));
    CHECK((probe.target == 6 && probe.communicator == 200 && probe.tag == 78 && probe.bytes == 2000 && probe.takes));
}

TEST_CASE("messages fill segment after segment of the event stream", "[record][messages]") {
    Settings settings;
    settings.sampling = settings.all_events = true;
    Recording recording(settings);
    Thread thread;
    constexpr unsigned Count = 20000;
    for (unsigned i = 0; i < Count; ++i) {
        thread.enter(F, 0x9000);
        record_transfer(to_rank(i, ~std::uint64_t{0} - i));
        thread.leave(F, 0x9000);
    }
    vfd::Image image = vfd::Image::open(recording.path());
    unsigned messages = 0, others = 0, wrong = 0;
    CHECK(image.threads()[0].for_each_event(image.header().flags, [&](const vfd::Event& e) {
        bool message = e.kind == vfd::Event::Kind::Message;
        wrong += message && (e.target != messages || e.bytes != ~std::uint64_t{0} - messages);
        messages += message;
        others += !message;
    }));
    CHECK(messages == Count);
    CHECK(others == 2 * Count);
    CHECK(wrong == 0);
    CHECK(image.threads()[0].events.size() > 2);
}

TEST_CASE("without an event stream messages are only summed", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    CHECK_FALSE(messages_are_streamed());
    record_transfer(to_rank(1, 1));
    record_collective(innermost_call(), innermost_call().enter + 1, 1, 0, 0);
    vfd::Image image = recording.live_image();
    CHECK(image.threads()[0].events.empty());
    CHECK(traffic(recording).size() == 1);
}

TEST_CASE("threads that take over a record go on with its sums", "[record][messages]") {
    static bool known = prepare_thread_ends();
    REQUIRE(known);
    Recording recording;
    constexpr unsigned Threads = 200;
    for (unsigned i = 0; i < Threads; ++i)
        std::thread([] {
            __cyg_profile_func_enter(reinterpret_cast<void*>(F), nullptr);
            record_transfer(to_rank(1, 10));
            __cyg_profile_func_exit(reinterpret_cast<void*>(F), nullptr);
        }).join();
    std::uint64_t transfers = 0;
    std::vector<vfd::Traffic> all = traffic(recording);
    for (const vfd::Traffic& record : all)
        transfers += record.transfers;
    CHECK(all.size() == 64);
    CHECK(transfers == Threads);
}

TEST_CASE("without memory messages are lost, which is told, and nothing else happens", "[record][messages]") {
    if (VFTR_THREAD_SANITIZER || std::getenv("EMULATED")) {
        WARN("not checked here: the sanitizer needs memory itself, and an emulator does not limit it");
        return;
    }
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    record_transfer(to_rank(0, 1));
    {
        NoMemory none;
        errno = 42;
        for (std::uint32_t target = 0; target < 1000; ++target)
            record_transfer(to_rank(target, 1));
    }
    CHECK(errno == 42);
    CHECK((recorder.writer.header().flags & vfd::FlagMessagesLost) != 0);
    CHECK(thread.state().guard == GuardReady);
    std::vector<vfd::Traffic> all = traffic(recording);
    REQUIRE(all.size() > 1);
    CHECK(all.size() < 1000);
    CHECK(all[0].transfers == 2);
    record_transfer(to_rank(5000, 1)); // there is memory again
    CHECK(traffic(recording).size() == all.size() + 1);
}

TEST_CASE("where the file cannot grow messages are summed in memory", "[record][messages]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit{1, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (std::uint32_t target = 0; target < 1000; ++target)
        record_transfer(to_rank(target, 1));
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(traffic(recording).size() == 1000);
    CHECK((recorder.writer.header().flags & vfd::FlagMessagesLost) == 0);
}
