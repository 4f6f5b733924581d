// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"
#include "record/stream/events.hpp"

#include <algorithm>
#include <csignal>
#include <sys/resource.h>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using vfd::Event;

namespace {

constexpr std::uint64_t F = 0x10, G = 0x20;

Settings every_event() {
    Settings settings;
    settings.sampling = settings.all_events = true;
    return settings;
}

std::vector<Event> events_of(const vfd::Image& image, std::size_t thread = 0) {
    std::vector<Event> events;
    image.threads().at(thread).for_each_event(image.header().flags, [&](const Event& e) { events.push_back(e); });
    return events;
}

// A limit on the size of files, for the life of this.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

} // namespace

TEST_CASE("numbers in the event stream are LEB128", "[record][events]") {
    for (std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x7f}, std::uint64_t{0x80}, std::uint64_t{0x3fff},
          std::uint64_t{0x4000}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        std::uint8_t bytes[16] = {};
        std::uint8_t* end = base::put_leb128(bytes, value);
        std::uint64_t decoded = 0;
        for (unsigned i = 0; bytes + i < end; ++i) {
            decoded |= std::uint64_t{bytes[i] & 0x7fu} << (7 * i);
            CHECK((bytes[i] & 0x80) == (bytes + i + 1 < end ? 0x80 : 0));
        }
        CHECK(decoded == value);
        CHECK(end - bytes <= 10);
    }
}

TEST_CASE("every event comes back from the file in its order", "[record][events]") {
    Recording recording(every_event());
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    thread.leave(G, 0x8000);
    thread.enter(G, 0x8000);
    thread.enter(G, 0x7000); // recursion too
    thread.leave(G, 0x7000);
    thread.leave(G, 0x8000);
    thread.leave(F, 0x9000);
    vfd::Image image = vfd::Image::open(recording.path());
    std::vector<Event> events = events_of(image);
    using Kind = Event::Kind;
    std::vector<Kind> kinds;
    std::vector<std::uint64_t> keys;
    for (const Event& event : events) {
        kinds.push_back(event.kind);
        keys.push_back(image.threads()[0].node(event.node).key);
    }
    CHECK(kinds == std::vector<Kind>{Kind::Enter, Kind::Enter, Kind::Leave, Kind::Enter, Kind::Enter, Kind::Leave,
                                     Kind::Leave, Kind::Leave});
    CHECK(keys == std::vector<std::uint64_t>{F, G, G, G, G, G, G, F});
    for (std::size_t i = 1; i < events.size(); ++i)
        CHECK(events[i].ticks >= events[i - 1].ticks);
    CHECK(events.front().ticks >= image.header().start.ticks);
}

TEST_CASE("the stream goes on in new segments", "[record][events]") {
    Recording recording(every_event());
    Thread thread;
    constexpr int Calls = 60000;
    for (int i = 0; i < Calls; ++i) {
        thread.enter(F + 16 * (static_cast<unsigned>(i) % 50), 0x9000);
        thread.leave(F + 16 * (static_cast<unsigned>(i) % 50), 0x9000);
    }
    vfd::Image image = vfd::Image::open(recording.path());
    CHECK(image.threads()[0].events.size() > 1);
    std::uint64_t enters = 0, leaves = 0, wrong = 0, last = 0;
    for (const Event& event : events_of(image)) {
        (event.kind == Event::Kind::Enter ? enters : leaves)++;
        wrong += event.ticks < last || event.node == vfd::NoNode ||
                 image.threads()[0].node(event.node).key !=
                     F + 16 * ((event.kind == Event::Kind::Enter ? enters - 1 : leaves - 1) % 50);
        last = event.ticks;
    }
    CHECK(enters == Calls);
    CHECK(leaves == Calls);
    CHECK(wrong == 0);
}

namespace {

// Bytes of so many calls of so many callees in turn, but for the first calls.
double bytes_of_calls(unsigned callees) {
    constexpr unsigned Calls = 10000, First = 500;
    Recording recording(every_event());
    Thread thread;
    std::uint64_t first_bytes = 0;
    for (unsigned i = 0; i < Calls; ++i) {
        thread.enter(F + 16 * (i % callees), 0x9000);
        thread.leave(F + 16 * (i % callees), 0x9000);
        if (i + 1 == First)
            first_bytes = thread.state().event_segment->used;
    }
    vfd::Image image = vfd::Image::open(recording.path());
    std::uint64_t bytes = 0, at = 0, wrong = 0;
    for (const vfd::Segment& segment : image.threads()[0].events)
        bytes += segment.payload.size();
    for (const Event& event : events_of(image))
        wrong += image.threads()[0].node(event.node).key != F + 16 * (at++ / 2 % callees);
    CHECK(at == 2 * Calls);
    CHECK(wrong == 0);
    return static_cast<double>(bytes - first_bytes);
}

} // namespace

TEST_CASE("however many callees a function has, in the same order again they take as many bytes as one",
          "[record][events]") {
    // What the times take depends on the machine.
    double least = 1e9;
    for (int tries = 0; tries < 5; ++tries)
        least = std::min(least, bytes_of_calls(500) / bytes_of_calls(1));
    CHECK(least < 1.25);
}

TEST_CASE("calls that are taken back from the stream predict nothing", "[record][events]") {
    Settings settings = every_event();
    settings.min_duration = 200e-6;
    Recording recording(settings);
    Thread thread;
    thread.enter(F, 0x9000);
    constexpr std::uint64_t Short = 0x1000, Long = 0x2000;
    for (unsigned i = 0; i < 200; ++i) {
        for (unsigned j = 0; j < i % 5; ++j) {
            thread.enter(Short + 16 * (i % 7), 0x8000);
            thread.enter(Short + 16 * (j % 3), 0x7000);
            thread.leave(Short + 16 * (j % 3), 0x7000);
            thread.leave(Short + 16 * (i % 7), 0x8000);
        }
        thread.enter(Long + 16 * (i % 3), 0x8000);
        for (std::uint64_t begin = base::monotonic_ns(); base::monotonic_ns() - begin < 250'000;)
            ;
        thread.leave(Long + 16 * (i % 3), 0x8000);
    }
    vfd::Image image = recording.live_image();
    std::vector<std::uint64_t> entered;
    for (const Event& event : events_of(image))
        if (std::uint64_t key = image.threads()[0].node(event.node).key;
            event.kind == Event::Kind::Enter && key >= Long)
            entered.push_back(key);
    CHECK(entered.size() == 200);
    for (std::size_t i = 0; i < entered.size(); ++i)
        CHECK(entered[i] == Long + 16 * (i % 3));
}

TEST_CASE("frames that vanish leave the stream as well", "[record][events]") {
    Recording recording(every_event());
    Thread thread;
    thread.enter(F, 0x9000);
    thread.enter(G, 0x8000);
    thread.enter(G, 0x7000);
    thread.leave(F, 0x9000);
    int depth = 0;
    for (const Event& event : events_of(vfd::Image::open(recording.path())))
        depth += event.kind == Event::Kind::Enter ? 1 : -1;
    CHECK(depth == 0);
}

TEST_CASE("on a full disk the stream ends and the profile goes on", "[record][events]") {
    Recording recording(every_event());
    Thread thread;
    constexpr unsigned Calls = 60000;
    {
        FileSizeLimit limit(100000);
        for (unsigned i = 0; i < Calls; ++i) {
            thread.enter(F + 16 * (i % 300), 0x9000);
            thread.leave(F + 16 * (i % 300), 0x9000);
        }
    }
    std::uint64_t calls = 0;
    for (unsigned i = 0; i < 300; ++i)
        calls += thread.calls(F + 16 * i);
    CHECK(calls == Calls);
    vfd::Image image = recording.live_image();
    CHECK((image.header().flags & vfd::FlagEventsLost) != 0);
    CHECK((image.header().flags & vfd::FlagFileLost) != 0);
    CHECK(thread.state().stream == StreamNone);
    CHECK(image.threads()[0].node_count == 301);
    std::size_t events = events_of(vfd::Image::open(recording.path())).size();
    CHECK(events > 0);
    CHECK(events < 2 * Calls);
}

TEST_CASE("a precise function is in the stream each time, others once per interval", "[record][events]") {
    Settings settings;
    settings.sampling = true;
    settings.sample_interval = 3600;
    Recording recording(settings);
    Thread thread;
    thread.enter(F, 0x9000);
    std::uint64_t region = intern("precise", vfd::NodeKind::Region);
    for (int i = 0; i < 100; ++i) {
        thread.enter(G, 0x8000);
        thread.leave(G, 0x8000);
        enter_named(region, vfd::NodeKind::Region, 0x9000);
        leave_named(region);
    }
    vfd::Image image = recording.live_image();
    unsigned regions = 0, others = 0;
    for (const Event& event : events_of(image))
        (image.threads()[0].node(event.node).key == region ? regions : others)++;
    CHECK(regions == 200);
    CHECK(others == 0);
}

TEST_CASE("with an interval of nothing but a tick nearly every event is a sample", "[record][events]") {
    Settings settings;
    settings.sampling = true;
    settings.sample_interval = 1e-9;
    Recording recording(settings);
    Thread thread;
    for (int i = 0; i < 100; ++i) {
        thread.enter(F, 0x9000);
        spend_time(10);
        thread.leave(F, 0x9000);
        spend_time(10);
    }
    CHECK(events_of(recording.live_image()).size() > 150);
}
