// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include <cerrno>
#include <csignal>
#include <sys/time.h>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {
constexpr std::uint64_t F = 0x10;
void* const Function = reinterpret_cast<void*>(0x1230);
} // namespace

TEST_CASE("an event inside a hook is dropped and counted", "[record][guard]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    hold_guard(thread.state(), 0x9000); // a hook of F runs, a signal handler's comes
    CHECK(prepare(Wanted::Enter, 0x8000) == nullptr);
    CHECK(prepare(Wanted::Leave, 0x8000) == nullptr);
    CHECK(thread.state().record->dropped == 2);
    CHECK(thread.state().record->dropped_calls == 1);
    CHECK(thread.state().guard == 0x9000);
    CHECK(thread.depth() == 1);
}

TEST_CASE("a hook that a jump has abandoned does not keep its thread out", "[record][guard]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    hold_guard(thread.state(), 0x8000);
    CHECK(prepare(Wanted::Enter, 0x8800) == &thread.state());
    CHECK(thread.state().guard == GuardReady);
    CHECK(thread.state().record->dropped == 0);
}

TEST_CASE("after an abandoned hook the stream of events goes on in a new segment, where nothing is predicted",
          "[record][guard]") {
    Settings settings;
    settings.sampling = settings.all_events = true;
    Recording recording(settings);
    Thread thread;
    constexpr std::uint64_t G = F + 16, H = F + 32;
    auto call = [&](std::uint64_t function) {
        thread.enter(function, 0x9000);
        thread.leave(function, 0x9000);
    };
    for (std::uint64_t function : {F, G, F, G})
        call(function);
    call(F);
    thread.state().prediction->enter(
        thread.state().prediction->expected()); // as if G came, and its hook did not get further
    hold_guard(thread.state(), 0x8000);
    REQUIRE(prepare(Wanted::Enter, 0x8800) == &thread.state());
    for (std::uint64_t function : {G, H, G, H})
        call(function);
    vfd::Image image = vfd::Image::open(recording.path());
    CHECK(image.threads()[0].events.size() == 2);
    std::vector<std::uint64_t> entered;
    image.threads()[0].for_each_event(image.header().flags, [&](const vfd::Event& event) {
        if (event.kind == vfd::Event::Kind::Enter)
            entered.push_back(image.threads()[0].node(event.node).key);
    });
    CHECK(entered == std::vector<std::uint64_t>{F, G, F, G, F, G, H, G, H});
}

TEST_CASE("a hook that was abandoned between count and frame leaves times right", "[record][guard]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    std::uint32_t id = thread.state().top->node;
    vfd::Node& node = thread.state().nodes[id];
    SECTION("of a call that begins") {
        thread.leave(F, 0x9000);
        REQUIRE(thread.state().top[1].node == id);
        ++node.open;
    }
    SECTION("of a call that ends") { --node.open; }
    hold_guard(thread.state(), 0x8000);
    REQUIRE(prepare(Wanted::Enter, 0x8800) == &thread.state());
    if (thread.depth() == 1)
        thread.leave(F, 0x9000);
    CHECK(node.open == 0);
    std::uint64_t before = node.inclusive;
    thread.enter(F, 0x9000);
    thread.leave(F, 0x9000);
    CHECK(node.open == 0);
    CHECK(node.inclusive > before);
}

// Issue: siglongjmp out of hooks, of those too that have just noticed that another fiber runs: one path, one row.
TEST_CASE("a path whose pair an abandoned hook has lost keeps its node", "[record][guard]") {
    Recording recording;
    Thread thread;
    constexpr std::uint64_t G = F + 16, H = F + 32;
    ThreadState& state = thread.state();
    auto call = [&](std::uint64_t function) {
        thread.enter(function, 0x9000);
        const std::uint32_t id = state.top->node;
        thread.leave(function, 0x9000);
        return id;
    };
    const std::uint32_t f = call(F), g = call(G);
    const auto is_f = [f](std::uint32_t id) { return id == f; };
    state.children.forget(state.nodes, is_f, [](std::uint32_t) {}); // as if it stopped within an exchange of pairs
    hold_guard(state, 0x8000);
    REQUIRE(prepare(Wanted::Enter, 0x8800) == &state);
    const bool other_first = GENERATE(false, true);
    const std::uint32_t h = other_first ? call(H) : 0;
    CHECK(call(F) == f);
    CHECK(call(G) == g);
    CHECK((!other_first || h == call(H)));
    CHECK(vfd::calls_of(thread.node(f)) == 2);
    CHECK(state.record->node_count == (other_first ? 4u : 3u));
}

TEST_CASE("a hook that seems to run for ever is given up", "[record][guard]") {
    Recording recording;
    Thread thread;
    thread.enter(F, 0x9000);
    hold_guard(thread.state(), 0x9000);
    std::uint64_t tries = 0;
    while (!prepare(Wanted::Enter, 0x8000) && tries < 1000000)
        ++tries;
    CHECK(tries == 65536);
    CHECK(thread.state().guard == GuardReady);
}

TEST_CASE("a hook that may be returned to is not given up, however much happens in a signal handler",
          "[record][guard]") {
    Recording recording;
    Thread thread;
    thread.enter(F, Thread::StackHigh - 0x100);
    std::uint64_t stack[4] = {};
    stack[1] = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
    const auto guard = reinterpret_cast<std::uint64_t>(&stack[2]);
    hold_guard(thread.state(), guard);
    unsigned taken_up = 0;
    for (int i = 0; i < 200000; ++i)
        taken_up += prepare(Wanted::Enter, guard - 0x1000) != nullptr;
    CHECK(taken_up == 0);
    CHECK(thread.state().record->dropped == 200000);
}

TEST_CASE("hooks that are interrupted one after the other are not given up", "[record][guard]") {
    Recording recording;
    Thread thread;
    unsigned taken_up = 0;
    for (int i = 0; i < 100000; ++i) {
        thread.enter(F, 0x9000);
        hold_guard(thread.state(), 0x9000);
        taken_up += prepare(Wanted::Enter, 0x8000) != nullptr;
        release_guard(thread.state());
        thread.leave(F, 0x9000);
    }
    CHECK(taken_up == 0);
    CHECK(thread.state().record->dropped == 100000);
}

TEST_CASE("errno survives the hooks, also those that begin a thread", "[record][guard]") {
    Recording recording;
    errno = 77;
    __cyg_profile_func_enter(Function, nullptr);
    CHECK(errno == 77);
    __cyg_profile_func_exit(Function, nullptr);
    CHECK(errno == 77);
    REQUIRE(current != &closed_state);
    CHECK(current->record->node_count == 2);
}

TEST_CASE("no hook records when recording is off or has ended", "[record][guard]") {
    Recording recording;
    for (Phase phase : {Phase::Off, Phase::Ended}) {
        recorder.phase = phase;
        __cyg_profile_func_enter(Function, nullptr);
        __cyg_profile_func_exit(Function, nullptr);
        CHECK(current == &closed_state);
    }
    recorder.phase = Phase::Running;
}

TEST_CASE("a leave begins nothing", "[record][guard]") {
    Recording recording;
    __cyg_profile_func_exit(Function, nullptr);
    CHECK(current == &closed_state);
}

namespace {
volatile unsigned handled = 0;
void instrumented_handler(int) {
    void* self = reinterpret_cast<void*>(&instrumented_handler);
    __cyg_profile_func_enter(self, nullptr);
    handled = handled + 1;
    __cyg_profile_func_exit(self, nullptr);
}
} // namespace

TEST_CASE("a signal handler may interrupt the hooks anywhere", "[record][guard]") {
    Settings settings;
    settings.sampling = settings.all_events = true;
    Recording recording(settings);
    __cyg_profile_func_enter(reinterpret_cast<void*>(0x100), nullptr); // begins the thread
    ThreadState& state = *current;
    struct sigaction action {
    }, before{};
    action.sa_handler = instrumented_handler;
    sigaction(SIGALRM, &action, &before);
    handled = 0;
    itimerval timer{{0, 50}, {0, 50}};
    setitimer(ITIMER_REAL, &timer, nullptr);
    std::uint64_t calls = 0;
    while (handled < 300) {
        for (std::uint64_t f = 1; f <= 40; ++f, ++calls) {
            __cyg_profile_func_enter(reinterpret_cast<void*>(0x1000 * f), nullptr);
            __cyg_profile_func_exit(reinterpret_cast<void*>(0x1000 * f), nullptr);
        }
    }
    timer = {};
    setitimer(ITIMER_REAL, &timer, nullptr);
    sigaction(SIGALRM, &before, nullptr);
    std::uint64_t counted = 0, of_handler = 0;
    for (std::uint32_t id = 1; id < state.record->node_count; ++id) {
        const vfd::Node& node = state.nodes[id];
        if (node.key == reinterpret_cast<std::uint64_t>(&instrumented_handler))
            of_handler += node.calls;
        else if (node.key != 0x100)
            counted += node.calls;
    }
    CHECK(counted == calls);
    CHECK(2 * of_handler + state.record->dropped == 2 * std::uint64_t{handled});
    CHECK(state.record->unmatched == 0);
    CHECK(state.record->vanished == 0);
    int depth = 0;
    vfd::Image image = vfd::Image::open(recording.path()); // which keeps the segments that are complete
    image.threads()[0].for_each_event(image.header().flags, [&](const vfd::Event& event) {
        depth += event.kind == vfd::Event::Kind::Enter ? 1 : -1;
    });
    CHECK(depth == 1);
}
