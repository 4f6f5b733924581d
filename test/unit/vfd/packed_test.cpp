// SPDX-License-Identifier: BSD-3-Clause
#include "image_builder.hpp"

#include "vfd/last_event.hpp"
#include "vfd/packed.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace vftr;
using namespace vftr::test;

namespace {

bool packing_is_possible() { return vfd::Packer().works(); }

Bytes packed(const Bytes& plain) {
    Bytes out(vfd::Packer::room_for(plain.size()));
    vfd::Packer packer;
    out.resize(packer.pack(plain, out));
    REQUIRE_FALSE(out.empty());
    return out;
}

ImageBuilder recording() {
    ImageBuilder b;
    b.header.flags = vfd::FlagAllEvents | vfd::FlagSampling;
    b.thread(0, {ImageBuilder::root(), ImageBuilder::function(0, 0x401000), ImageBuilder::function(1, 0x402000)});
    return b;
}

EventEncoder calls(std::uint64_t from, int count) {
    EventEncoder e(from);
    for (int i = 0; i < count; ++i)
        e.callee(from + 10 * static_cast<unsigned>(i), 1).leave(from + 10 * static_cast<unsigned>(i) + 5);
    return e;
}

ImageBuilder& add_packed(ImageBuilder& b, const EventEncoder& events, std::uint32_t sequence) {
    return b.segment(vfd::SegmentKind::Packed, 0, sequence, packed(events.bytes()), events.origin());
}

struct Read {
    std::uint64_t events = 0, last = 0;
    bool complete;
};
Read read(const vfd::Image& image) {
    Read result;
    result.complete = image.threads()[0].for_each_event(image.header().flags, [&](const vfd::Event& event) {
        ++result.events;
        result.last = event.ticks;
    });
    return result;
}

} // namespace

TEST_CASE("packed segments are read as what they were made from") {
    if (!packing_is_possible())
        return;
    ImageBuilder b = recording();
    b.events(0, calls(1000, 300), 0);
    add_packed(b, calls(11000, 300), 1);
    add_packed(b, calls(21000, 300), 2);
    b.events(0, calls(31000, 1), 3);
    MemoryFile file(b.bytes());
    Read all = read(file.open());
    CHECK(all.events == 2 * 901);
    CHECK(all.last == 31005);
    CHECK(all.complete);
}

TEST_CASE("a segment that has been packed and is still there counts once, one that is being packed is the plain one") {
    if (!packing_is_possible())
        return;
    ImageBuilder b = recording();
    b.events(0, calls(1000, 300), 0);
    b.events(0, calls(11000, 300), 1);
    SECTION("just packed") { add_packed(b, calls(1000, 300), 0); }
    SECTION("the last one, too") { add_packed(b, calls(11000, 300), 1); }
    SECTION("its bytes are not there yet") { b.segment(vfd::SegmentKind::Packed, 0, 0, {}, 1000); }
    MemoryFile file(b.bytes());
    const vfd::Image image = file.open();
    Read all = read(image);
    CHECK(all.events == 2 * 600);
    CHECK(all.complete);
    CHECK(vfd::last_event_ticks(image.threads()[0]) == 13995);
}

TEST_CASE("a packed segment that is damaged harms nothing that came before it") {
    if (!packing_is_possible())
        return;
    Bytes good = packed(calls(11000, 300).bytes());
    std::mt19937 random(4711);
    for (int round = 0; round < 300; ++round) {
        Bytes bad = good;
        if (round % 2)
            bad.resize(random() % bad.size() + 1);
        else
            bad[random() % bad.size()] ^= static_cast<std::byte>(1 + random() % 255);
        ImageBuilder b = recording();
        b.events(0, calls(1000, 300), 0).segment(vfd::SegmentKind::Packed, 0, 1, bad, 11000);
        b.events(0, calls(21000, 300), 2);
        MemoryFile file(b.bytes());
        const vfd::Image image = file.open();
        Read all = read(image);
        CHECK(all.events >= 600);
        vfd::last_event_ticks(image.threads()[0]);
    }
}

TEST_CASE("what would be larger than any segment that is packed is not unpacked") {
    if (!packing_is_possible())
        return;
    std::vector<std::byte> out;
    Bytes most(vfd::MostUnpackedBytes);
    CHECK(vfd::unpack(packed(most), out));
    CHECK(out.size() == most.size());
    Bytes more(vfd::MostUnpackedBytes + 1), room(vfd::Packer::room_for(more.size()));
    CHECK(vfd::Packer().pack(more, room) == 0);
    // Frame header of 2^30 bytes, then a block of one byte, repeated.
    const unsigned char bomb[] = {0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x40, 0x03, 0, 0, 0x41};
    CHECK_FALSE(vfd::unpack(std::as_bytes(std::span(bomb)), out));
    CHECK(out.empty());
}
