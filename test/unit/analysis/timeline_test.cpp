// SPDX-License-Identifier: BSD-3-Clause
#include "../vfd/image_builder.hpp"
#include "analysis/timeline/timeline.hpp"

#include <catch2/catch.hpp>

#include <cstdio>

using namespace vftr;
using namespace vftr::test;
using analysis::Sample;
using analysis::Timeline;

namespace {

// Ticks of the builder's clock, which starts at 1000, for milliseconds.
std::uint64_t ms(std::uint64_t value) { return 1000 + value * 2'000'000; }

// "+f<main<init@0.5/0 ": enter, path, seconds, thread.
std::string string_of(const Timeline& timeline) {
    std::string text;
    timeline.for_each_sample([&](const Sample& sample) {
        char end[64];
        std::snprintf(end, sizeof end, "@%.3f/%u ", sample.seconds, sample.thread);
        text += (sample.enter ? "+" : "-") + call_path(timeline.stacks(), sample.stack) + end;
    });
    return text;
}

// main calls zeta, then alpha, which is precise.
ImageBuilder two_callees() {
    ImageBuilder b;
    b.name(10, "main").name(20, "zeta").name(30, "alpha");
    return b;
}

std::vector<vfd::Node> tree() {
    return {ImageBuilder::root(), ImageBuilder::function(0, 10), ImageBuilder::function(1, 20),
            ImageBuilder::function(1, 30, vfd::NodePrecise)};
}

} // namespace

TEST_CASE("samples come with their call path and seconds since the start") {
    ImageBuilder b = two_callees();
    EventEncoder e(ms(0));
    e.enter(ms(100), 1).enter(ms(200), 2).leave_of(ms(300), 2);
    b.thread(0, tree()).events(0, e);
    vfd::Image image = b.open();
    Timeline timeline(image);
    CHECK(string_of(timeline) == "+main<init@0.100/0 +zeta<main<init@0.200/0 -zeta<main<init@0.300/0 ");
    CHECK(timeline.sample_count() == 3);
    CHECK(timeline.last_sample() == Approx(0.3));
}

TEST_CASE("call paths have the ids of the report: breadth first, callees by name") {
    ImageBuilder b = two_callees();
    b.thread(0, tree());
    vfd::Image image = b.open();
    Timeline timeline(image);
    const analysis::Profile& stacks = timeline.stacks();
    REQUIRE(stacks.nodes.size() == 4);
    CHECK(call_path(stacks, 0) == "init");
    CHECK(call_path(stacks, 2) == "alpha<main<init");
    CHECK(stacks.nodes[2].precise);
    CHECK(call_path(stacks, 3) == "zeta<main<init");
    CHECK_FALSE(stacks.nodes[3].precise);
}

TEST_CASE("threads share call paths and are merged in the order of time") {
    ImageBuilder b = two_callees();
    EventEncoder first(ms(0)), second(ms(0));
    first.enter(ms(1), 1).enter(ms(4), 3).leave_of(ms(6), 3);
    second.enter(ms(2), 1).enter(ms(4), 2).leave_of(ms(5), 2);
    std::vector<vfd::Node> other{ImageBuilder::root(), ImageBuilder::function(0, 10),
                                 ImageBuilder::function(1, 30)}; // alpha, which is 3 in the first
    b.thread(0, tree()).thread(1, other).events(0, first).events(1, second);
    vfd::Image image = b.open();
    Timeline timeline(image);
    CHECK(timeline.stacks().nodes.size() == 4);
    CHECK(string_of(timeline) == "+main<init@0.001/0 +main<init@0.002/1 "
                                 "+alpha<main<init@0.004/0 +alpha<main<init@0.004/1 "
                                 "-alpha<main<init@0.005/1 -alpha<main<init@0.006/0 ");
    REQUIRE(timeline.threads().size() == 2);
    CHECK(timeline.threads()[1].samples == 3);
    CHECK(timeline.threads()[1].tid == 101);
}

TEST_CASE("a path that was never counted but is in the stream has a stack") {
    ImageBuilder b = two_callees();
    std::vector<vfd::Node> nodes = tree();
    nodes[2].calls = 0;
    EventEncoder e(ms(0));
    e.enter(ms(1), 2);
    b.thread(0, nodes).events(0, e);
    vfd::Image image = b.open();
    Timeline timeline(image);
    CHECK(string_of(timeline) == "+zeta<main<init@0.001/0 ");
}

TEST_CASE("a stream that is damaged ends, and the others go on") {
    ImageBuilder b = two_callees();
    EventEncoder first(ms(0)), second(ms(0));
    first.enter(ms(1), 1).enter(ms(2), 99).enter(ms(3), 2);
    second.enter(ms(4), 1);
    b.thread(0, tree()).thread(1, tree()).events(0, first).events(1, second);
    vfd::Image image = b.open();
    Timeline timeline(image);
    CHECK(string_of(timeline) == "+main<init@0.001/0 +main<init@0.004/1 ");
    CHECK(timeline.sample_count() == 2);
    CHECK_FALSE(timeline.threads()[0].complete);
    CHECK(timeline.threads()[1].complete);
}

TEST_CASE("a change of threads and a leave of nothing are no samples") {
    ImageBuilder b = two_callees();
    b.header.flags = vfd::FlagAllEvents;
    EventEncoder e(ms(0));
    e.enter(ms(1), 1).leave(ms(2)).leave(ms(3)).thread(ms(4), 77).enter(ms(5), 1);
    b.thread(0, tree()).events(0, e);
    vfd::Image image = b.open();
    Timeline timeline(image);
    CHECK(string_of(timeline) == "+main<init@0.001/0 -main<init@0.002/0 +main<init@0.005/0 ");
    CHECK(timeline.sample_count() == 3);
}

namespace {

// ">main<init@0.100-0.200/0 to 1 3 ": direction, path, begin and end, thread, peers; samples as above.
std::string messages_of(const Timeline& timeline, bool samples = false) {
    std::string text;
    timeline.for_each_sample(
        [&](const Sample& sample) {
            char at[64];
            std::snprintf(at, sizeof at, "@%.3f ", sample.seconds);
            if (samples)
                text += (sample.enter ? "+" : "-") + call_path(timeline.stacks(), sample.stack) + at;
        },
        [&](const analysis::Message& message) {
            char at[64];
            std::snprintf(at, sizeof at, "@%.3f-%.3f/%u", message.begin, message.end, message.thread);
            text += (message.direction == vfd::Direction::Send ? ">" : "<") +
                    call_path(timeline.stacks(), message.stack) + at + " to";
            timeline.for_each_peer(message, [&](std::uint32_t rank) { text += " " + std::to_string(rank); });
            text += ", ";
        });
    return text;
}

} // namespace

TEST_CASE("messages come at their begins, between the samples") {
    ImageBuilder b = two_callees();
    EventEncoder e(ms(0));
    e.enter(ms(100), 1).enter(ms(200), 2).message(ms(210), {ms(200), 2, 1, 8}).leave_of(ms(220), 2);
    e.enter(ms(300), 3)
        .message(ms(400), {ms(150), 2, 2, 8, 0, 5, vfd::Direction::Receive})
        .message(ms(400), {ms(250), 2, 3, 8});
    e.leave_of(ms(500), 3);
    e.message(ms(600), {ms(550), 1, 4, 8});
    b.thread(0, tree()).events(0, e);
    vfd::Image image = b.open();
    Timeline timeline(image);
    CHECK(
        messages_of(timeline, true) ==
        "+main<init@0.100 <zeta<main<init@0.150-0.400/0 to 2, +zeta<main<init@0.200 >zeta<main<init@0.200-0.210/0 to 1, "
        "-zeta<main<init@0.220 >zeta<main<init@0.250-0.400/0 to 3, +alpha<main<init@0.300 -alpha<main<init@0.500 "
        ">main<init@0.550-0.600/0 to 4, ");
    CHECK(string_of(timeline).find("to") == std::string::npos);
    CHECK(timeline.sample_count() == 5);
    CHECK(timeline.message_count() == 4);
    CHECK(timeline.last_sample() == Approx(0.6));
    CHECK(timeline.threads()[0].samples == 5);
    CHECK(timeline.threads()[0].transfers == 4);
}

TEST_CASE("a transfer to a group is a message to each member, without the own rank where it is so") {
    using vfd::Direction, vfd::Span;
    ImageBuilder b = two_callees();
    b.header.rank = 2;
    b.header.size = 4;
    EventEncoder e(ms(0));
    e.message(ms(2), {ms(1), 1, 5, 8, 0, -1, Direction::Send, Span::Group})
        .message(ms(4), {ms(3), 1, 5, 8, 0, -1, Direction::Receive, Span::Others});
    e.message(ms(6), {ms(5), 1, 6, 8, 0, -1, Direction::Send, Span::Group}); // a group that the file lacks
    b.thread(0, tree()).events(0, e).group(5, {{0, 2, 2}, {3, 0, 1}});
    vfd::Image image = b.open();
    Timeline timeline(image);
    CHECK(messages_of(timeline) ==
          ">main<init@0.001-0.002/0 to 0 2 3, <main<init@0.003-0.004/0 to 0 3, >main<init@0.005-0.006/0 to, ");
    CHECK(timeline.message_count() == 5);
}

TEST_CASE("a message belongs to the path that began it, in another thread too") {
    ImageBuilder b = two_callees();
    EventEncoder first(ms(0)), second(ms(0));
    first.enter(ms(1), 1);
    EventEncoder::Message begun_elsewhere{ms(2), 2, 1, 8};
    begun_elsewhere.thread = 0;
    second.message(ms(9), begun_elsewhere);
    begun_elsewhere.thread = 77; // that is not there
    second.message(ms(9), begun_elsewhere);
    b.thread(0, tree()).thread(1, {ImageBuilder::root()}).events(0, first).events(1, second);
    vfd::Image image = b.open();
    CHECK(messages_of(Timeline(image)) == ">zeta<main<init@0.002-0.009/0 to 1, >init@0.002-0.009/77 to 1, ");
}

TEST_CASE("a send whose end was not seen ends with the call that began it") {
    ImageBuilder b = two_callees();
    EventEncoder e(ms(0));
    e.message(ms(120), {ms(110), 1, 2, 8}).enter(ms(200), 1).leave_of(ms(300), 1);
    EventEncoder::Message dropped{ms(50), 1, 1, 8};
    dropped.recorded = ms(900);
    e.message(ms(60), dropped);
    b.thread(0, tree()).events(0, e);
    vfd::Image image = b.open();
    Timeline timeline(image);
    CHECK(messages_of(timeline, true) ==
          ">main<init@0.050-0.060/0 to 1, >main<init@0.110-0.120/0 to 2, +main<init@0.200 -main<init@0.300 ");
}

TEST_CASE("messages under way for long are in order as far as memory is given for it") {
    ImageBuilder b = two_callees();
    EventEncoder e(ms(0));
    constexpr int Count = 300000; // more than are kept
    for (int i = 1; i <= Count; ++i)
        e.message(ms(0) + 10 * static_cast<std::uint64_t>(i),
                  {ms(0) + 10 * static_cast<std::uint64_t>(i) - 5, 1, 1, 8});
    e.message(ms(0) + 10 * Count + 5, {ms(0), 1, 2, 8});
    b.thread(0, tree()).events(0, e);
    vfd::Image image = b.open();
    Timeline timeline(image);
    int seen = 0, out_of_order = 0;
    double last = 0;
    timeline.for_each_sample([](const Sample&) {},
                             [&](const analysis::Message& message) {
                                 out_of_order += message.begin < last;
                                 last = message.begin;
                                 ++seen;
                             });
    CHECK(seen == Count + 1);
    CHECK(out_of_order == 1);
}

TEST_CASE("a recording without threads has no samples") {
    ImageBuilder b;
    vfd::Image image = b.open();
    Timeline timeline(image);
    CHECK(timeline.sample_count() == 0);
    CHECK(timeline.last_sample() == 0);
    CHECK(string_of(timeline).empty());
}
