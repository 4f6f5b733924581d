// SPDX-License-Identifier: BSD-3-Clause
#include "image_builder.hpp"

#include "vfd/event_reader.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace vftr;
using namespace vftr::test;
using vfd::Event;

namespace {

constexpr std::uint32_t Many = 1u << 20; // call paths

struct Stream {
    std::string text; // "+node@ticks", "-node@ticks", "#tid@ticks", messages
    bool complete;
};

std::string of(std::uint32_t communicator) { return communicator ? " of " + std::to_string(communicator) : ""; }

std::string string_of(const Event& event) {
    std::string at = "@" + std::to_string(event.ticks) + " ";
    if (event.kind == Event::Kind::Thread)
        return "#" + std::to_string(event.tid) + at;
    std::string path =
        std::to_string(event.node) + "/" + std::to_string(event.thread) + "-" + std::to_string(event.duration);
    if (event.kind == Event::Kind::Collective)
        return "=" + path + " group " + std::to_string(event.target) + " root " + std::to_string(event.root) +
               of(event.communicator) + at;
    if (event.kind == Event::Kind::Probe)
        return std::string(event.takes ? "!" : "?") + path + " from " + std::to_string(event.target) + " bytes " +
               std::to_string(event.bytes) + " tag " + std::to_string(event.tag) + of(event.communicator) + at;
    if (event.kind == Event::Kind::Message)
        return std::string(1, "><g"[static_cast<int>(event.direction)]) + path + " " +
               std::string(1, "1*x"[static_cast<int>(event.span)]) + std::to_string(event.target) + " bytes " +
               std::to_string(event.bytes) + " type " + std::to_string(event.type) + " tag " +
               std::to_string(event.tag) + of(event.communicator) +
               (event.late ? " late " + std::to_string(event.late) : "") + at;
    std::string node = event.node == vfd::NoNode ? "?" : std::to_string(event.node);
    return (event.kind == Event::Kind::Enter ? "+" : "-") + node + at;
}

Stream read(const std::vector<EventEncoder>& parts, std::uint32_t flags) {
    std::vector<vfd::SegmentHeader> headers(parts.size());
    vfd::ThreadView thread;
    thread.node_count = Many;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        headers[i].arg0 = parts[i].origin();
        headers[i].flags = static_cast<std::uint16_t>(parts[i].unit_bits());
        thread.events.push_back({&headers[i], parts[i].bytes()});
    }
    Stream stream;
    stream.complete = thread.for_each_event(flags, [&](const Event& event) { stream.text += string_of(event); });
    return stream;
}

} // namespace

// Issue: sends and receives of equal pair, tag and size on different communicators are mixed up.
TEST_CASE("messages, probes and collective calls come back with their communicators") {
    EventEncoder e(0);
    EventEncoder::Message message{10, 1, 3, 8, 0, 7};
    e.message(20, message);
    message.communicator = ~0u;
    e.message(30, message);
    message.recorded = 45; // all flags at once
    message.thread = 5;
    e.message(40, message);
    e.collective(50, 60, 2, 9, 0).collective(50, 70, 2, 9, -1, 200);
    e.probe(60, 80, 2, 4, 1000, 6, 300, false).probe(60, 90, 2, 4, 1000, 6, 0, true);
    Stream stream = read({e}, vfd::FlagSampling);
    CHECK(stream.text == ">1/0-10 13 bytes 8 type 0 tag 7@20 >1/0-20 13 bytes 8 type 0 tag 7 of 4294967295@30 "
                         ">1/5-30 13 bytes 8 type 0 tag 7 of 4294967295 late 5@45 =2/0-10 group 9 root 0@60 "
                         "=2/0-20 group 9 root -1 of 200@70 ?2/0-20 from 4 bytes 1000 tag 6 of 300@80 "
                         "!2/0-30 from 4 bytes 1000 tag 6@90 ");
    CHECK(stream.complete);
}

TEST_CASE("enters and leaves come back with their times and call paths") {
    EventEncoder e(500);
    e.enter(500, 1).enter(501, 2).leave_of(700, 2).enter(100'000'000'000, Many - 1).leave_of(100'000'000'001, 1);
    Stream stream = read({e}, vfd::FlagSampling);
    CHECK(stream.text == "+1@500 +2@501 -2@700 +1048575@100000000000 -1@100000000001 ");
    CHECK(stream.complete);
}

TEST_CASE("a leave without id is that of the innermost enter, also over segments") {
    EventEncoder first(0), second(30);
    first.enter(1, 5).enter(2, 6);
    second.leave(30).enter(31, 7).leave(32).leave(33).leave(34);
    Stream stream = read({first, second}, vfd::FlagAllEvents);
    CHECK(stream.text == "+5@1 +6@2 -6@30 +7@31 -7@32 -5@33 -?@34 ");
    CHECK(stream.complete);
}

TEST_CASE("regions may be left crosswise") {
    EventEncoder e(0);
    e.enter(1, 1).enter(2, 2).enter(3, 3).leave_of(4, 2).leave(5).leave(6);
    CHECK(read({e}, vfd::FlagAllEvents).text == "+1@1 +2@2 +3@3 -2@4 -3@5 -1@6 ");
}

TEST_CASE("a callee is the n-th child of what was entered last, or of the root, or the same once more") {
    std::vector<vfd::Node> nodes(6); // 0: 1 3, 1: 2 5, 3: 4
    std::uint32_t parents[] = {vfd::NoNode, 0, 1, 0, 3, 1};
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i].parent = parents[i];
    vfd::ThreadView thread;
    thread.node_count = 6;
    thread.node_chunks = {std::span(nodes).first(2), std::span(nodes).subspan(2)};
    vfd::SegmentHeader header{};
    auto decode = [&](const EventEncoder& e) {
        thread.events = {{&header, e.bytes()}};
        std::string text;
        bool complete =
            thread.for_each_event(vfd::FlagAllEvents, [&](const Event& event) { text += string_of(event); });
        return text + (complete ? "" : "!");
    };
    EventEncoder e(0);
    e.callee(1, 2).callee(2, 1).leave(3).leave(4).callee(5, 1).callee(6, 2).leave(7).callee(8, 1).callee(9, 0).leave(
        10);
    CHECK(decode(e) == "+3@1 +4@2 -4@3 -3@4 +1@5 +5@6 -5@7 +2@8 +2@9 -2@10 ");
    EventEncoder beyond(0);
    beyond.callee(1, 1).callee(2, 3);
    CHECK(decode(beyond) == "+1@1 !");
    thread.node_count = 0; // a damaged file's
    thread.node_chunks = {};
    CHECK(decode(beyond) == "!");
}

TEST_CASE("the number of a callee is within the head or behind it") {
    std::vector<vfd::Node> nodes(300);
    nodes[0].parent = vfd::NoNode;
    vfd::ThreadView thread;
    thread.node_count = 300;
    thread.node_chunks = {nodes};
    vfd::SegmentHeader header{};
    for (std::uint32_t n : {1u, 9u, 10u, 127u, 128u, 299u}) {
        EventEncoder e(0);
        e.callee(3, n).leave(4);
        CHECK(e.bytes().size() == (n < 10 ? 2u : n < 128 ? 3u : 4u));
        thread.events = {{&header, e.bytes()}};
        std::string text;
        CHECK(thread.for_each_event(vfd::FlagAllEvents, [&](const Event& event) { text += string_of(event); }));
        CHECK(text == "+" + std::to_string(n) + "@3 -" + std::to_string(n) + "@4 ");
    }
}

TEST_CASE("a predicted enter is that which came after the same enter and as many leaves the last time") {
    std::vector<vfd::Node> nodes(4); // 0: 1 2, 1: 3
    std::uint32_t parents[] = {vfd::NoNode, 0, 0, 1};
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i].parent = parents[i];
    vfd::ThreadView thread;
    thread.node_count = 4;
    thread.node_chunks = {nodes};
    vfd::SegmentHeader header{};
    auto decode = [&](const EventEncoder& e, const EventEncoder& next = EventEncoder(0)) {
        thread.events = {{&header, e.bytes()}, {&header, next.bytes()}};
        std::string text;
        bool complete =
            thread.for_each_event(vfd::FlagAllEvents, [&](const Event& event) { text += string_of(event); });
        return text + (complete ? "" : "!");
    };
    EventEncoder e(0);
    e.callee(1, 1)
        .callee(2, 1)
        .leave(3)
        .leave(4)
        .callee(5, 2)
        .leave(6)
        .callee(7, 1)
        .predicted(8)
        .leave(9)
        .leave(10)
        .predicted(11)
        .leave(12)
        .predicted(13);
    CHECK(decode(e) == "+1@1 +3@2 -3@3 -1@4 +2@5 -2@6 +1@7 +3@8 -3@9 -1@10 +2@11 -2@12 +1@13 ");
    SECTION("also where the enter had an id, or the leave, or the call was the same once more") {
        EventEncoder ids(0);
        ids.enter(1, 1).leave_of(2, 1).enter(3, 2).leave(4).predicted(5).predicted(6).callee(7, 0).predicted(8);
        CHECK(decode(ids) == "+1@1 -1@2 +2@3 -2@4 !");
        EventEncoder more(0);
        more.enter(1, 1).leave_of(2, 1).enter(3, 2).leave(4).enter(5, 1).leave(6).predicted(7).callee(8, 0).predicted(
            9);
        CHECK(decode(more) == "+1@1 -1@2 +2@3 -2@4 +1@5 -1@6 +2@7 +2@8 +2@9 ");
    }
    SECTION("nothing is predicted at first, and in a new segment") {
        EventEncoder first(0), next(0);
        first.predicted(1);
        CHECK(decode(first) == "!");
        next.predicted(20);
        CHECK(decode(e, next) == decode(e) + "!");
    }
    SECTION("nor where not all events are there") {
        EventEncoder sampled(0);
        sampled.enter(1, 1).leave_of(2, 1).enter(3, 1).leave_of(4, 1).predicted(5);
        CHECK(read({sampled}, 0).text == "+1@1 -1@2 +1@3 -1@4 ");
        CHECK_FALSE(read({sampled}, 0).complete);
    }
}

TEST_CASE("times are those of the unit's grid, and none is before the segment's begin") {
    EventEncoder first(1003, 4), second(2000, 0);
    first.enter(1004, 1).enter(1007, 2).leave(1008).leave(1999);
    second.enter(2001, 3);
    Stream stream = read({first, second}, vfd::FlagAllEvents);
    CHECK(stream.text == "+1@1003 +2@1003 -2@1008 -1@1984 +3@2001 ");
    CHECK(stream.complete);
}

TEST_CASE("another thread begins with nothing entered") {
    EventEncoder e(0);
    e.enter(1, 1).thread(2, 4711).leave(3);
    CHECK(read({e}, vfd::FlagAllEvents).text == "+1@1 #4711@2 -?@3 ");
}

TEST_CASE("messages and collective calls come back with all that is known of them") {
    using vfd::Direction, vfd::Span;
    EventEncoder e(100);
    e.enter(200, 7)
        .message(300, {250, 9, 3, 1000, 2, 77})
        .message(300, {100, 9, vfd::ForeignRank | 1, std::uint64_t{1} << 40, 0, 2147483647, Direction::Receive})
        .message(310, {309, 0xffffff00, 5, 0, 0, -1, Direction::Get, Span::Others, 12})
        .collective(300, 400, 9, 6, -1)
        .collective(300, 400, 9, 6, 0)
        .message(500, {400, 9, 6, 8, 1, -2147483647 - 1, Direction::Send, Span::Group})
        .message(420, {410, 9, 6, 8, 1, 3, Direction::Send, Span::Rank, 12, 590})
        .collective(300, 595, 9, 6, 0)
        .leave_of(600, 7);
    Stream stream = read({e}, 0);
    CHECK(stream.text == "+7@200 >9/0-50 13 bytes 1000 type 2 tag 77@300 "
                         "<9/0-200 12147483649 bytes 1099511627776 type 0 tag 2147483647@300 "
                         "g4294967040/12-1 x5 bytes 0 type 0 tag -1@310 "
                         "=9/0-100 group 6 root -1@400 =9/0-100 group 6 root 0@400 "
                         ">9/0-100 *6 bytes 8 type 1 tag -2147483648@500 "
                         ">9/12-10 16 bytes 8 type 1 tag 3 late 170@590 =9/0-295 group 6 root 0@595 -7@600 ");
    CHECK(stream.complete);
}

TEST_CASE("a message that makes no sense ends the stream") {
    EventEncoder e(0);
    e.enter(1, 1);
    SECTION("path that is not there") { e.message(2, {1, Many, 0, 1}); }
    SECTION("collective call of a path that is not there") { e.collective(1, 2, Many, 1, 0); }
    SECTION("direction") { e.raw({15, 3, 3, 0, 0, 0, 0, 0, 0}); }
    SECTION("span") { e.raw({15, 3, 12, 0, 0, 0, 0, 0, 0}); }
    SECTION("more flags") { e.raw({15, 3, 128, 0, 0, 0, 0, 0, 0, 0}); }
    SECTION("communicator beyond 32 bits") { e.raw({15, 3, 64, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x1f}); }
    SECTION("probe of another kind") { e.raw({15, 8, 2, 0, 0, 0, 0, 0, 0}); }
    SECTION("probe of a path that is not there") { e.probe(1, 2, Many, 1, 0, 0, 0, false); }
    SECTION("target beyond 32 bits") { e.raw({15, 3, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x1f, 0, 0, 0}); }
    Stream stream = read({e.enter(9, 2)}, 0);
    CHECK(stream.text == "+1@1 ");
    CHECK_FALSE(stream.complete);
}

TEST_CASE("ids are counted anew in each segment") {
    EventEncoder first(0), second(10);
    first.enter(1, 1000);
    second.enter(11, 3);
    CHECK(read({first, second}, 0).text == "+1000@1 +3@11 ");
}

TEST_CASE("a record that is cut off ends the stream, and what came before stays") {
    EventEncoder e(0);
    e.enter(1, 1);
    std::size_t first = e.bytes().size();
    SECTION("enter") { e.enter(1000, 70000); }
    SECTION("message") { e.message(1000, {1, 70000, 3, 1000, 2, 77}); }
    SECTION("collective call") { e.collective(1, 1000, 70000, 3, 2); }
    Bytes whole = e.bytes();
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        vfd::SegmentHeader header{};
        vfd::ThreadView thread;
        thread.node_count = Many;
        thread.events.push_back({&header, std::span(whole).first(size)});
        std::string text;
        bool complete = thread.for_each_event(0, [&](const Event& event) { text += string_of(event); });
        CHECK(complete == (size == 0 || size == first || size == whole.size()));
        CHECK(text.substr(0, 5) == (size < first ? "" : "+1@1 "));
        CHECK((text.size() > 5) == (size == whole.size()));
    }
}

TEST_CASE("a record that makes no sense ends the stream") {
    EventEncoder e(100);
    e.enter(101, 1);
    SECTION("unknown extension") { e.raw({15, 99, 0}); }
    SECTION("call path that is not there") { e.enter(102, Many); }
    SECTION("call path before the first") { e.raw({15, 5, 0x05}); }
    SECTION("a callee where not all events are there") { e.callee(102, 0); }
    SECTION("endless number") { e.raw({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0}); }
    SECTION("number beyond 64 bits") { e.raw({0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02}); }
    e.enter(2000, 2);
    EventEncoder next(3000);
    next.enter(3001, 3);
    Stream stream = read({e, next}, 0);
    CHECK(stream.text == "+1@101 ");
    CHECK_FALSE(stream.complete);
}

TEST_CASE("time that would run over ends the stream") {
    EventEncoder e(~std::uint64_t{0} - 10);
    e.raw({5 << 4 | 15, 5, 2}).raw({0xcf, 0x02, 5, 0});
    Stream stream = read({e}, 0);
    CHECK(stream.text == "+1@18446744073709551610 ");
    CHECK_FALSE(stream.complete);
}

TEST_CASE("random streams come back as they were") {
    std::mt19937_64 random(4711);
    for (int round = 0; round < 200; ++round) {
        std::uint64_t ticks = random() >> (random() % 40 + 20);
        std::vector<EventEncoder> parts;
        std::string expected;
        for (int part = 0; part < 3; ++part) {
            EventEncoder e(ticks);
            for (int i = 0; i < 50; ++i) {
                ticks += random() >> (random() % 40 + 24);
                auto node = static_cast<std::uint32_t>(random() % (std::uint64_t{1} << (random() % 21)));
                bool enter = random() & 1;
                enter ? e.enter(ticks, node) : e.leave_of(ticks, node);
                expected += (enter ? "+" : "-") + std::to_string(node) + "@" + std::to_string(ticks) + " ";
            }
            parts.push_back(e);
        }
        Stream stream = read(parts, 0);
        REQUIRE(stream.text == expected);
        REQUIRE(stream.complete);
    }
}
