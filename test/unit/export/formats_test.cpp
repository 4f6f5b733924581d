// SPDX-License-Identifier: BSD-3-Clause
#include "export/format.hpp"
#include "export/tables/tables.hpp"

#include "../analysis/profile_builder.hpp"
#include "../analysis/recorded_program.hpp"
#include "exported_text.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <set>

#include "config.h"

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

namespace {

std::string text_of(const std::string& format, const Subject& subject, const Options& options = {}) {
    return exported_text(format, subject, options);
}

Subject subject() {
    analysis::Profile profile = one_rank(0);
    profile.nodes[0].inclusive = 1000;
    add(profile, "main<init", 1, 100, 1000);
    add(profile, "f(int, \"x\"); g<main<init", 7, 900, 900);
    return {"prog", {{"all calls", std::move(profile)}}, {"a remark"}, nullptr};
}

Subject of_two_ranks() {
    Subject both = subject();
    both.parts[0].title = "rank 0";
    both.parts.push_back(both.parts[0]);
    both.parts[1].title = "rank 1";
    return both;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("formats are found by name", "[export]") {
    CHECK(find_format("folded")->suffix == "folded");
    CHECK(find_format("FOLDED") == nullptr);
    CHECK(find_format("") == nullptr);
    for (const Format& format : formats())
        CHECK(find_format(format.name) == &format);
}

TEST_CASE("each format gives the same bytes for the same profile or timeline", "[export]") {
    const RecordedProgram recorded({program(nested_calls())});
    Subject of_timeline = of_two_ranks();
    of_timeline.timeline = &recorded.run;
    for (const Format& format : formats()) {
        INFO(format.name);
        if (format.needs != Needs::Timeline) {
            const std::string once = text_of(std::string(format.name), of_two_ranks());
            CHECK(once == text_of(std::string(format.name), of_two_ranks()));
            CHECK((has(once, "main") || format.suffix.ends_with("gz")));
        }
        if (format.needs != Needs::Profile && format.write) {
            const std::string once = text_of(std::string(format.name), of_timeline);
            CHECK(once == text_of(std::string(format.name), of_timeline));
            CHECK(has(once, "main"));
        }
    }
}

TEST_CASE("folded stacks have a line for each path with time", "[export]") {
    CHECK(text_of("folded", subject()) == "init;main 100\ninit;main;f(int, \"x\"), g 900\n");
    CHECK(text_of("folded", of_two_ranks()).starts_with("rank 0;init;main 100\n"));
    Options calls;
    calls.weight = Weight::Calls;
    CHECK(has(text_of("folded", subject(), calls), "init;main;f(int, \"x\"), g 7\n"));
}

TEST_CASE("comma-separated values quote what has commas and quotes", "[export]") {
    const std::string text = text_of("csv", subject());
    CHECK(has(text, "all calls,2,1,2,\"f(int, \"\"x\"\"); g\",7,900,900,0,1,"));
    CHECK(has(text, "all calls,0,,0,init,"));
}

TEST_CASE("each table has a cell for each of its columns, and a name of its own", "[export]") {
    std::set<std::string_view> names;
    for (const Table* table : tables()) {
        INFO(table->name);
        CHECK(find_table(table->name) == table);
        CHECK(names.insert(table->name).second);
        Options options;
        options.table = table;
        const std::string text = text_of("csv", of_two_ranks(), options);
        const std::string titles = text.substr(0, text.find('\r'));
        CHECK(titles.starts_with("part,"));
        CHECK(std::ranges::count(titles, ',') == std::ssize(table->columns()));
    }
    CHECK(find_table("path") == nullptr);
    Options breakdown;
    breakdown.table = find_table("breakdown");
    CHECK(text_of("csv", subject(), breakdown) ==
          "part,activity,sum_ns,min_ns,min_rank,max_ns,max_rank\r\n"); // the profile has no times of activities
    Options messages;
    messages.table = find_table("messages");
    Subject with_messages = subject();
    with_messages.parts[0].profile.messages = {{2, {3, 24, 5}, {}}};
    CHECK(has(text_of("csv", with_messages, messages),
              "_time_ns,in_calls_ns\r\nall calls,2,\"f(int, \"\"x\"\"); g\",3,24,5,0,0,0,900\r\n"));
}

TEST_CASE("callgrind names functions in each part, as kcachegrind forgets names at a new one", "[export]") {
    const std::string text = text_of("callgrind", of_two_ranks());
    CHECK(text.starts_with("# callgrind format\nversion: 1\n"));
    CHECK(has(text, "desc: Note: a remark\n"));
    const std::string functions =
        "\ncob=(2) prog\ncfi=(1)\ncfn=(2) main\ncalls=1 0\n0 1000 1\n\nob=(2)\nfl=(1)\nfn=(2)\n0 100 1\ncob=(2)\ncfi=(1)\ncfn=(3) f(int, \"x\"); g\ncalls=7 0\n0 900 7\n";
    const std::size_t second = text.find("part: 2\n");
    REQUIRE(second != text.npos);
    CHECK(has(text.substr(0, second), functions));
    CHECK(has(text.substr(second), functions));
}

TEST_CASE("callgrind's remarks leave the line of events where kcachegrind looks for it", "[export]") {
    Subject much = subject();
    for (int i = 0; i < 20; ++i)
        much.remarks.push_back("remark " + std::to_string(i) + std::string(300, '.'));
    const std::string text = text_of("callgrind", much);
    CHECK(text.find("\nevents: ns Calls\n") < 2000);
    CHECK(has(text, "\ndesc: Note: remark 0."));
    CHECK(has(text, "\n# Note: remark 19."));
    CHECK(has(text, "\ndesc: Note: more notes are comments"));
}

TEST_CASE("a call graph leaves out what is small, and says so", "[export]") {
    Subject small = subject();
    add(small.parts[0].profile, "tiny<main<init", 1, 1, 1);
    const std::string text = text_of("dot", small);
    CHECK(has(text, "f(int, \\\"x\\\"); g\\n89.9 % of 89.9 %\\n7 calls"));
    CHECK_FALSE(has(text, "tiny"));
    CHECK(has(text, "1 functions with less than 0.50 % of the time are left out"));
    Options all;
    all.min_share = 0;
    CHECK(has(text_of("dot", small, all), "tiny"));
}

#ifdef HAVE_RAPIDJSON
TEST_CASE("speedscope's weights are exclusive times", "[export]") {
    const std::string text = text_of("speedscope", of_two_ranks());
    CHECK(has(text, R"("frames":[{"name":"init"},{"name":"main"},{"name":"f(int, \"x\"); g"}])"));
    CHECK(has(
        text,
        R"({"type":"sampled","name":"rank 1","unit":"nanoseconds","samples":[[0,1],[0,1,2]],"weights":[100,900],"startValue":0,"endValue":1000})"));
}
#endif

#ifdef HAVE_RAPIDJSON
TEST_CASE("names of speedscope's profiles sort as ranks do", "[export]") {
    constexpr std::uint32_t Mpi = vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi;
    const auto calls = [] {
        EventEncoder e(us(0));
        e.enter(us(1), Main).leave(us(4));
        return e;
    };
    std::vector<ImageBuilder> ranks;
    for (const int rank : {2, 10}) {
        ranks.push_back(program(calls(), Mpi, rank));
        ranks.back().header.size = 11;
    }
    const RecordedProgram recorded(std::move(ranks));
    Subject subject = of_two_ranks();
    subject.timeline = &recorded.run;
    const std::string text = text_of("speedscope", subject);
    CHECK(has(text, R"("name":"rank 02, thread 0")"));
    CHECK(has(text, R"("name":"rank 10, thread 0")"));
    CHECK(has(text, R"("vftrace_remarks":["a remark"])"));
}

TEST_CASE("only viewers that load a whole timeline have a limit unless one is given", "[export]") {
    CHECK(find_format("chrome")->reader == Reader::LoadsAll);
    CHECK(find_format("events")->reader == Reader::Streams);
}
#endif

#ifdef HAVE_RAPIDJSON
TEST_CASE("trace events have µs with three decimals, and flows from sends to receives", "[export]") {
    EventEncoder e(us(0));
    e.enter(us(1), Main).message(us(3), {us(2), Main, 1, 8, 0, 7}).leave(us(4));
    const RecordedProgram recorded({program(e, vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi)});
    Subject subject = of_two_ranks();
    subject.timeline = &recorded.run;
    const std::string text = text_of("chrome", subject);
    CHECK(has(text, R"({"ph":"X","pid":0,"tid":0,"ts":1.000,"cat":"function","name":"main","dur":3.000})"));
    CHECK(has(text, R"("name":"process_name","pid":0,"tid":0,"args":{"name":"rank 0"})"));
    CHECK(has(text, R"({"ph":"s","pid":0,"tid":0,"ts":2.000,"cat":"message","name":"message","id":"0x)"));
    CHECK(has(text, R"("args":{"to rank":1,"bytes":8,"tag":7}})"));
    CHECK(has(text, R"("remark 1":"a remark","remark 2":"Of 1 sends and receives 1 have no arrow,)"));
}

// Viewers take the first one in the file for the outer one.
TEST_CASE("of trace events with equal times the outer call comes first", "[export]") {
    EventEncoder e(us(0));
    e.enter(us(1), Main).enter(us(1), Zeta).leave(us(4)).leave(us(4));
    const RecordedProgram recorded({program(e)});
    Subject subject = of_two_ranks();
    subject.timeline = &recorded.run;
    const std::string text = text_of("chrome", subject);
    const std::size_t main = text.find(R"("name":"main","dur":3.000)"),
                      zeta = text.find(R"("name":"zeta","dur":3.000)");
    CHECK(main < zeta);
    CHECK(zeta != std::string::npos);
}
#endif

TEST_CASE("events have a row for each call, and no duration where it has not ended", "[export]") {
    EventEncoder e(us(0));
    e.enter(us(1), Main).enter(us(2), Zeta).leave(us(4));
    ImageBuilder killed = program(e);
    killed.header.state = vfd::FileState::Open;
    const RecordedProgram recorded({killed});
    Subject subject = of_two_ranks();
    subject.timeline = &recorded.run;
    const std::string text = text_of("events", subject);
    CHECK(text.starts_with("rank,process,thread,start_ns,duration_ns,path,function,kind,call,depth\r\n"));
    CHECK(has(text, ",0,2000,2000,3,zeta,function,2,2\r\n"));
    CHECK(has(text, ",0,1000,,1,main,function,1,1\r\n"));
    CHECK(has(text, ",0,0,,0,init,root,0,0\r\n"));
}

TEST_CASE("a sink counts what is beyond its limit and passes on nothing of it", "[export]") {
    std::size_t passed = 0;
    Sink sink(
        [&](std::span<const std::byte> bytes) {
            passed += bytes.size();
            return true;
        },
        100);
    sink.text(std::string(90, 'x'));
    CHECK(sink.flush());
    CHECK_FALSE(sink.is_too_large());
    sink.text(std::string(90, 'x'));
    CHECK(sink.flush());
    CHECK(sink.is_too_large());
    CHECK(sink.bytes() == 180);
    CHECK(passed == 90);
}

TEST_CASE("a flame graph's boxes are as wide as the times", "[export]") {
    const std::string text = text_of("flamegraph", subject());
    CHECK(has(
        text,
        "data-w=\"0.900000000000\" data-row=\"2\" data-name=\"f(int, &quot;x&quot;); g\"><title>f(int, \"x\"); g\n"));
    CHECK(has(text, "<title>a remark</title>a remark</text>"));
}

TEST_CASE("source places stand where a format has room for them", "[export]") {
    Subject placed = subject();
    placed.places["main"] = {"/src/a.c", 42};
    CHECK(has(text_of("csv", placed), "all calls,1,0,1,main,1,100,1000,0,1,0,/src/a.c,42,function,"));
    CHECK(has(text_of("callgrind", placed), "\nob=(2)\nfl=(2)\nfn=(2)\n42 100 1\ncob=(2)\ncfi=(1)\ncfn=(3)"));
    CHECK(has(text_of("callgrind", placed), "\ncfi=(2) /src/a.c\ncfn=(2) main\ncalls=1 42\n0 1000 1\n"));
    CHECK(has(text_of("flamegraph", placed), "1 calls\n/src/a.c:42</title>"));
#ifdef HAVE_RAPIDJSON
    CHECK(has(text_of("speedscope", placed), R"({"name":"main","file":"/src/a.c","line":42})"));
#endif
}

TEST_CASE("a sink that cannot write says so", "[export]") {
    Sink sink([](std::span<const std::byte>) { return false; });
    sink.text("x");
    CHECK_FALSE(sink.flush());
    CHECK_FALSE(sink.flush());
}
