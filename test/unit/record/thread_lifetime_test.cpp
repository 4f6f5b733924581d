// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include <pthread.h>
#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {

void call(std::uint64_t function) {
    __cyg_profile_func_enter(reinterpret_cast<void*>(function), nullptr);
    __cyg_profile_func_exit(reinterpret_cast<void*>(function), nullptr);
}

std::uint64_t calls_in(const vfd::Image& image, std::uint64_t key) {
    std::uint64_t sum = 0;
    for (const vfd::ThreadView& thread : image.threads())
        for (std::uint32_t id = 0; id < thread.node_count; ++id)
            sum += thread.node(id).key == key ? thread.node(id).calls : 0;
    return sum;
}

} // namespace

TEST_CASE("records of ended threads are used again, and the counts add up", "[record][threads]") {
    know_thread_ends();
    Recording recording;
    constexpr int Threads = 300;
    for (int i = 0; i < Threads; ++i)
        std::thread([] {
            for (int j = 0; j < 10; ++j)
                call(0x1000);
        }).join();
    vfd::Image image = recording.live_image();
    CHECK(image.threads().size() == 64);
    CHECK(calls_in(image, 0x1000) == 10 * Threads);
    std::uint64_t reused = 0;
    for (const vfd::ThreadView& thread : image.threads()) {
        reused += thread.record->reused;
        CHECK(thread.record->end != 0);
        CHECK(thread.record->depth == 0);
    }
    CHECK(reused == Threads - 64);
    std::size_t lives = 0;
    for (const vfd::ThreadView& thread : image.threads()) {
        lives += thread.lives.size();
        std::uint64_t before = 0;
        for (const vfd::ThreadLife& life : thread.lives) {
            CHECK(life.tid != 0);
            CHECK(life.begin > before);
            CHECK(life.end > life.begin);
            before = life.end;
        }
        CHECK(thread.record->begin > before);
    }
    CHECK(lives == reused);
}

TEST_CASE("the event stream of a record that is used again tells the threads apart", "[record][threads]") {
    know_thread_ends();
    Settings settings;
    settings.sampling = settings.all_events = true;
    Recording recording(settings);
    for (int i = 0; i < 70; ++i)
        std::thread([] { call(0x1000); }).join();
    vfd::Image image = recording.live_image();
    unsigned changes = 0, enters = 0;
    for (const vfd::ThreadView& thread : image.threads())
        thread.for_each_event(image.header().flags, [&](const vfd::Event& event) {
            changes += event.kind == vfd::Event::Kind::Thread;
            enters += event.kind == vfd::Event::Kind::Enter;
        });
    CHECK(changes == 6);
    CHECK(enters == 70);
}

TEST_CASE("threads that live at the same time have records of their own", "[record][threads]") {
    know_thread_ends();
    Recording recording;
    constexpr int Threads = 100;
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, Threads);
    std::vector<std::thread> threads;
    for (int i = 0; i < Threads; ++i)
        threads.emplace_back([&barrier] {
            call(0x1000);
            pthread_barrier_wait(&barrier);
            call(0x1000);
        });
    for (std::thread& thread : threads)
        thread.join();
    vfd::Image image = recording.live_image();
    CHECK(image.threads().size() == Threads);
    for (const vfd::ThreadView& thread : image.threads())
        CHECK(thread.node(1).calls == 2);
    pthread_barrier_destroy(&barrier);
}

namespace {
pthread_key_t late_key;
void late_destructor(void* rounds) {
    call(0x2000);
    if (auto left = reinterpret_cast<std::uintptr_t>(rounds); left > 1)
        pthread_setspecific(late_key, reinterpret_cast<void*>(left - 1));
}
struct CallsAtEnd {
    ~CallsAtEnd() { call(0x3000); }
};
} // namespace

TEST_CASE("destructors of a thread's other data are recorded, and never begin the thread again", "[record][threads]") {
    know_thread_ends();
    pthread_key_create(&late_key, late_destructor); // later than ours: called after it in each round
    Recording recording;
    for (int i = 0; i < 20; ++i)
        std::thread([] {
            thread_local CallsAtEnd object;
            (void)&object;
            call(0x1000);
            pthread_setspecific(late_key, reinterpret_cast<void*>(4));
        }).join();
    pthread_key_delete(late_key);
    vfd::Image image = recording.live_image();
    CHECK(image.threads().size() == 20);
    CHECK(calls_in(image, 0x1000) == 20);
    CHECK(calls_in(image, 0x3000) == 20);
    CHECK(calls_in(image, 0x2000) == (3 - VFTR_THREAD_SANITIZER) * 20); // not those after the last round of ours
    for (const vfd::ThreadView& thread : image.threads())
        CHECK(thread.record->end != 0);
}

TEST_CASE("functions that are open when a thread ends are closed", "[record][threads]") {
    know_thread_ends();
    Recording recording;
    std::thread([] {
        __cyg_profile_func_enter(reinterpret_cast<void*>(0x1000), nullptr);
        pthread_exit(nullptr);
    }).join();
    vfd::Image image = recording.live_image();
    REQUIRE(image.threads().size() == 1);
    const vfd::ThreadView& thread = image.threads()[0];
    CHECK(thread.record->vanished == 1);
    CHECK(thread.node(1).open == 0);
    CHECK(thread.node(0).exclusive + thread.node(1).exclusive + thread.record->preempted ==
          thread.record->end - thread.record->begin);
}
