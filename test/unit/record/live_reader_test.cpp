// SPDX-License-Identifier: BSD-3-Clause
//
// Everything at once: for the thread sanitizer, and for what a reader may see while threads record.
#include "fixture.hpp"
#include "record/threads/thread_lifetime.hpp"

#include <atomic>
#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {

void call(std::uint64_t function) { __cyg_profile_func_enter(reinterpret_cast<void*>(function), nullptr); }
void leave(std::uint64_t function) { __cyg_profile_func_exit(reinterpret_cast<void*>(function), nullptr); }

__attribute__((noinline)) void work(unsigned depth, std::uint64_t seed) {
    std::uint64_t function = 0x1000 + 16 * (seed % 23);
    call(function);
    if (depth != 0)
        work(depth - 1, seed * 7 + depth);
    leave(function);
}

void record_until(const std::atomic<bool>& stop) {
    for (std::uint64_t i = 0; !stop; ++i) {
        work(static_cast<unsigned>(i % 40), i);
        if (i % 16 == 0) {
            std::uint64_t key = intern(("region " + std::to_string(i % 500)).c_str(), vfd::NodeKind::Region);
            if (enter_named(key, vfd::NodeKind::Region, reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa())))
                leave_named(key);
        }
    }
}

} // namespace

TEST_CASE("a reader of the live memory sees whole records while threads record, pause and end", "[record][live]") {
    Settings settings;
    settings.sampling = settings.all_events = true;
    settings.event_buffer_bytes = 1 << 16;
    Recording recording(settings);
    prepare_thread_ends();
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back(record_until, std::cref(stop));
    std::uint64_t nodes = 0, last_nodes = 0;
    for (int i = 0; i < 60; ++i) {
        if (i % 10 == 5)
            pause_all();
        if (i % 10 == 7)
            resume_all();
        std::thread([] { work(3, 1); }).join();
        vfd::Writer::Reading reading(recorder.writer);
        vfd::Image image = recording.live_image();
        last_nodes = nodes;
        nodes = 0;
        for (const vfd::ThreadView& thread : image.threads()) {
            nodes += thread.node_count;
            CHECK(thread.node_count >= 1);
        }
        CHECK(nodes >= last_nodes);
        CHECK(image.names().size() <= 501);
    }
    resume_all();
    stop = true;
    for (std::thread& thread : threads)
        thread.join();
    vfd::Image image = vfd::Image::open(recording.path());
    for (const vfd::ThreadView& thread : image.threads()) {
        std::uint64_t open = 0;
        for (std::uint32_t id = 0; id < thread.node_count; ++id)
            open += thread.node(id).open;
        CHECK(open == 0);
    }
}
