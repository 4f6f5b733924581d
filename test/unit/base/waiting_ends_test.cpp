// SPDX-License-Identifier: BSD-3-Clause
//
// What ends a thread and had to wait ends it then, and not the process.
#include "base/cancellation.hpp"
#include "base/signal_mask.hpp"

#include <catch2/catch.hpp>
#include <pthread.h>

using namespace vftr::base;

namespace {

int got_so_far;

void* result_of(void* (*work)(void*)) {
    pthread_t thread;
    void* result = nullptr;
    got_so_far = 0;
    REQUIRE(pthread_create(&thread, nullptr, work, nullptr) == 0);
    REQUIRE(pthread_join(thread, &result) == 0);
    return result;
}

void* raise_while_that_waits(void*) {
    InterruptionsDeferred later;
    raise(SIGUSR1);
    got_so_far = 1;
    return nullptr;
}

void* cancel_while_that_waits(void*) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
    CancellationDeferred later;
    pthread_cancel(pthread_self());
    got_so_far = 1;
    return nullptr;
}

} // namespace

TEST_CASE("A thread may end in a signal handler that had to wait") {
    struct sigaction end {
    }, before{};
    end.sa_handler = [](int) { pthread_exit(&got_so_far); };
    REQUIRE(sigaction(SIGUSR1, &end, &before) == 0);
    result_of([](void*) -> void* { pthread_exit(nullptr); }); // loads the unwinder, which no handler had better do
    CHECK(result_of(raise_while_that_waits) == &got_so_far);
    CHECK(got_so_far == 1);
    sigaction(SIGUSR1, &before, nullptr);
}

TEST_CASE("A thread may be cancelled by what had to wait") {
    CHECK(result_of(cancel_while_that_waits) == PTHREAD_CANCELED);
    CHECK(got_so_far == 1);
}
