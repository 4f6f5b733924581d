// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"
#include "record/hot/slow_path.hpp"

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {

// Whether a refresh brought a new reading, by what the header has afterwards.
bool refreshes() {
    const vfd::FileHeader& header = recorder.writer.header();
    const std::uint32_t before = header.last_index;
    refresh_clock();
    return header.last_index != before;
}

} // namespace

TEST_CASE("one thread at a time reads the clocks", "[record][clock]") {
    Recording recording;
    CHECK(refreshes());
    recorder.clock_reader_since = base::read_ticks();
    CHECK_FALSE(refreshes());
    recorder.clock_reader_since = 0;
    CHECK(refreshes());
}

TEST_CASE("a signal handler that jumps out of a reading of the clocks stops no later one", "[record][clock]") {
    Recording recording;
    recorder.clock_reader_since = base::read_ticks() - (std::uint64_t{1} << 31);
    CHECK(refreshes());
    CHECK(recorder.clock_reader_since == 0);
    CHECK(refreshes());
}

// It was cut to an int: half of the time each event took the slow path, and half of the time none did.
TEST_CASE("events after one on the slow path take it again at the next refresh, and not before", "[record][clock]") {
    constexpr std::uint64_t F = 0x1000;
    Settings settings;
    settings.cuts_preemptions_out = false; // else there are deadlines before that
    Recording recording(settings);
    Thread thread;
    for (int i = 0; i < 4; ++i) { // the deadline of the refresh is set behind that of the slow path
        request_slow_path(thread.state());
        thread.enter(F, 0x8000);
        thread.leave(F, 0x8000);
        thread.state().slow_path_deadline = 1;
        thread.enter(F, 0x8000);
        thread.leave(F, 0x8000);
        CHECK(thread.state().refresh_deadline.ticks() > 1);
        CHECK(thread.state().slow_path_deadline.ticks() == thread.state().refresh_deadline.ticks());
    }
}
