// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/run_timeline.hpp"

#include "recorded_program.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::test;
using analysis::Profile;
using analysis::RunThread;
using analysis::RunTimeline;
using analysis::Selection;
using analysis::TimelineMessage;

namespace {

// "+zeta@1000 -zeta@2000 ", without the root.
class Text final : public analysis::TimelineVisitor {
public:
    explicit Text(const Profile& paths) : paths_(paths) {}
    void enter(std::uint64_t ns, std::uint32_t path) override { add('+', ns, path); }
    void leave(std::uint64_t ns, std::uint32_t path) override { add('-', ns, path); }
    void message(const TimelineMessage& message) override {
        messages.push_back(message);
        text +=
            (message.direction == vfd::Direction::Send ? "send@" : "receive@") + std::to_string(message.begin) + ' ';
    }
    void still_open(std::uint64_t ns, std::span<const std::uint32_t> open) override {
        for (const std::uint32_t path : open)
            add('?', ns, path);
    }
    std::string text;
    std::vector<TimelineMessage> messages;

private:
    void add(char what, std::uint64_t ns, std::uint32_t path) {
        if (path != 0)
            text += what + paths_.names[paths_.nodes[path].name] + '@' + std::to_string(ns) + ' ';
    }
    const Profile& paths_;
};

std::string text_of(ImageBuilder builder, const Selection& selection = {}) {
    const RecordedProgram recorded({std::move(builder)}, selection);
    Text text(recorded.run.paths());
    for (const RunThread& thread : recorded.run.threads())
        recorded.run.visit(thread, text);
    return text.text;
}

} // namespace

TEST_CASE("calls nest and have nanoseconds since the start", "[timeline]") {
    CHECK(text_of(program(nested_calls())) == "+main@1000 +zeta@2000 -zeta@3000 +alpha@4000 +deep@5000 -deep@8000 "
                                              "-alpha@9000 -main@20000 ");
}

TEST_CASE("a recording without a timeline has no threads in it", "[timeline]") {
    CHECK(text_of(program(nested_calls(), 0)).empty());
}

TEST_CASE("callers whose enter is missing begin with their callee", "[timeline]") {
    EventEncoder e(us(0));
    e.enter(us(5), Deep).leave_of(us(6), Deep).leave_of(us(7), Main);
    CHECK(text_of(program(e)) == "+main@5000 +alpha@5000 +deep@5000 -deep@6000 -alpha@7000 -main@7000 ");
}

TEST_CASE("with a sampling interval each event shows the whole path", "[timeline]") {
    EventEncoder e(us(0));
    e.enter(us(5), Deep).leave_of(us(6), Zeta).enter(us(7), Zeta).enter(us(8), Zeta).leave_of(us(9), Main);
    CHECK(text_of(program(e, vfd::FlagSampling)) == "+main@5000 +alpha@5000 +deep@5000 -deep@6000 -alpha@6000 "
                                                    "+zeta@7000 -zeta@8000 +zeta@8000 -zeta@9000 -main@9000 ");
}

TEST_CASE("recursion that is folded onto one path nests", "[timeline]") {
    EventEncoder e(us(0));
    e.enter(us(1), Main).enter(us(2), Zeta).enter(us(3), Zeta).leave(us(4)).leave(us(5)).leave(us(6));
    CHECK(text_of(program(e)) == "+main@1000 +zeta@2000 +zeta@3000 -zeta@4000 -zeta@5000 -main@6000 ");
}

TEST_CASE("calls of a killed process stay open, and those of another end with it", "[timeline]") {
    EventEncoder e(us(0));
    e.enter(us(1), Main).enter(us(2), Zeta);
    ImageBuilder killed = program(e);
    killed.header.state = vfd::FileState::Open;
    const std::string open = text_of(killed);
    CHECK(open.starts_with("+main@1000 +zeta@2000 ?main@"));
    CHECK(text_of(program(e)).starts_with("+main@1000 +zeta@2000 -zeta@"));
}

TEST_CASE("a part of the time clips the calls around it", "[timeline]") {
    Selection selection;
    selection.from = 4500;
    selection.to = 8500;
    CHECK(text_of(program(nested_calls()), selection) ==
          "+main@4500 +alpha@4500 +deep@5000 -deep@8000 -alpha@8500 -main@8500 ");
    selection.from = 30000;
    selection.to = 40000;
    CHECK(text_of(program(nested_calls()), selection).empty());
}

TEST_CASE("functions are selected by name, with callees that match", "[timeline]") {
    Selection selection;
    selection.function = [](const std::string& name) { return name == "deep" || name == "main"; };
    CHECK(text_of(program(nested_calls()), selection) == "+main@1000 +deep@5000 -deep@8000 -main@20000 ");
}

TEST_CASE("short calls are left out, and their callers are told in time", "[timeline]") {
    Selection selection;
    selection.shortest = 3000;
    CHECK(text_of(program(nested_calls()), selection) == "+main@1000 +alpha@4000 +deep@5000 -deep@8000 -alpha@9000 "
                                                         "-main@20000 ");
    selection.shortest = 3001;
    CHECK(text_of(program(nested_calls()), selection) == "+main@1000 +alpha@4000 -alpha@9000 -main@20000 ");
}

TEST_CASE("it is known how many calls take how long", "[timeline]") {
    RecordedProgram recorded({program(nested_calls())});
    RunTimeline& run = recorded.run;
    REQUIRE(run.threads().size() == 1);
    run.leave_out_shorter(4000);
    CHECK(run.durations().count() == 5); // with the root, and with what is left out now
    CHECK(run.durations().at_least(4000) == 3);
    const std::uint64_t threshold = run.durations().threshold(3);
    CHECK(threshold > 3000);
    CHECK(threshold <= 5000);
}

TEST_CASE("that events of a process that has ended are damaged is known after a visit", "[timeline]") {
    EventEncoder damaged(us(0));
    damaged.enter(us(1), Main).enter(us(2), 99).leave(us(3));
    RecordedProgram recorded({program(damaged)});
    CHECK_FALSE(recorded.run.has_cut_stream());
    Text text(recorded.run.paths());
    recorded.run.visit(recorded.run.threads()[0], text);
    CHECK(text.text.starts_with("+main@1000 "));
    CHECK(recorded.run.has_cut_stream());
}

TEST_CASE("a send and its receive have a number in common", "[timeline]") {
    using vfd::Direction;
    EventEncoder sender(us(0)), receiver(us(0));
    // Two sends that overlap: the first one ends last.
    sender.enter(us(1), Main)
        .message(us(5), {us(3), Main, 1, 8, 0, 7})
        .message(us(6), {us(2), Main, 1, 8, 0, 7})
        .message(us(9), {us(8), Main, 1, 16, 0, 7})
        .leave(us(10));
    receiver.enter(us(1), Main)
        .message(us(7), {us(2), Main, 0, 8, 0, 7, Direction::Receive})
        .message(us(8), {us(7), Main, 0, 8, 0, 7, Direction::Receive})
        .message(us(9), {us(8), Main, 0, 16, 0, 7, Direction::Receive})
        .leave(us(10));
    constexpr std::uint32_t Flags = vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi;
    const RecordedProgram recorded({program(sender, Flags, 0), program(receiver, Flags, 1)});
    const RunTimeline& run = recorded.run;
    for (int again = 0; again < 2; ++again) {
        Text sends(run.paths()), receives(run.paths());
        run.visit(run.threads()[0], sends);
        run.visit(run.threads()[1], receives);
        CHECK(sends.text == "+main@1000 send@2000 send@3000 send@8000 -main@10000 ");
        REQUIRE(receives.messages.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(sends.messages[i].pair == receives.messages[i].pair);
            CHECK(sends.messages[i].pair != 0);
        }
        CHECK(sends.messages[0].pair != sends.messages[1].pair);
    }
    CHECK(run.threads()[0].paired == 3);
    CHECK(run.threads()[0].one_ended == 0);
    CHECK(RecordedProgram({program(receiver, Flags, 1)}).run.threads()[0].one_ended == 3);
}

TEST_CASE("times count from the start of the run, whatever ranks are selected", "[timeline]") {
    constexpr std::uint32_t Flags = vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi;
    ImageBuilder first = program(nested_calls(), Flags, 0), second = program(nested_calls(), Flags, 1);
    second.header.start.monotonic_ns += 5000;
    second.header.start.realtime_ns += 5000;
    Selection selection;
    selection.ranks = *config::RankSet::parse("1", nullptr);
    const RecordedProgram recorded({first, second}, selection);
    REQUIRE(recorded.run.processes().size() == 1);
    Text text(recorded.run.paths());
    recorded.run.visit(recorded.run.threads()[0], text);
    CHECK(text.text.starts_with("+main@6000 "));
}

TEST_CASE("messages go with the calls in which they begin", "[timeline]") {
    EventEncoder e(us(0));
    e.enter(us(1), Main).enter(us(2), Zeta).message(us(3), {us(2), Zeta, 1, 8, 0, 7}).leave(us(4));
    e.enter(us(5), Alpha).message(us(6), {us(6), Alpha, 1, 8, 0, 7}).leave(us(9)).leave(us(10));
    Selection selection;
    selection.shortest = 3000;
    CHECK(text_of(program(e, vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi), selection) ==
          "+main@1000 +alpha@5000 send@6000 -alpha@9000 -main@10000 ");
}
