// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include "record/hot/frames.hpp"
#include "record/timing/one_time_work.hpp"

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using vfd::NodeKind;

namespace {
constexpr std::uint64_t F = 0x10, G = 0x20;

struct Regions {
    std::uint64_t a = intern("a", NodeKind::Region), b = intern("b", NodeKind::Region);
};
} // namespace

TEST_CASE("the same name and kind have one key", "[record][regions]") {
    Recording recording;
    Thread thread;
    std::uint64_t key = intern("a", NodeKind::Region);
    CHECK((key & vfd::NamedKey) != 0);
    CHECK(intern("a", NodeKind::Region) == key);
    CHECK(intern("a", NodeKind::Mpi) != key);
    CHECK(intern("b", NodeKind::Region) != key);
    CHECK(thread.state().guard == GuardReady);
}

TEST_CASE("a region's function is alive when the region begins", "[record][regions]") {
    Recording recording;
    Thread thread;
    Regions r;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);                           // left by a jump
    CHECK(enter_named(r.a, NodeKind::Region, 0x9000)); // F calls at its own stack pointer
    CHECK(enter_named(r.b, NodeKind::Region, 0x9000));
    CHECK(thread.open_keys() == Keys{F, r.a, r.b});
    CHECK(thread.state().record->vanished == 1);
    CHECK(leave_named(r.b) == Left::Matched);
    CHECK(leave_named(r.a) == Left::Matched);
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
}

TEST_CASE("a region that its function leaves open moves to the caller", "[record][regions]") {
    Settings settings;
    settings.cuts_preemptions_out = false; // a preemption may be longer than the regions
    Recording recording(settings);
    Thread thread;
    Regions r;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    enter_named(r.a, NodeKind::Region, 0x8000);
    enter_named(r.b, NodeKind::Region, 0x8000);
    thread.leave(G, 0x8000);
    CHECK(thread.open_keys() == Keys{F, r.a, r.b});
    CHECK(thread.calls(r.a) == 1);
    CHECK(thread.calls(r.b) == 1);
    CHECK(thread.state().guard == GuardReady);
    const ThreadState& state = thread.state();
    for (std::uint32_t id = 0; id < state.record->node_count; ++id) {
        const vfd::Node& node = state.nodes[id]; // nothing stays behind under G
        if (node.kind == NodeKind::Region && node.calls == 0)
            CHECK(node.exclusive + node.inclusive + node.open == 0);
    }
    CHECK(state.top[-1].enter <= state.top->enter);
    // It began before G left; what is cut out while the regions move on moves that as well.
    CHECK(state.top[-1].enter < state.record->last + cut_out_so_far(state));
    CHECK(leave_named(r.b) == Left::Matched);
    CHECK(leave_named(r.a) == Left::Matched);
    thread.leave(F, 0x9000);
    CHECK(thread.state().record->vanished == 0);
    thread.end_and_add_up();
}

// Issue: a region that began later than the one around it moved less than that, as its own time was shorter than what
// was cut out
TEST_CASE("regions that move on stay within each other, however long that takes", "[record][regions]") {
    Settings settings;
    settings.cuts_preemptions_out = false;
    Recording recording(settings);
    Thread thread;
    Regions r;
    ThreadState& state = thread.state();
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    enter_named(r.a, NodeKind::Region, 0x8000);
    enter_named(r.b, NodeKind::Region, 0x8000);
    // As if both had just begun: less than the first calls of the regions' new paths take.
    const std::uint64_t now = base::read_ticks();
    state.top[-1].enter = now - 2;
    state.top->enter = now - 1;
    SECTION("of a function with time of its own") {}
    SECTION("of a function that had just called the one that leaves") {
        state.top[-2].enter = now - 3 - state.top[-2].child;
        state.top[-3].enter = state.top[-2].enter - state.top[-3].child;
    }
    hold_guard(state, 0x8000);
    leave_inner_frame(state, G, 0x8000, false, now);
    release_guard(state);
    CHECK(thread.open_keys() == Keys{F, r.a, r.b});
    CHECK(cut_out_so_far(state) > 2);
    CHECK(state.top[-1].enter <= state.top->enter);
    CHECK(state.top[-2].enter + state.top[-2].child <= state.top[-1].enter); // F has no less than no time of its own
    CHECK(leave_named(r.b) == Left::Matched);
    CHECK(leave_named(r.a) == Left::Matched);
    thread.leave(F, 0x9000);
    for (std::uint32_t id = 0; id < thread.node_count(); ++id)
        CHECK(thread.node(id).inclusive >= thread.node(id).exclusive);
    thread.end_and_add_up();
}

TEST_CASE("crossed regions are told apart by name", "[record][regions]") {
    Recording recording;
    Thread thread;
    Regions r;
    thread.enter(F, 0x9000);
    enter_named(r.a, NodeKind::Region, 0x9000);
    spend_time();
    enter_named(r.b, NodeKind::Region, 0x9000);
    spend_time();
    CHECK(leave_named(r.a) == Left::Crossed);
    CHECK(thread.open_keys() == Keys{F, r.b});
    spend_time();
    CHECK(leave_named(r.b) == Left::Matched);
    CHECK(leave_named(r.b) == Left::NotOpen);
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
    thread.end_and_add_up();
    for (std::uint32_t id = 0; id < thread.node_count(); ++id)
        CHECK(thread.node(id).inclusive >= thread.node(id).exclusive);
}

TEST_CASE("a region that ends in a callee leaves the callee open", "[record][regions]") {
    Recording recording;
    Thread thread;
    Regions r;
    thread.enter(F, 0x9000);
    enter_named(r.a, NodeKind::Region, 0x9000);
    thread.enter(G, 0x8000);
    CHECK(leave_named(r.a) == Left::Matched); // a function in between is no crossing
    CHECK(thread.open_keys() == Keys{F, G});
    thread.leave(G, 0x8000);
    thread.leave(F, 0x9000);
    CHECK(thread.depth() == 0);
}

TEST_CASE("a new name is not made inside a hook, a known one is found there", "[record][regions]") {
    Recording recording;
    Thread thread;
    Regions r;
    hold_guard(thread.state(), 0x9000); // a signal handler interrupts a hook
    CHECK(intern("a", NodeKind::Region) == r.a);
    CHECK(intern("new", NodeKind::Region) == 0);
    release_guard(thread.state());
    CHECK(intern("new", NodeKind::Region) != 0);
}
