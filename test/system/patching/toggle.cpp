// SPDX-License-Identifier: BSD-3-Clause
//
// A program that takes hook calls out of its own text and puts them back. The hooks are its own and count.
//
//   toggle text [PLUGIN]               each function alone: what is called, what the text is; says how many of its calls are out
//   toggle everywhere [PLUGIN]         the same, without telling where the calls are
//   toggle stress TIMES [PLUGIN]       threads that call all functions, while these are taken out and put back TIMES times
//   toggle fork [PLUGIN]               parent and child
//   toggle unload PLUGIN OTHER         these come and go while their functions are out
//   toggle possible                    whether it can be done here: exit code 0, else 3
//
// The instrumented functions (work.c) are the PLUGIN's, else the program's.
#include "patch/patch.hpp"
#include "work.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" {
void __cyg_profile_func_enter(void* function, void* site);
void __cyg_profile_func_exit(void* function, void* site);
const struct work* the_work(void) __attribute__((weak));
}

namespace {

const work* watched;
thread_local long enters[KINDS], exits[KINDS];
// Return addresses of enter hooks: a function may stand within others, and compilers make copies.
thread_local std::vector<std::uint64_t> hook_sites[KINDS];

int kind_of(void* function) {
    for (int kind = 0; watched && kind < KINDS; ++kind)
        if (watched->functions[kind] == function)
            return kind;
    return -1;
}
std::uint64_t address(int kind) { return reinterpret_cast<std::uint64_t>(watched->functions[kind]); }

void expect(bool right, const std::string& what) {
    if (right)
        return;
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(1);
}

// As it would be excluded: where it is called first.
std::size_t take_out(int kind) {
    for (std::uint64_t site : hook_sites[kind])
        vftr::patch::take_out_below(address(KINDS - 1), address(kind), static_cast<std::uint32_t>(site));
    return vftr::patch::take_out(address(kind));
}

struct Counts {
    long enters[KINDS], exits[KINDS];
};
Counts counts() {
    Counts now;
    std::memcpy(now.enters, enters, sizeof enters);
    std::memcpy(now.exits, exits, sizeof exits);
    return now;
}

constexpr long Rounds = 33;

// One run; the kinds that are said to be out call no hooks, the others all.
void run_and_compare(long right, unsigned out) {
    const Counts before = counts();
    long calls[KINDS] = {};
    expect(watched->run(Rounds, calls) == right, "wrong result");
    const Counts after = counts();
    for (int kind = 0; kind < KINDS; ++kind) {
        const long wanted = out >> kind & 1 ? 0 : calls[kind];
        for (const auto& [name, seen] : {std::pair("enter", after.enters[kind] - before.enters[kind]),
                                         std::pair("exit", after.exits[kind] - before.exits[kind])})
            expect(seen == wanted, std::string(name) + " hooks of kind " + std::to_string(kind) + ": " + std::to_string(seen) + ", not " +
                                       std::to_string(wanted) + "; out: " + std::to_string(out));
    }
}

// The text of the functions, as it is, to the end of its last page.
std::string text() {
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    for (int kind = 0; kind < KINDS; ++kind) {
        low = std::min(low, address(kind));
        high = std::max(high, address(kind) / 4096 * 4096 + 4096);
    }
    return std::string(reinterpret_cast<const char*>(low), high - low);
}

void each_alone(long right) {
    const std::string whole = text();
    for (int kind = 0; kind + 1 < KINDS; ++kind) {
        const std::size_t out = take_out(kind);
        std::printf("kind %d: %zu calls are out\n", kind, out);
        expect(out >= 2 && text() != whole, "nothing is out of kind " + std::to_string(kind));
        run_and_compare(right, 1u << kind);
        expect(take_out(kind) == out, "out twice");
        vftr::patch::put_back(address(kind));
        expect(text() == whole, "the text is not as it was: kind " + std::to_string(kind));
        run_and_compare(right, 0);
    }
    unsigned all = 0;
    for (int kind = 0; kind + 1 < KINDS; ++kind) {
        take_out(kind);
        all |= 1u << kind;
        run_and_compare(right, all);
    }
    for (int kind = KINDS - 2; kind >= 0; --kind) {
        vftr::patch::put_back(address(kind));
        all &= ~(1u << kind);
        run_and_compare(right, all);
    }
    expect(text() == whole, "the text is not as it was");
}

void found_by_themselves(long right) {
    const std::string whole = text();
    for (int kind = 0; kind + 1 < KINDS; ++kind) {
        const std::size_t out = vftr::patch::take_out_everywhere(address(kind));
        std::printf("kind %d: %zu calls are out\n", kind, out);
        expect(out >= 2, "nothing is out of kind " + std::to_string(kind));
        run_and_compare(right, 1u << kind);
        vftr::patch::put_back(address(kind));
        expect(text() == whole, "the text is not as it was: kind " + std::to_string(kind));
    }
    run_and_compare(right, 0);
}

void under_threads(long right, long times) {
    const std::string whole = text();
    std::atomic<bool> over{false};
    std::atomic<int> wrong{0}, started{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            // The thread that changes the text is not to wait for these.
            setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);
            long calls[KINDS] = {};
            for (long n = 0; !over || n < 2; ++n) {
                wrong += watched->run(Rounds, calls) != right;
                started += n == 0;
            }
            const int last = KINDS - 1;
            wrong += enters[last] != calls[last] || exits[last] != calls[last];
        });
    while (started < 8)
        std::this_thread::yield();
    for (long i = 0; i < times; ++i) {
        const int kind = static_cast<int>(i % (KINDS - 1));
        const std::size_t out = take_out(kind);
        expect(out >= 2, "nothing is out");
        vftr::patch::put_back(address(kind));
    }
    over = true;
    for (std::thread& thread : threads)
        thread.join();
    expect(wrong == 0, "threads had wrong results or counts");
    expect(text() == whole, "the text is not as it was");
    run_and_compare(right, 0);
}

void parent_and_child(long right) {
    const std::string whole = text();
    expect(vftr::patch::take_out(address(0)) >= 2, "nothing is out");
    const pid_t child = fork();
    if (child == 0) {
        run_and_compare(right, 1);
        vftr::patch::put_back(address(0));
        expect(text() == whole, "the child's text is not as it was");
        expect(vftr::patch::take_out(address(1)) >= 2, "nothing is out of the child");
        run_and_compare(right, 2);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    expect(status == 0, "the child failed");
    run_and_compare(right, 1);
    vftr::patch::put_back(address(0));
    expect(text() == whole, "the text is not as it was");
}

void* load(const char* path) {
    void* object = dlopen(path, RTLD_LAZY);
    expect(object != nullptr, "no plugin");
    watched = reinterpret_cast<decltype(&the_work)>(dlsym(object, "the_work"))();
    for (auto& sites : hook_sites)
        sites.clear();
    return object;
}

void come_and_go(long right, const char* one, const char* other) {
    const unsigned all = (1u << (KINDS - 1)) - 1;
    for (int i = 0; i < 6; ++i) {
        void* object = load(i % 3 ? one : other);
        long calls[KINDS] = {};
        expect(watched->run(Rounds, calls) == right, "wrong result");
        const std::string whole = text();
        for (int kind = 0; kind + 1 < KINDS; ++kind)
            expect(take_out(kind) >= 2, "nothing is out of kind " + std::to_string(kind));
        run_and_compare(right, all);
        if (i % 2)
            for (int kind = 0; kind + 1 < KINDS; ++kind)
                vftr::patch::put_back(address(kind));
        expect((text() == whole) == (i % 2 == 1), "the text is not as it should be");
        std::vector<std::uint64_t> gone;
        for (int kind = 0; kind + 1 < KINDS; ++kind)
            gone.push_back(address(kind));
        dlclose(object);
        for (std::uint64_t function : gone)
            vftr::patch::put_back(function);
    }
    load(one);
    run_and_compare(right, 0);
}

} // namespace

void __cyg_profile_func_enter(void* function, void*) {
    if (const int kind = kind_of(function); kind >= 0) {
        ++enters[kind];
        const auto site = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
        std::vector<std::uint64_t>& sites = hook_sites[kind];
        if (std::find(sites.begin(), sites.end(), site) == sites.end())
            sites.push_back(site);
    }
}
void __cyg_profile_func_exit(void* function, void*) {
    if (const int kind = kind_of(function); kind >= 0)
        ++exits[kind];
}

int main(int count, char** arguments) {
    const std::string what = count > 1 ? arguments[1] : "";
    if (what == "possible")
        return vftr::patch::possible() && vftr::patch::possible() ? 0 : 3;
    const bool stress = what == "stress";
    const int plugin = stress ? 3 : 2;
    void* object = nullptr;
    if (count > plugin)
        object = load(arguments[plugin]);
    else
        watched = the_work();
    if (!vftr::patch::possible())
        return 3;
    long calls[KINDS] = {};
    const long right = watched->run(Rounds, calls);
    run_and_compare(right, 0);
    if (what == "text")
        each_alone(right);
    else if (what == "everywhere")
        found_by_themselves(right);
    else if (stress)
        under_threads(right, std::atol(arguments[2]));
    else if (what == "unload" && count == 4)
        dlclose(object), come_and_go(right, arguments[2], arguments[3]);
    else if (what == "fork")
        parent_and_child(right);
    else
        return 2;
    std::puts("right");
    return 0;
}
