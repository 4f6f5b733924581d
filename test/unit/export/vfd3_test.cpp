// SPDX-License-Identifier: BSD-3-Clause
#include "export/format.hpp"

#include "../analysis/recorded_program.hpp"
#include "base/temporary_folder.hpp"
#include "vfd/version3_bytes.hpp"
#include "vfd/version3_samples.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace vftr;
using namespace vftr::test;
using vfd::version3::Sample;

namespace {

struct Read {
    std::vector<vfd::version3::Stack> stacks;
    std::vector<Sample> samples;
    std::vector<std::pair<std::int32_t, std::int32_t>> types; // numbers and sizes
};

Read written(const RecordedProgram& recorded, const std::string& file) {
    const base::TemporaryFolder folder;
    exports::Subject subject{"a/prog", {}, {}, nullptr};
    subject.timeline = &recorded.run;
    exports::find_format("vfd3")->write_folder(subject, {}, folder.path());
    const std::string path = folder.path() + '/' + file;
    std::ifstream stream(path, std::ios::binary);
    REQUIRE(stream);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    const vfd::version3::Head head = vfd::version3::head_of(vfd::version3::Cursor(bytes, path));
    CHECK(head.size == 2);
    vfd::version3::Types types;
    Read read{vfd::version3::stacks_of(vfd::version3::Cursor(bytes, path, head.stacks_at), head),
              vfd::version3::samples_of(vfd::version3::Cursor(bytes, path, head.samples_at), head, types),
              {}};
    for (const auto& [type, id] : types.all())
        read.types.push_back(type);
    return read;
}

} // namespace

TEST_CASE("a file of Vftrace 2.0 has the calls that were made, and only the paths of its thread", "[export]") {
    ImageBuilder recorded = program(nested_calls(), vfd::FlagSampling | vfd::FlagAllEvents, 1);
    const Read read = written(RecordedProgram({std::move(recorded)}), "a_prog_1.vfd");
    std::string names;
    for (const vfd::version3::Stack& stack : read.stacks)
        names += stack.name + ' ';
    CHECK(names == "init main zeta alpha deep ");
    std::string calls;
    for (const Sample& sample : read.samples)
        calls += (sample.kind == Sample::Kind::Call ? '+' : '-') + std::to_string(sample.stack);
    CHECK(calls == "+0+1+2-2+3+4-4-3-1-0");
}

TEST_CASE("messages of Vftrace 2.0's files have the type of their elements, unless these are too many", "[export]") {
    constexpr std::uint64_t Large = std::uint64_t{3} << 32;
    EventEncoder e(us(0));
    e.enter(us(1), Main).enter(us(2), Zeta);
    e.message(us(3), {us(2), Zeta, 0, 80, 1, 9, vfd::Direction::Send, vfd::Span::Rank, -1, 0, 0});
    e.message(us(4), {us(3), Zeta, 0, Large, 0, 9, vfd::Direction::Receive, vfd::Span::Rank, -1, 0, 0});
    e.leave(us(5)).leave(us(20));
    ImageBuilder recorded = program(e, vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi, 1);
    recorded.type(1, 8, "MPI_DOUBLE");
    const Read read = written(RecordedProgram({std::move(recorded)}), "a_prog_1.vfd");
    std::vector<Sample> messages;
    for (const Sample& sample : read.samples)
        if (sample.kind == Sample::Kind::Message)
            messages.push_back(sample);
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].bytes == 80);
    CHECK(messages[0].direction == vfd::Direction::Send);
    CHECK(messages[1].bytes == Large);
    CHECK(messages[1].direction == vfd::Direction::Receive);
    REQUIRE(read.types.size() == 2);
    CHECK(vfd::version3::type_name(read.types[0].first) == "MPI_DOUBLE");
    CHECK(read.types[0].second == 8);
    CHECK(vfd::version3::type_name(read.types[1].first) == "MPI_BYTE");
}

TEST_CASE("types of MPI have the numbers that Vftrace 2.0 gave them", "[export]") {
    CHECK(vfd::version3::type_number("MPI_CHAR") == 0);
    CHECK(vfd::version3::type_number(vfd::version3::type_name(36)) == 36);
    CHECK(vfd::version3::type_number("MPI_CHARS") == -1);
    CHECK(vfd::version3::type_number("DOUBLE") == -1);
    CHECK(vfd::version3::type_number("") == -1);
}
