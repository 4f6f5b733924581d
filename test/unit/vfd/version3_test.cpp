// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: reading version-3 `.vfd` files of 2.0 in `dump` and `report`. The files are made here, by the layout that
// version3.hpp describes.
#include "vfd/version3.hpp"

#include "analysis/profile/profile.hpp"
#include "analysis/timeline/timeline.hpp"
#include "image_builder.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

using namespace vftr;
using namespace vftr::test;

namespace {

void put_word(Bytes& out, std::string_view text) {
    put(out, static_cast<std::int32_t>(text.size() + 1));
    put_string(out, text);
    out.push_back(std::byte{0});
}

void call(Bytes& out, std::int32_t kind, std::int32_t stack, std::int64_t ms) {
    put(out, kind);
    put(out, stack);
    put(out, ms * 1'000'000);
    put(out, std::int64_t{4711}); // of the one counter
}

// Rank 1 of 2: main calls work twice, and MPI_Send once.
Bytes file(std::int64_t begin_of_message = 35) {
    const std::string_view date = "Sat Nov 21 01:37:36 2026";
    Bytes samples, stacks;
    call(samples, 0, 1, 10);
    call(samples, 0, 2, 20);
    call(samples, 1, 2, 25);
    call(samples, 0, 2, 26);
    call(samples, 1, 2, 30);
    call(samples, 0, 3, 35);
    put(samples, std::int32_t{2});
    for (std::int32_t field : {0, 0, 13, 1000, 8, 7}) // sent to rank 0: 1000 MPI_DOUBLE, tag 7
        put(samples, field);
    put(samples, begin_of_message * 1'000'000);
    put(samples, std::int64_t{40'000'000});
    put(samples, std::int32_t{3});
    put(samples, std::int32_t{0});
    call(samples, 1, 3, 40);
    call(samples, 1, 1, 90);
    const std::pair<std::int32_t, const char*> paths[] = {{-1, "init"}, {0, "main"}, {1, "work"}, {1, "MPI_Send*"}};
    for (const auto& [caller, name] : paths) {
        put(stacks, caller);
        put_word(stacks, name);
    }
    Bytes out;
    put(out, std::int32_t{3});
    put_word(out, "Vftrace 2.0.0");
    put_word(out, date);
    put_string(out, date);
    out.push_back(std::byte{0});
    put(out, std::int64_t{5'000'000});   // interval
    for (std::int32_t field : {2, 1, 3}) // processes, rank, threads
        put(out, field);
    put(out, 0.1);
    for (std::uint32_t field : {8u, 1u, 4u, 1u, 0u}) // samples, messages, stacks, counters, observables
        put(out, field);
    const std::int64_t at = static_cast<std::int64_t>(out.size()) + 4 * 8;
    for (std::int64_t offset : {at, at + static_cast<std::int64_t>(samples.size()), std::int64_t{0}, std::int64_t{0}})
        put(out, offset);
    out.insert(out.end(), samples.begin(), samples.end());
    out.insert(out.end(), stacks.begin(), stacks.end());
    return out;
}

} // namespace

TEST_CASE("A file of Vftrace 2.0 is an image with its samples, messages and a profile of them", "[version3]") {
    const vfd::Image image = MemoryFile(file()).open();
    CHECK(vfd::is_converted_version3(image.header()));
    CHECK(std::string(image.header().version_string) == "2.0.0 (vfd 3)");
    CHECK(image.header().rank == 1);
    CHECK(image.header().size == 2);
    CHECK(image.header().sample_interval == Approx(0.005));
    CHECK(image.closed());
    analysis::Timeline timeline(image);
    std::string calls;
    std::vector<std::string> messages;
    timeline.for_each_sample(
        [&](const analysis::Sample& s) {
            calls += (s.enter ? "+" : "-") + analysis::call_path(timeline.stacks(), s.stack) + '@' +
                     std::to_string(std::lround(s.seconds * 1000)) + ' ';
        },
        [&](const analysis::Message& m) {
            messages.push_back(std::to_string(m.bytes) + ' ' + std::string(image.type(m.type)->name) + ' ' +
                               std::to_string(m.tag));
        });
    CHECK(
        calls ==
        "+main<init@10 +work<main<init@20 -work<main<init@25 +work<main<init@26 -work<main<init@30 +MPI_Send<main<init@35 "
        "-MPI_Send<main<init@40 -main<init@90 ");
    CHECK(messages == std::vector<std::string>{"8000 MPI_DOUBLE 7"});

    analysis::Profile profile = analysis::load_profile(image);
    analysis::canonicalise(profile);
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> found; // calls, own time in ms
    for (std::uint32_t id = 0; id < profile.nodes.size(); ++id)
        found[analysis::call_path(profile, id)] = {profile.nodes[id].calls,
                                                   (profile.nodes[id].exclusive + 500'000) / 1'000'000};
    CHECK(found["work<main<init"] == std::pair<std::uint64_t, std::uint64_t>{2, 9});
    CHECK(found["MPI_Send<main<init"] == std::pair<std::uint64_t, std::uint64_t>{1, 5});
    CHECK(found["main<init"] == std::pair<std::uint64_t, std::uint64_t>{1, 66});
    CHECK(found["init"].second == 20);
    CHECK(profile.sent_bytes.sum == 8000);
}

TEST_CASE("Of a damaged file of Vftrace 2.0 an error tells the place", "[version3]") {
    CHECK_THROWS_AS(MemoryFile(file(41)).open(), vfd::Error); // a message that ends before it begins
    const Bytes good = file();
    for (std::size_t size = 24; size < good.size(); ++size) {
        INFO(size);
        CHECK_THROWS_AS(MemoryFile(std::span(good).first(size)).open(), vfd::Error);
    }
    // Whatever stands there: an error, or an image that can be read.
    for (std::size_t at = 24; at < good.size(); ++at)
        for (unsigned value : {0u, 1u, 0x7fu, 0x80u, 0xffu}) {
            Bytes bad = good;
            bad[at] = static_cast<std::byte>(value);
            try {
                const vfd::Image image = MemoryFile(bad).open();
                analysis::Timeline timeline(image);
                timeline.for_each_sample([](const analysis::Sample&) {}, [](const analysis::Message&) {});
                analysis::load_profile(image);
            } catch (const vfd::Error&) {
            }
        }
    SUCCEED();
}
