// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include "base/clock.hpp"
#include "record/entries/constructs.hpp"
#include "record/timing/off_cpu.hpp"
#include "record/timing/one_time_work.hpp"
#include "record/timing/one_time_work_scope.hpp"

#include <string>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using vfd::Construct;
using vfd::NodeKind;

namespace {

constexpr std::uint64_t F = 0x10, G = 0x20;
constexpr std::uint64_t Slow = 1 << 20; // ticks
constexpr int Often = 1000;

const void* text_at(int place) {
    return reinterpret_cast<const void*>(0x100000 + 16 * static_cast<std::uintptr_t>(place));
}

void take(std::uint64_t ticks) {
    for (const std::uint64_t begin = base::read_ticks(); base::read_ticks() - begin < ticks;)
        ;
}

// What the recorder charged as its own work, or as time without a core, while F ran; F's time is the rest of what
// passed.
template <typename Work>
std::uint64_t charged_to_function(Thread& thread, Work work) {
    const vfd::ThreadRecord& record = *thread.state().record;
    const auto charged = [&record] { return record.one_time_work + record.preempted; };
    const auto look_for_preemptions = [] {
        const HeldGuard held;
        charge_off_cpu_here();
    };
    thread.enter(F, 0x9000);
    const std::uint64_t time = thread.node(1).inclusive, first = charged() + record.sampling,
                        begin = base::read_ticks();
    look_for_preemptions(); // what is found later was after `begin`
    const std::uint64_t before = charged();
    work();
    look_for_preemptions();
    const std::uint64_t within = charged() - before, passed = base::read_ticks() - begin;
    thread.leave(F, 0x9000);
    CHECK(within <= passed);
    CHECK(thread.node(1).inclusive - time + charged() + record.sampling - first + Slow >= passed);
    CHECK(record.unmatched == 0);
    return within;
}

void check_times(Thread& thread) {
    thread.end_and_add_up();
    for (std::uint32_t id = 0; id < thread.node_count(); ++id)
        CHECK(thread.node(id).exclusive <= thread.lifetime());
}

} // namespace

TEST_CASE("to give a region's name its key is no time of the function that begins the region",
          "[record][one_time_work]") {
    Recording recording;
    Thread thread;
    const auto intern_all = [] {
        for (int i = 0; i < Often; ++i)
            intern(std::to_string(i).c_str(), NodeKind::Region);
    };
    CHECK(charged_to_function(thread, intern_all) > Often * 4);
    const std::uint64_t booked = thread.state().record->one_time_work;
    charged_to_function(thread, intern_all); // they are known
    CHECK(thread.state().record->one_time_work == booked);
    check_times(thread);
}

TEST_CASE("to make a path for a task, or for a wait that is over, is no time of the function around it",
          "[record][one_time_work]") {
    Recording recording;
    Thread thread;
    const vfd::ThreadRecord& record = *thread.state().record;
    const auto make_tasks = [] {
        for (int i = 0; i < Often; ++i)
            place_of_construct(construct_key(Construct::Task, text_at(i)), 0x8800);
    };
    CHECK(charged_to_function(thread, make_tasks) > 0);
    const auto wait_for_locks = [] {
        for (int i = 0; i < Often; ++i) {
            const std::uint64_t since = base::read_ticks(), key = construct_key(Construct::Lock, text_at(i)),
                                now = base::read_ticks();
            CHECK(enter_construct(key, since, 0x8800));
            CHECK(leave_construct(key, now) == Left::Matched);
        }
    };
    CHECK(charged_to_function(thread, wait_for_locks) > 0);
    const std::uint64_t booked = record.one_time_work;
    charged_to_function(thread, make_tasks);
    charged_to_function(thread, wait_for_locks);
    CHECK(record.one_time_work == booked);
    check_times(thread);
}

TEST_CASE("work of ours within work of ours is booked once, and none is where the program was recorded meanwhile",
          "[record][one_time_work]") {
    Recording recording;
    Thread thread;
    const vfd::ThreadRecord& record = *thread.state().record;
    const std::uint64_t booked = charged_to_function(thread, [] {
        const OneTimeWork outer;
        take(Slow);
        {
            const OneTimeWork inner;
            take(Slow);
        }
        intern("a", NodeKind::Region);
    });
    CHECK(booked >= 2 * Slow);
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    thread.leave(G, 0x8000);
    const std::uint64_t before = record.one_time_work;
    {
        const OneTimeWork work;
        take(Slow);
        thread.enter(G, 0x8000);
        thread.leave(G, 0x8000);
    }
    CHECK(record.one_time_work == before);
    thread.leave(F, 0x9000);
    {
        const HeldGuard guard; // of a hook that this has interrupted
        const OneTimeWork work;
        take(Slow);
    }
    CHECK(record.one_time_work == before);
    check_times(thread);
}
