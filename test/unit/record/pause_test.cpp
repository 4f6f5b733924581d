// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {

constexpr std::uint64_t F = 0x10, G = 0x20;
constexpr std::uint64_t Long = 20'000'000; // ns: beyond what scheduling does to the short rest of a test

void pause_now() {
    pause_all();
    pause_here();
}
void resume_now() {
    resume_all();
    resume_here();
}

// A leave hook that finds the guard Paused.
void leave_while_paused(Thread& thread, std::uint64_t function, std::uint64_t stack_pointer, bool jumped = false) {
    REQUIRE(prepare(Wanted::Leave, stack_pointer) == nullptr);
    leave_paused(thread.state(), function, stack_pointer, jumped);
}

} // namespace

TEST_CASE("paused time belongs to vftrace_pause and to no function", "[record][pause]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    pause_now();
    CHECK(thread.state().guard == GuardPaused);
    CHECK(prepare(Wanted::Enter, 0x8000) == nullptr);
    spend_time(Long);
    resume_now();
    CHECK(thread.state().guard == GuardReady);
    thread.leave(F, 0x9000);
    CHECK(thread.calls(recorder.pause_key) == 1);
    CHECK(thread.sum_of_exclusive(recorder.pause_key) >= Long);
    CHECK(thread.node(1).inclusive >= Long);
    CHECK(thread.node(1).exclusive == thread.node(1).inclusive - thread.sum_of_exclusive(recorder.pause_key));
    thread.end_and_add_up();
}

TEST_CASE("functions that leave while paused are off the stack afterwards", "[record][pause]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    pause_now();
    spend_time(Long);
    leave_while_paused(thread, G, 0x8000);
    CHECK(thread.open_keys() == Keys{F});
    CHECK(thread.state().guard == GuardPaused);
    spend_time(Long);
    resume_now();
    CHECK(thread.sum_of_exclusive(recorder.pause_key) >= 2 * Long);
    CHECK(thread.sum_of_exclusive(G) < Long);
    thread.leave(F, 0x9000);
    CHECK(thread.sum_of_exclusive(F) < Long);
    CHECK(thread.state().record->unmatched == 0);
    thread.end_and_add_up();
}

TEST_CASE("a call that was not seen while paused takes no other's place when it leaves", "[record][pause]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    pause_now();
    leave_while_paused(thread, F, 0x8000); // F called itself in the pause
    leave_while_paused(thread, G, 0x8000);
    leave_while_paused(thread, F, 0x8f00, true); // the same, by a jump
    CHECK(thread.open_keys() == Keys{F});
    leave_while_paused(thread, F, 0x9100, true);
    CHECK(thread.depth() == 0);
    resume_now();
}

TEST_CASE("a jump out of functions while paused is repaired by the leave below", "[record][pause]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    pause_now();
    leave_while_paused(thread, F, 0x9000);
    CHECK(thread.depth() == 0);
    CHECK(thread.state().record->vanished == 1);
    resume_now();
    thread.end_and_add_up();
}

TEST_CASE("a region ends while paused", "[record][pause]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    std::uint64_t region = intern("r", vfd::NodeKind::Region);
    enter_named(region, vfd::NodeKind::Region, 0x9000);
    pause_now();
    CHECK(leave_named(region) == Left::Ignored);
    CHECK(thread.open_keys() == Keys{F});
    CHECK_FALSE(enter_named(region, vfd::NodeKind::Region, 0x9000));
    resume_now();
    CHECK(thread.open_keys() == Keys{F});
}

TEST_CASE("a pause that another thread asks for holds from the next event on", "[record][pause]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    std::thread([] { pause_all(); }).join();
    CHECK(thread.state().guard == GuardReady);
    thread.enter(G, 0x8000);
    CHECK(thread.state().guard == GuardPaused);
    std::thread([] { resume_all(); }).join();
    CHECK(prepare(Wanted::Enter, 0x7000) != nullptr);
    CHECK(thread.state().guard == GuardReady);
    thread.leave(G, 0x8000);
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
}

TEST_CASE("a thread that ends while paused spent the pause in no function", "[record][pause]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    pause_now();
    spend_time(Long);
    thread.end();
    CHECK(thread.sum_of_exclusive(F) < Long);
    CHECK(thread.sum_of_exclusive(recorder.pause_key) >= Long);
    CHECK(thread.sum_of_exclusive() == thread.lifetime());
}

TEST_CASE("a pause that still holds can be booked", "[record][pause]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    pause_now();
    spend_time(Long);
    {
        HeldGuard guard;
        charge_pause_here();
    }
    CHECK(thread.state().guard == GuardPaused);
    CHECK(thread.sum_of_exclusive(recorder.pause_key) >= Long);
    CHECK(thread.state().top->child >= Long);
}

TEST_CASE("frames that vanish in a pause leave the event stream by name", "[record][pause]") {
    Settings settings;
    settings.sampling = settings.all_events = true;
    Recording recording(settings);
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    pause_now();
    leave_while_paused(thread, F, 0x9000);
    resume_now();
    vfd::Image image = recording.live_image();
    Keys left;
    image.threads()[0].for_each_event(image.header().flags, [&](const vfd::Event& event) {
        if (event.kind == vfd::Event::Kind::Leave)
            left.push_back(image.threads()[0].node(event.node).key);
    });
    CHECK(left == Keys{G, F, recorder.pause_key});
}
