// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"
#include "record/hot/slow_path.hpp"

#include <filesystem>
#include <sys/resource.h>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using vfd::Event;

namespace {

constexpr std::uint64_t F = 0x10, G = 0x20, H = 0x30;

Settings latest(std::uint64_t bytes) {
    Settings settings;
    settings.sampling = settings.all_events = true;
    settings.keep_bytes = bytes;
    return settings;
}

void call_many(Thread& thread, unsigned calls, std::uint64_t stack_pointer = 0x7000) {
    for (unsigned i = 0; i < calls; ++i) {
        thread.enter(H + 16 * (i % 300), stack_pointer);
        thread.leave(H + 16 * (i % 300), stack_pointer);
    }
}

std::uint64_t kept_bytes(const vfd::Image& image) {
    std::uint64_t bytes = 0;
    for (const vfd::Segment& segment : image.segments())
        bytes += segment.header->kind == vfd::SegmentKind::Events ? segment.header->capacity : 0;
    return bytes;
}

} // namespace

TEST_CASE("a flight recorder keeps as many bytes as asked for, and the profile is complete", "[record][ring]") {
    Recording recording(latest(1 << 20));
    Thread thread;
    constexpr unsigned Calls = 800000;
    call_many(thread, Calls);
    vfd::Image image = vfd::Image::open(recording.path());
    CHECK(kept_bytes(image) <= 1 << 20);
    CHECK(kept_bytes(image) >= (1 << 20) / 2);
    CHECK(std::filesystem::file_size(recording.path()) < 3 << 20);
    CHECK(image.threads()[0].events.front().header->sequence > 0);
    std::uint64_t events = 0, last = 0, wrong = 0;
    bool complete = image.threads()[0].for_each_event(image.header().flags, [&](const Event& event) {
        ++events;
        wrong += event.ticks < last || event.node == vfd::NoNode;
        last = event.ticks;
    });
    CHECK(complete);
    CHECK(wrong == 0);
    CHECK(events > 100000);
    CHECK(events < 2 * Calls);
    CHECK(last >= thread.state().record->last - 16); // up to the last event
    std::uint64_t calls = 0;
    for (unsigned i = 0; i < 300; ++i)
        calls += thread.calls(H + 16 * i);
    CHECK(calls == Calls);
}

TEST_CASE("a stream that begins in the middle begins with what is entered then", "[record][ring]") {
    Recording recording(latest(1 << 20));
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    call_many(thread, 800000);
    thread.leave(G, 0x8000);
    thread.leave(F, 0x9000);
    vfd::Image image = vfd::Image::open(recording.path());
    const vfd::ThreadView& view = image.threads()[0];
    std::vector<std::uint64_t> open;
    std::uint64_t number = 0, wrong = 0, deepest = 0;
    view.for_each_event(image.header().flags, [&](const Event& event) {
        std::uint64_t key = view.node(event.node).key;
        if (event.kind == Event::Kind::Enter)
            open.push_back(key);
        else {
            wrong += open.empty() || open.back() != key;
            open.pop_back();
        }
        if (number < 2) {
            CHECK(key == (number == 0 ? F : G));
            CHECK(event.ticks == view.events.front().header->arg0);
        }
        ++number;
        deepest = std::max<std::uint64_t>(deepest, open.size());
    });
    CHECK(wrong == 0);
    CHECK(open.empty());
    CHECK(deepest == 3);
}

TEST_CASE("a deep stack is known at the beginning, whatever room it takes", "[record][ring]") {
    Recording recording(latest(1 << 20));
    Thread thread;
    constexpr unsigned Deep = 15000;
    recorder.settings.max_recursion = 4;
    for (unsigned i = 0; i < Deep; ++i)
        thread.enter(F, 0xf0000 - 16 * i);
    call_many(thread, 800000, 0x2000);
    for (unsigned i = Deep; i-- > 0;)
        thread.leave(F, 0xf0000 - 16 * i);
    vfd::Image image = vfd::Image::open(recording.path());
    std::int64_t depth = 0, deepest = 0;
    CHECK(image.threads()[0].for_each_event(image.header().flags, [&](const Event& event) {
        depth += event.kind == Event::Kind::Enter ? 1 : -1;
        deepest = std::max(deepest, depth);
    }));
    CHECK(depth == 0);
    CHECK(deepest == Deep + 1);
}

TEST_CASE("a limit of time keeps at least that time", "[record][ring]") {
    Settings settings = latest(0);
    settings.keep_seconds = 0.02;
    Recording recording(settings);
    Thread thread;
    std::uint64_t end = base::monotonic_ns() + 300'000'000;
    while (base::monotonic_ns() < end || thread.state().event_sequence < 4) { // a slow one fills fewer segments
        call_many(thread, 1000);
        refresh_clock();
    }
    vfd::Image image = recording.live_image();
    image = vfd::Image::open(recording.path());
    const vfd::ThreadView& view = image.threads()[0];
    REQUIRE(recorder.keep_ticks.load() != 0);
    CHECK(view.events.front().header->sequence > 0);
    CHECK(view.record->last - view.events.front().header->arg0 >= recorder.keep_ticks.load());
}

namespace {

void goes_on_in_a_file_of(rlim_t most, const Settings& settings) {
    Recording recording(settings);
    Thread thread;
    refresh_clock();
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit{most, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    for (unsigned i = 0; i < 300; ++i) {
        call_many(thread, 6000);
        refresh_clock();
    }
    thread.enter(F, 0x7000);
    thread.leave(F, 0x7000);
    setrlimit(RLIMIT_FSIZE, &before);
    vfd::Image image = vfd::Image::open(recording.path());
    CHECK((image.header().flags & vfd::FlagFileLost) != 0);
    CHECK((image.header().flags & vfd::FlagEventsLost) == 0);
    std::uint64_t last_key = 0, events = 0;
    CHECK(image.threads()[0].for_each_event(image.header().flags, [&](const Event& event) {
        last_key = image.threads()[0].node(event.node).key;
        ++events;
    }));
    CHECK(last_key == F);
    CHECK(events > 10000);
}

} // namespace

TEST_CASE("on a full disk a flight recorder goes on with what it has", "[record][ring]") {
    goes_on_in_a_file_of(3 << 20, latest(64 << 20));
}

TEST_CASE(
    "on a full disk a flight recorder goes on with smaller segments than it wanted, however short the time is that it keeps",
    "[record][ring]") {
    Settings settings = latest(0);
    settings.keep_seconds = 0.001;
    goes_on_in_a_file_of(1 << 20, settings);
}
