// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include <set>
#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using vfd::NodeKind;

TEST_CASE("ten thousand names keep their keys and texts", "[record][names]") {
    Recording recording;
    std::vector<std::uint64_t> keys;
    for (int i = 0; i < 10000; ++i)
        keys.push_back(recorder.names.intern("region " + std::to_string(i), NodeKind::Region));
    CHECK(std::set<std::uint64_t>(keys.begin(), keys.end()).size() == 10000);
    unsigned wrong = 0;
    for (std::size_t i = 0; i < keys.size(); ++i)
        wrong += recorder.names.intern("region " + std::to_string(i), NodeKind::Region) != keys[i] ||
                 (i % 100 == 0 && recorder.names.text(keys[i]) != "region " + std::to_string(i));
    CHECK(wrong == 0);
    vfd::Image image = vfd::Image::open(recording.path());
    CHECK(image.names().size() == 10001); // and the pause
}

TEST_CASE("threads that make the same names at once get the same keys", "[record][names]") {
    Recording recording;
    constexpr int Threads = 4, Count = 500;
    std::vector<std::uint64_t> keys[Threads];
    std::vector<std::thread> threads;
    for (auto& mine : keys)
        threads.emplace_back([&mine] {
            for (int i = 0; i < Count; ++i)
                mine.push_back(recorder.names.intern(std::to_string(i), NodeKind::Region));
        });
    for (std::thread& thread : threads)
        thread.join();
    for (auto& others : keys)
        CHECK(others == keys[0]);
    CHECK(std::set<std::uint64_t>(keys[0].begin(), keys[0].end()).size() == Count);
}

TEST_CASE("a name that is too long is cut, an empty one is a name", "[record][names]") {
    Recording recording;
    std::string name(100000, 'x');
    std::uint64_t key = recorder.names.intern(name, NodeKind::Region);
    REQUIRE(key != 0);
    CHECK(recorder.names.text(key) == name.substr(0, 4096));
    CHECK(recorder.names.intern(name, NodeKind::Region) == key);
    std::uint64_t empty = recorder.names.intern("", NodeKind::Region);
    CHECK(empty != 0);
    CHECK(recorder.names.text(empty).empty());
    CHECK(recorder.names.text(vfd::NamedKey | 0xffff).empty());
}

TEST_CASE("keys of a parent process mean nothing in its child", "[record][names]") {
    Recording recording;
    std::uint64_t before = recorder.names.intern("a", NodeKind::Region);
    recorder.names.create(&recorder.writer); // as a forked child does
    CHECK(recorder.names.known("a", NodeKind::Region) == 0);
    CHECK(recorder.names.intern("b", NodeKind::Region) > before);
    CHECK(recorder.names.text(before).empty());
}
