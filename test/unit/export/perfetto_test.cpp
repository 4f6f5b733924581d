// SPDX-License-Identifier: BSD-3-Clause
#include "config.h"

#ifdef HAVE_PROTOZERO
#include "export/format.hpp"
#include "export/perfetto/ids.hpp"

#include "../analysis/profile_builder.hpp"
#include "../analysis/recorded_program.hpp"

#include <catch2/catch.hpp>
#include <protozero/pbf_reader.hpp>

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

namespace {

// An event of a trace: "begin main", "end", "send", "receive".
struct TrackEvent {
    std::uint32_t sequence;
    std::uint64_t ns; // since the start of the run
    std::string what;
    std::uint64_t flow = 0;
    std::string source{}; // "main.c:7"
};

// What the packets of a trace say, of its sequences and tracks.
struct Trace {
    std::vector<TrackEvent> events;
    std::map<std::uint32_t, std::vector<std::uint32_t>> flags; // by sequence
    std::vector<std::int32_t> pids, tids;
    std::vector<std::string> process_texts; // command line, name, labels
    std::set<std::uint64_t> uuids;
};

// The values of all fields of this number.
std::vector<std::uint64_t> numbers(protozero::data_view message, protozero::pbf_tag_type field) {
    std::vector<std::uint64_t> values;
    for (protozero::pbf_reader reader(message); reader.next();)
        if (reader.tag() == field)
            values.push_back(reader.wire_type() == protozero::pbf_wire_type::fixed64 ? reader.get_fixed64()
                                                                                     : reader.get_uint64());
        else
            reader.skip();
    return values;
}
std::uint64_t number(protozero::data_view message, protozero::pbf_tag_type field, std::uint64_t otherwise = 0) {
    const auto values = numbers(message, field);
    return values.empty() ? otherwise : values.front();
}
std::vector<protozero::data_view> parts(protozero::data_view message, protozero::pbf_tag_type field) {
    std::vector<protozero::data_view> values;
    for (protozero::pbf_reader reader(message); reader.next();)
        if (reader.tag() == field)
            values.push_back(reader.get_view());
        else
            reader.skip();
    return values;
}
std::string text(protozero::data_view message, protozero::pbf_tag_type field) {
    const auto values = parts(message, field);
    return values.empty() ? std::string() : std::string(values.front());
}

class Reader {
public:
    Trace read(const std::string& bytes) {
        for (const protozero::data_view packet : parts(bytes, 1))
            take(packet);
        return std::move(trace_);
    }

private:
    struct Sequence {
        std::uint64_t start, now;
        std::map<std::uint64_t, std::string> names, sources;
    };

    void take(protozero::data_view packet) {
        const auto id = static_cast<std::uint32_t>(number(packet, 10));
        trace_.flags[id].push_back(static_cast<std::uint32_t>(number(packet, 13)));
        Sequence& sequence = sequences_[id];
        for (const auto& snapshot : parts(packet, 6))
            for (const auto& clock : parts(snapshot, 1))
                if (number(clock, 1) == 64)
                    sequence.start = sequence.now = number(clock, 2);
        for (const auto& interned : parts(packet, 12)) {
            for (const auto& name : parts(interned, 2))
                sequence.names[number(name, 1)] = text(name, 2);
            for (const auto& place : parts(interned, 4))
                sequence.sources[number(place, 1)] = text(place, 2) + ':' + std::to_string(number(place, 4));
        }
        for (const auto& track : parts(packet, 60)) {
            trace_.uuids.insert(number(track, 1));
            for (const auto& process : parts(track, 3)) {
                trace_.pids.push_back(static_cast<std::int32_t>(number(process, 1)));
                std::string texts;
                for (const auto& argument : parts(process, 2))
                    texts += std::string(argument) + ' ';
                trace_.process_texts.push_back(texts + text(process, 6) + ' ' + text(process, 8));
            }
            for (const auto& thread : parts(track, 4))
                trace_.tids.push_back(static_cast<std::int32_t>(number(thread, 2)));
        }
        for (const auto& event : parts(packet, 11))
            take(packet, event, id, sequence);
    }

    void take(protozero::data_view packet, protozero::data_view event, std::uint32_t id, Sequence& sequence) {
        const bool absolute = number(packet, 58, 64) != 64;
        const std::uint64_t time = absolute ? number(packet, 8) : sequence.now += number(packet, 8);
        const std::uint64_t type = number(event, 9);
        const std::string name =
            parts(event, 23).empty() ? sequence.names[number(event, 10)] : "note: " + text(event, 23);
        std::string source = sequence.sources[number(event, 34)];
        trace_.events.push_back({id, time - sequence.start,
                                 type == 1   ? "begin " + name
                                 : type == 2 ? "end"
                                             : name,
                                 number(event, 47) + number(event, 48), std::move(source)});
    }

    Trace trace_;
    std::map<std::uint32_t, Sequence> sequences_;
};

Subject subject_of(const RecordedProgram& recorded) {
    Subject subject{"prog", {}, {"a remark"}, &recorded.run};
    subject.parts.push_back({"all", one_rank(0)});
    return subject;
}

Trace trace_of(const Subject& subject) {
    std::string bytes;
    Sink sink([&](std::span<const std::byte> more) {
        bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
        return true;
    });
    find_format("perfetto")->write(subject, {}, sink);
    REQUIRE(sink.flush());
    return Reader().read(bytes);
}

// Without those of notes: "1000 begin main, 4000 end".
std::string events_of(const Trace& trace, std::uint32_t sequence) {
    std::string all;
    for (const TrackEvent& event : trace.events)
        if (event.sequence == sequence)
            all += (all.empty() ? "" : ", ") + std::to_string(event.ns) + ' ' + event.what;
    return all;
}

void set_process(ImageBuilder& builder, std::uint32_t pid, const char* host) {
    builder.header.pid = pid;
    std::strcpy(builder.header.hostname, host);
}

} // namespace

TEST_CASE("calls are slices in the order of time, on a sequence with a state of its own", "[export]") {
    const RecordedProgram recorded({program(nested_calls(), vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi)});
    const Trace trace = trace_of(subject_of(recorded));
    CHECK(events_of(trace, 1) == "0 begin init, 1000 begin main, 2000 begin zeta, 3000 end, 4000 begin alpha, 5000 "
                                 "begin deep, 8000 end, 9000 end, 20000 end, 1000000000 end");
    REQUIRE(trace.flags.size() == 2); // that of the notes
    for (const auto& [sequence, flags] : trace.flags) {
        CHECK(flags.front() == 3);
        CHECK(std::set(flags.begin() + 1, flags.end()) == std::set<std::uint32_t>{2});
    }
    CHECK(trace.events.front().what == "begin note: a remark");
    CHECK(trace.events.front().sequence != 1);
    CHECK(trace.uuids.size() == 4); // the root, notes, process and thread
}

TEST_CASE("calls that a killed process has not left stay open", "[export]") {
    EventEncoder e(us(0));
    e.enter(us(1), Main).enter(us(2), Zeta);
    ImageBuilder killed = program(e);
    killed.unsealed();
    std::vector<ImageBuilder> processes;
    processes.push_back(std::move(killed));
    const RecordedProgram recorded(std::move(processes));
    CHECK(events_of(trace_of(subject_of(recorded)), 1) == "0 begin init, 1000 begin main, 2000 begin zeta");
}

TEST_CASE("a message is a flow from where its send begins to where its receive ends", "[export]") {
    constexpr std::uint32_t Mpi = vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi;
    EventEncoder sends(us(0)), receives(us(0));
    sends.enter(us(1), Main).message(us(3), {us(2), Main, 1, 8, 0, 7}).leave(us(4));
    EventEncoder::Message late{us(2), Main, 0, 8, 0, 7, vfd::Direction::Receive};
    receives.enter(us(1), Main).leave(us(4)).message(us(6), late);
    const RecordedProgram recorded({program(sends, Mpi), program(receives, Mpi, 1)});
    const Trace trace = trace_of(subject_of(recorded));
    CHECK(events_of(trace, 1) == "0 begin init, 1000 begin main, 2000 send, 4000 end, 1000000000 end");
    // The receive is told where it begins, so that what follows in the file is earlier than its time.
    CHECK(events_of(trace, 2) == "0 begin init, 1000 begin main, 6000 receive, 4000 end, 1000000000 end");
    std::set<std::uint64_t> flows;
    for (const TrackEvent& event : trace.events)
        flows.insert(event.flow);
    CHECK(flows.size() == 2); // 0 for what is no message
    const auto says_of_arrows = [](const Trace& of) {
        return std::ranges::any_of(of.events, [](const TrackEvent& event) {
            return event.what.starts_with("begin note: Of 1 sends and receives 1 have no arrow");
        });
    };
    CHECK_FALSE(says_of_arrows(trace));
    const RecordedProgram alone({program(sends, Mpi)});
    CHECK(says_of_arrows(trace_of(subject_of(alone))));
}

TEST_CASE("slices say where their functions are declared", "[export]") {
    const RecordedProgram recorded({program(nested_calls())});
    Subject subject = subject_of(recorded);
    subject.places["zeta"] = {"a.c", 7};
    for (const TrackEvent& event : trace_of(subject).events) {
        INFO(event.what);
        CHECK(event.source == (event.what == "begin zeta" ? "a.c:7" : ""));
    }
}

TEST_CASE("processes have their pids where these tell all of them apart", "[export]") {
    constexpr std::uint32_t Mpi = vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi;
    const auto pids_of = [&](std::uint32_t first, std::uint32_t second, std::int32_t other_rank = 1) {
        ImageBuilder one = program(nested_calls(), Mpi), two = program(nested_calls(), Mpi, other_rank);
        set_process(one, first, "alpha");
        set_process(two, second, "beta");
        two.header.generation = 1;
        std::vector<ImageBuilder> processes;
        processes.push_back(std::move(one));
        processes.push_back(std::move(two));
        const RecordedProgram recorded(std::move(processes));
        const perfetto::Ids ids(recorded.run);
        CHECK(ids.thread(0).sequence != ids.thread(1).sequence);
        CHECK(ids.thread(0).sequence != ids.notes(0).sequence);
        CHECK(ids.thread(0).uuid != ids.thread(1).uuid);
        CHECK(ids.process(0).pid != ids.process(1).pid);
        CHECK(ids.thread(0).tid != ids.thread(1).tid);
        return std::pair(ids.process(0).pid, ids.process(1).pid);
    };
    // Both first threads of the builder have the tid 100.
    CHECK(pids_of(4711, 4712) == std::pair(1u, 2u));
    CHECK(pids_of(4711, 4711) == std::pair(1u, 2u));
    const auto of_one_rank = pids_of(4711, 4712, 0);
    CHECK(of_one_rank.first == 1);
    CHECK(of_one_rank.second >= 1u << 30);
}

TEST_CASE("ids do not depend on which ranks are there", "[export]") {
    constexpr std::uint32_t Mpi = vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi;
    ImageBuilder second = program(nested_calls(), Mpi, 1), again = program(nested_calls(), Mpi, 1);
    set_process(second, 100, "beta");
    set_process(again, 100, "beta");
    ImageBuilder first = program(nested_calls(), Mpi);
    set_process(first, 99, "beta");
    std::vector<ImageBuilder> both, alone;
    both.push_back(std::move(first));
    both.push_back(std::move(second));
    alone.push_back(std::move(again));
    const RecordedProgram of_both(std::move(both)), of_one(std::move(alone));
    const perfetto::Ids ids(of_both.run), one(of_one.run);
    CHECK(ids.thread(1).sequence == one.thread(0).sequence);
    CHECK(ids.thread(1).uuid == one.thread(0).uuid);
    CHECK(one.notes(0).sequence != one.thread(0).sequence);
    CHECK(ids.notes(1).sequence == one.notes(0).sequence);
    CHECK_FALSE(one.are_of_kernel()); // rank 0 may have the same pid on its host
}

TEST_CASE("a profile is a sample for each of its paths, with time and calls", "[export]") {
    analysis::Profile profile = one_rank(0);
    add(profile, "main<init", 1, 100, 1000);
    add(profile, "f<main<init", 7, 900, 900);
    const Subject subject{"prog", {{"all calls", std::move(profile)}}, {}};
    std::string bytes;
    Sink sink([&](std::span<const std::byte> more) {
        bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
        return true;
    });
    find_format("perfetto")->write(subject, {}, sink);
    REQUIRE(sink.flush());
    std::map<std::uint64_t, std::string> names, stacks;
    std::string samples;
    for (const protozero::data_view packet : parts(bytes, 1)) {
        for (const auto& interned : parts(packet, 12)) {
            for (const auto& name : parts(interned, 5))
                names[number(name, 1)] = text(name, 2);
            for (const auto& stack : parts(interned, 7))
                for (const std::uint64_t frame : numbers(stack, 2))
                    stacks[number(stack, 1)] += names[frame] + ' ';
        }
        for (const auto& sample : parts(packet, 135)) {
            CHECK(text(sample, 14).size() == 1); // packed
            samples += stacks[number(sample, 6)] + std::to_string(number(sample, 11)) + ' ' +
                       std::to_string(text(sample, 14)[0]) + '\n';
        }
    }
    CHECK(samples.find("init main 100 1\ninit main f 900 7\n") != samples.npos);
}

TEST_CASE("hosts and command lines of processes are harmless text", "[export]") {
    ImageBuilder builder = program(nested_calls());
    set_process(builder, 4711, "al\x1bpha");
    std::memcpy(builder.header.arguments, "./app\0a \xff\"b", 12);
    std::vector<ImageBuilder> processes;
    processes.push_back(std::move(builder));
    const RecordedProgram recorded(std::move(processes));
    CHECK(trace_of(subject_of(recorded)).process_texts ==
          std::vector<std::string>{"./app a ?\"b rank 0: app (4711) al?pha, pid 4711"});
}
#endif
