// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include "record/stream/shrink.hpp"

#include <filesystem>
#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {

constexpr std::uint64_t F = 0x10;

// Until a segment has just been begun; how many there were.
std::uint64_t call_many(Thread& thread) {
    std::uint64_t calls = 0;
    for (; thread.state().event_sequence < 3; ++calls) {
        thread.enter(F, 0x7000);
        thread.leave(F, 0x7000);
    }
    return calls;
}

} // namespace

// Issue: trace size
TEST_CASE("at the end a timeline gives back what its threads have not used, and loses nothing", "[record][shrink]") {
    Settings settings;
    settings.sampling = settings.all_events = true;
    Recording recording(settings);
    std::uint64_t calls = 0;
    std::thread([&] {
        Thread other;
        calls = call_many(other);
        other.end();
    }).join();
    Thread thread;
    calls += call_many(thread);
    const auto before = std::filesystem::file_size(recording.path());
    recorder.phase = Phase::Ended;
    close_last_thread();
    shrink_file();
    const auto after = std::filesystem::file_size(recording.path());
    CHECK(after < before);
    CHECK(recorder.writer.header().file_end == after);
    CHECK_FALSE(recorder.writer.header().flags & (vfd::FlagFileLost | vfd::FlagEventsLost));
    const vfd::Image image = vfd::Image::open(recording.path());
    REQUIRE(image.threads().size() == 2);
    std::uint64_t events = 0;
    for (const vfd::ThreadView& view : image.threads())
        CHECK(view.for_each_event(image.header().flags, [&](const vfd::Event&) { ++events; }));
    CHECK(events == 2 * calls);
    shrink_file(); // once more, for who is called twice
    CHECK(std::filesystem::file_size(recording.path()) == after);
}
