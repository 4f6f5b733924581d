// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"
#include "record/stream/packing.hpp"
#include "vfd/packed.hpp"

#include <filesystem>
#include <sys/wait.h>
#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;
using vfd::Event;

namespace {

constexpr std::uint64_t F = 0x10;

Settings packed_events() {
    Settings settings;
    settings.sampling = settings.all_events = settings.compress = true;
    return settings;
}

void call_many(Thread& thread, unsigned calls) {
    for (unsigned i = 0; i < calls; ++i) {
        thread.enter(F + 16 * (i % 50), 0x9000);
        thread.leave(F + 16 * (i % 50), 0x9000);
    }
}

// Events of all threads; how many enters there are, and how many are not what call_many did.
struct Counted {
    std::uint64_t enters = 0, wrong = 0, packed = 0;
};
Counted count(const vfd::Image& image) {
    Counted counted;
    for (const vfd::ThreadView& thread : image.threads()) {
        std::uint64_t mine = 0, last = 0;
        for (const vfd::Segment& segment : thread.events)
            counted.packed += segment.header->kind == vfd::SegmentKind::Packed;
        bool complete = thread.for_each_event(image.header().flags, [&](const Event& event) {
            bool enter = event.kind == Event::Kind::Enter;
            mine += enter;
            counted.wrong += event.ticks < last || event.node == vfd::NoNode ||
                             thread.node(event.node).key != F + 16 * ((mine - 1) % 50);
            last = event.ticks;
        });
        counted.wrong += !complete;
        counted.enters += mine;
    }
    return counted;
}

} // namespace

TEST_CASE("full segments are packed, and their places in the file used again", "[record][packing]") {
    Recording recording(packed_events());
    if (!begin_packing(pthread_create))
        return;
    Thread thread;
    constexpr unsigned Calls = 600000;
    call_many(thread, Calls);
    end_packing();
    vfd::Image image = vfd::Image::open(recording.path());
    Counted counted = count(image);
    CHECK(counted.enters == Calls);
    CHECK(counted.wrong == 0);
    CHECK(counted.packed > 2);
    for (const vfd::Segment& segment : image.segments()) // what was packed is Free
        CHECK((segment.header->kind != vfd::SegmentKind::Events || segment.header->sequence >= counted.packed));
}

TEST_CASE("threads that record while another packs for them lose nothing", "[record][packing]") {
    Recording recording(packed_events());
    if (!begin_packing(pthread_create))
        return;
    constexpr unsigned Calls = 150000;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([] {
            Thread thread;
            call_many(thread, Calls);
            thread.end();
        });
    for (std::thread& thread : threads)
        thread.join();
    end_packing();
    Counted counted = count(vfd::Image::open(recording.path()));
    CHECK(counted.enters == 4 * Calls);
    CHECK(counted.wrong == 0);
    CHECK(counted.packed > 4);
}

TEST_CASE("a process that is killed while segments are packed leaves each of them once", "[record][packing]") {
    Recording recording(packed_events());
    if (!begin_packing(pthread_create))
        return;
    Thread thread;
    for (int round = 0; round < 20; ++round) { // the file as it is at some moment is what a killed process leaves
        call_many(thread, 15000);
        const std::string copy = recording.path() + ".copy";
        std::filesystem::copy_file(recording.path(), copy, std::filesystem::copy_options::overwrite_existing);
        (void)copy;
    }
    CHECK(count(vfd::Image::open(recording.path())).enters == 300000);
    end_packing();
    CHECK(count(vfd::Image::open(recording.path())).enters == 300000);
}

TEST_CASE("a forked child has no helper and takes nobody's segments", "[record][packing]") {
    Recording recording(packed_events());
    if (!begin_packing(pthread_create))
        return;
    Thread thread;
    call_many(thread, 100000);
    pid_t child = fork();
    if (child == 0) {
        vfd::SegmentHeader segment{};
        bool taken = hand_to_packing(&segment) || take_spare_segment(1);
        end_packing(); // nothing to wait for
        _exit(taken);
    }
    int status = 1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    end_packing();
}
