// SPDX-License-Identifier: BSD-3-Clause
#include "compact_bytes.hpp"
#include "image_builder.hpp"
#include "vfd/last_event.hpp"
#include "vfd/recovery.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::test;

namespace {

ImageBuilder killed() {
    ImageBuilder b;
    b.unsealed();
    b.header.flags = vfd::FlagSampling;
    b.thread(0, {ImageBuilder::root(), ImageBuilder::function(0, 0x401000)});
    return b;
}

} // namespace

TEST_CASE("the last event of a stream is found behind records of every kind") {
    EventEncoder events(1000);
    events.enter(1100, 1).leave(1200).callee(1300, 1).leave_of(1400, 1).thread(1500, 70000);
    events.message(1600, {1550, 1, 1, 1u << 20, 1, 7}).collective(1650, 1700, 1, 3, 0);
    events.message(1800, {1750, 1, 300, 8, 2, -1, vfd::Direction::Receive, vfd::Span::Others, 200});
    events.message(1760, {1755, 1, 1, 8, 2, 5, vfd::Direction::Send, vfd::Span::Rank, 200, 1800});
    SECTION("the whole stream") {
        MemoryFile file(killed().events(0, events).bytes());
        CHECK(vfd::last_event_ticks(file.open().threads()[0]) == 1800);
    }
    SECTION("in the last segment that holds something") {
        MemoryFile file(killed()
                            .events(0, events)
                            .events(0, EventEncoder(5000).enter(5050, 1), 1)
                            .events(0, EventEncoder(9000), 2)
                            .bytes());
        CHECK(vfd::last_event_ticks(file.open().threads()[0]) == 5050);
    }
    SECTION("up to a record that is cut off") {
        EventEncoder cut(6000);
        cut.enter(6001, 1).raw({0x81});
        MemoryFile file(killed().events(0, cut).bytes());
        CHECK(vfd::last_event_ticks(file.open().threads()[0]) == 6001);
    }
    SECTION("there is none") {
        MemoryFile file(killed().bytes());
        CHECK(vfd::last_event_ticks(file.open().threads()[0]) == 0);
    }
}

TEST_CASE("a recovered recording ends with the last moment that it speaks of, and its clock runs as before") {
    ImageBuilder b = killed();
    const std::uint64_t last = 1000 + 1'500'000'001; // after the clocks were last compared
    b.events(0, EventEncoder(1000).enter(last, 1));
    MemoryFile file(b.bytes());
    const vfd::Image before = file.open();
    const vfd::FileHeader header = vfd::recovered_header(before);
    CHECK(header.state == vfd::FileState::Sealed);
    CHECK((header.flags & vfd::FlagRecovered) != 0);
    CHECK(header.end.ticks == last);
    CHECK(header.end.monotonic_ns == 5'750'000'001); // half a ns is rounded up
    CHECK(header.memory_bytes == before.header().file_end);
    const vfd::Compact compact(before, header);
    Bytes bytes;
    compact.write([&](std::span<const std::byte> part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
        return true;
    });
    MemoryFile recovered(bytes);
    const vfd::Image after = recovered.open();
    CHECK(after.closed());
    CHECK(after.end_ticks() == before.end_ticks());
    CHECK(after.clock().ns_per_tick() == before.clock().ns_per_tick());
    CHECK(after.clock().to_ns(123456789) == before.clock().to_ns(123456789));
}

TEST_CASE("a recording that ended by exec or _exit still says so when it is recovered") {
    for (vfd::FileState state : {vfd::FileState::Executed, vfd::FileState::Exited}) {
        ImageBuilder b;
        b.header.state = state;
        b.thread(0, {ImageBuilder::root()});
        MemoryFile file(b.bytes());
        const vfd::Image image = file.open();
        const vfd::FileHeader header = vfd::recovered_header(image);
        CHECK(header.state == state);
        CHECK((header.flags & vfd::FlagRecovered) == 0);
        CHECK(header.end.ticks == image.header().end.ticks);
    }
}
