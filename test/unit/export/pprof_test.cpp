// SPDX-License-Identifier: BSD-3-Clause
//
// The file is read back with another part of protozero than the one that writes it.
#include "export/format.hpp"

#include "../analysis/profile_builder.hpp"
#include "exported_text.hpp"
#include "symbols/qualified_name.hpp"

#include <catch2/catch.hpp>

#include "config.h"

#if defined HAVE_PROTOZERO && defined HAVE_ZLIB

#include <map>
#include <protozero/pbf_reader.hpp>
#include <zlib.h>

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

namespace {

std::string unpacked(std::string packed) {
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK); // gzip only
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string text(1 << 20, '\0');
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    REQUIRE(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    REQUIRE(stream.avail_in == 0);
    text.resize(stream.total_out);
    inflateEnd(&stream);
    return text;
}

struct ReadFunction {
    std::string name, system_name, file;
    std::int64_t line = 0;
};

struct ReadProfile {
    std::vector<std::string> strings;
    std::vector<std::string> samples; // "leaf<caller<root calls ns rank"
    std::vector<ReadFunction> functions;
    std::map<std::uint64_t, std::string> modules; // by location
    std::vector<std::string> mappings, types, comments;
    std::map<int, std::int64_t> numbers; // by field

    explicit ReadProfile(const std::string& packed) {
        const std::string text = unpacked(packed);
        for (protozero::pbf_reader r(text); r.next();)
            if (r.tag() == 6)
                strings.push_back(r.get_string());
            else
                r.skip();
        for (protozero::pbf_reader r(text); r.next();)
            read(r);
    }

private:
    const std::string& at(std::int64_t string) const { return strings.at(static_cast<std::size_t>(string)); }

    // The integers of a message, by field.
    static std::map<int, std::int64_t> integers(protozero::pbf_reader r) {
        std::map<int, std::int64_t> all;
        while (r.next())
            if (r.wire_type() == protozero::pbf_wire_type::varint)
                all[static_cast<int>(r.tag())] = r.get_int64();
            else
                r.skip();
        return all;
    }

    void read(protozero::pbf_reader& r) {
        switch (r.tag()) {
        case 1: {
            auto of = integers(r.get_message());
            types.push_back(at(of[1]) + '/' + at(of[2]));
            break;
        }
        case 2:
            read_sample(r.get_message());
            break;
        case 3: {
            auto of = integers(r.get_message());
            CHECK(of[1] == static_cast<std::int64_t>(mappings.size() + 1));
            CHECK(of[7] == 1);
            mappings.push_back(at(of[5]));
            break;
        }
        case 4: {
            const auto view = r.get_view();
            auto of = integers(protozero::pbf_reader(view));
            CHECK(of[1] == static_cast<std::int64_t>(functions.size()));
            protozero::pbf_reader inside(view);
            REQUIRE(inside.next(4));
            auto line = integers(inside.get_message());
            CHECK(line[1] == of[1]);
            CHECK(line[2] == functions.back().line);
            modules[static_cast<std::uint64_t>(of[1])] =
                of[2] == 0 ? "" : mappings.at(static_cast<std::size_t>(of[2] - 1));
            break;
        }
        case 5: {
            auto of = integers(r.get_message());
            CHECK(of[1] == static_cast<std::int64_t>(functions.size() + 1));
            functions.push_back({at(of[2]), at(of[3]), at(of[4]), of[5]});
            break;
        }
        case 13:
            for (const std::int64_t comment : r.get_packed_int64())
                comments.push_back(at(comment));
            break;
        default:
            if (r.wire_type() == protozero::pbf_wire_type::varint)
                numbers[static_cast<int>(r.tag())] = r.get_int64();
            else
                r.skip();
        }
    }

    void read_sample(protozero::pbf_reader r) {
        std::string text;
        while (r.next())
            switch (r.tag()) {
            case 1:
                for (const std::uint64_t location : r.get_packed_uint64())
                    text += (text.empty() ? "" : "<") + functions.at(location - 1).name;
                break;
            case 2:
                for (const std::int64_t value : r.get_packed_int64())
                    text += ' ' + std::to_string(value);
                break;
            case 3: {
                auto label = integers(r.get_message());
                text += ' ' + at(label[1]) + '=' + at(label[2]);
                break;
            }
            default:
                FAIL();
            }
        samples.push_back(text);
    }
};

Subject pprof_subject() {
    analysis::Profile profile = one_rank(0);
    add(profile, "main<init", 1, 100, 1000);
    add(profile, "f(int, \"x\"); g<main<init", 7, 900, 900);
    add(profile, symbols::qualified("h", "plugin.so{1a2b3c4d}") + "<main<init", 2, 0, 0);
    add(profile, "plugin.so{1a2b3c4d}+0x1130<main<init", 1, 5, 5);
    add(profile, symbols::qualified("g", "prog{5a2b3c4d}*") + "<main<init", 3, 6, 6);
    add(profile, "never<main<init", 0, 0, 0);
    profile.summary.start_realtime_ns = 1'700'000'000'000'000'000;
    profile.summary.times.longest = 2000;
    Subject subject{"prog", {{"all calls", std::move(profile)}}, {"a remark"}, nullptr};
    subject.places["main"] = {"/home/me/a.c", 12};
    return subject;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("pprof's samples are call paths, leaf first, with calls and exclusive time", "[export]") {
    const ReadProfile read(exported_text("pprof", pprof_subject()));
    CHECK(read.samples == Texts{"main<init 1 100", "f(int, \"x\"); g<main<init 7 900", "h<main<init 2 0",
                                "plugin.so+0x1130<main<init 1 5", "g<main<init 3 6"});
    CHECK(read.types == Texts{"calls/count", "time/nanoseconds"});
    CHECK(read.strings.at(0).empty());
    CHECK(read.strings.at(static_cast<std::size_t>(read.numbers.at(14))) == "time");
    CHECK(read.numbers.at(9) == 1'700'000'000'000'000'000);
    CHECK(read.numbers.at(10) == 2000);
    CHECK(read.comments == Texts{"vftrace " PACKAGE_VERSION, "a remark"});
}

TEST_CASE("pprof's functions have the module and the line that are known", "[export]") {
    const ReadProfile read(exported_text("pprof", pprof_subject()));
    CHECK(read.mappings == Texts{"prog", "plugin.so"});
    REQUIRE(read.functions.size() == 7); // "never" is on no sample, but a path
    const auto& main = read.functions[1];
    CHECK(main.name == "main");
    CHECK(main.system_name == "main");
    CHECK(main.file == "/home/me/a.c");
    CHECK(main.line == 12);
    CHECK(read.modules.at(1).empty()); // init
    CHECK(read.modules.at(2) == "prog");
    // pprof would take the parameters off if the system's name were the same.
    CHECK(read.functions[2].name == "f(int, \"x\"); g");
    CHECK(read.functions[2].system_name.empty());
    CHECK(read.functions[3].name == "h");
    CHECK(read.modules.at(4) == "plugin.so");
    CHECK(read.modules.at(5) == "plugin.so");
    CHECK(read.modules.at(6) == "prog");
}

TEST_CASE("pprof's samples of several ranks have these as labels", "[export]") {
    Subject both = pprof_subject();
    both.parts.push_back(both.parts[0]);
    both.parts[1].profile.first_rank = 1;
    const ReadProfile read(exported_text("pprof", both));
    REQUIRE(read.samples.size() == 10);
    CHECK(read.samples[0] == "main<init 1 100 rank=0");
    CHECK(read.samples[5] == "main<init 1 100 rank=1");
    CHECK(read.functions.size() == 7);
}

TEST_CASE("pprof shows calls first where these are wanted", "[export]") {
    Options options;
    options.weight = Weight::Calls;
    const ReadProfile read(exported_text("pprof", pprof_subject(), options));
    CHECK(read.strings.at(static_cast<std::size_t>(read.numbers.at(14))) == "calls");
}

TEST_CASE("a profile without any call is a file for pprof, too", "[export]") {
    const ReadProfile read(exported_text("pprof", Subject{"", {{"all calls", one_rank(0)}}, {}, nullptr}));
    CHECK(read.samples.empty());
    CHECK(read.mappings == Texts{""});
}

#endif
