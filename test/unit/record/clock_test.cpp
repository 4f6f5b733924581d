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
