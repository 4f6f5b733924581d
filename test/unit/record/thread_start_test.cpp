// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include "record/threads/thread_start.hpp"

#include <pthread.h>
#include <set>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {

void enter_function(std::uint64_t function) { __cyg_profile_func_enter(reinterpret_cast<void*>(function), nullptr); }
void leave_function(std::uint64_t function) { __cyg_profile_func_exit(reinterpret_cast<void*>(function), nullptr); }

void* record_a_call(void* result) {
    enter_function(0x2000);
    leave_function(0x2000);
    return result;
}
void* record_nothing(void* result) { return result; }

void* begin_as_told(void* thread_start) {
    EnteredThread entered = enter_thread(static_cast<ThreadStart*>(thread_start));
    return entered.start(entered.argument);
}

void run_thread(ThreadStart* thread_start) {
    pthread_t thread;
    REQUIRE(thread_start);
    REQUIRE(pthread_create(&thread, nullptr, begin_as_told, thread_start) == 0);
    void* result = nullptr;
    pthread_join(thread, &result);
    CHECK(result == &recorder);
}

void run_thread(StartRoutine start) {
    run_thread(create_thread_start(reinterpret_cast<void*>(start), start, &recorder));
}

} // namespace

TEST_CASE("a thread knows who created it, on which path, when and for what", "[record][threads]") {
    know_thread_ends();
    Recording recording;
    enter_function(0x1000);
    std::uint64_t before = base::read_ticks();
    run_thread(record_a_call);
    leave_function(0x1000);
    vfd::Image image = recording.live_image();
    REQUIRE(image.threads().size() == 2);
    const vfd::ThreadOrigin& first = image.threads()[0].record->origin;
    CHECK(first.thread == vfd::NoThread);
    CHECK(first.created == 0);
    const vfd::ThreadRecord& created = *image.threads()[1].record;
    CHECK(created.origin.thread == 0);
    CHECK(image.threads()[0].node(created.origin.node).key == 0x1000);
    CHECK(created.origin.function == reinterpret_cast<std::uint64_t>(record_a_call));
    CHECK(created.origin.created >= before);
    CHECK(created.origin.created <= created.begin);
}

TEST_CASE("of a thread that one without a record created, the path known is that of the latter's creator",
          "[record][threads]") {
    know_thread_ends();
    Recording recording;
    enter_function(0x1000);
    run_thread([](void* result) -> void* {
        run_thread(record_a_call);
        return result;
    });
    leave_function(0x1000);
    vfd::Image image = recording.live_image();
    REQUIRE(image.threads().size() == 2);
    CHECK(image.threads()[1].record->origin.thread == 0);
    CHECK(image.threads()[1].record->origin.node == 1);
    CHECK(image.threads()[1].record->origin.function == reinterpret_cast<std::uint64_t>(record_a_call));
}

TEST_CASE("a thread whose creator has never been seen is known by its function", "[record][threads]") {
    know_thread_ends();
    Recording recording;
    run_thread(record_a_call);
    vfd::Image image = recording.live_image();
    REQUIRE(image.threads().size() == 1);
    CHECK(image.threads()[0].record->origin.thread == vfd::NoThread);
    CHECK(image.threads()[0].record->origin.function == reinterpret_cast<std::uint64_t>(record_a_call));
}

TEST_CASE("what is kept for new threads is used again, whether they record, record nothing or do not come to be",
          "[record][threads]") {
    know_thread_ends();
    Recording recording;
    std::set<ThreadStart*> seen;
    for (int i = 0; i < 1000; ++i) {
        ThreadStart* thread_start = create_thread_start(nullptr, i % 2 ? record_a_call : record_nothing, &recorder);
        seen.insert(thread_start);
        if (i % 3)
            run_thread(thread_start);
        else
            cancel_thread_start(thread_start);
    }
    CHECK(seen.size() <= 2);
}
