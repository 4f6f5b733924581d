// SPDX-License-Identifier: BSD-3-Clause
#include "session/lifecycle/before_main.hpp"

#include "base/compiler.hpp"
#include "base/next_function.hpp"
#include "session/lifecycle/finalize.hpp"

#include <atomic>

namespace {

using Main = int (*)(int, char**, char**);
using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

std::atomic<bool> begun{false};
Main program_main;

int announced_main(int argc, char** argv, char** environment) {
    begun.store(true, std::memory_order_release);
    vftr::session::watch_exit();
    return program_main(argc, argv, environment);
}

} // namespace

extern "C" VFTR_PUBLIC int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                                             void (*loader_fini)(), void* stack_end) {
    auto real = reinterpret_cast<StartMain>(vftr::base::next_function("__libc_start_main"));
    program_main = main;
    return real(announced_main, argc, argv, init, fini, loader_fini, stack_end);
}

namespace vftr::session {

namespace {

// False if the program does not start through the wrapper above, since the library was loaded by dlopen or is behind
// the C library in the search order. Then the library does not learn when main begins, and records everything.
bool start_comes_by_here() {
    return base::first_function("__libc_start_main") == reinterpret_cast<void*>(&__libc_start_main);
}

} // namespace

bool main_has_begun() {
    if (begun.load(std::memory_order_acquire))
        return true;
    static std::atomic<int> announced{-1};
    if (announced.load(std::memory_order_relaxed) < 0)
        announced.store(start_comes_by_here(), std::memory_order_relaxed);
    return announced.load(std::memory_order_relaxed) == 0;
}

} // namespace vftr::session
