// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/profile.hpp"

#include "../vfd/image_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace vftr;
using namespace vftr::analysis;
using namespace vftr::test;

namespace {

// main calls solve; both call exp of a library, which has no hooks. A sample stands for 1 ms.
enum Node : std::uint32_t { Root, Main, Solve };
constexpr std::uint64_t Ms = 2'000'000; // ticks
constexpr std::uint64_t MainCode = 0x401000, SolveCode = 0x402000, Exp = 0x7f0000001100, NoSymbol = 0x7f0000001800;
constexpr std::uint64_t KernelsClock = 0x7f0000003100, ClockGettime = 0x7f0000005100;

vfd::CpuSample sample(std::uint64_t address, std::uint32_t node, std::uint64_t count) {
    const std::uint16_t module = address < 0x500000         ? 1
                                 : address < 0x7f0000002000 ? 2
                                 : address < 0x7f0000004000 ? 3
                                                            : 4;
    return {address, node, module, 0, count};
}

// What the recorder reads, and how often solve is called; a pair of hooks takes 60 ns.
struct Hooks {
    vfd::ClockKind clock = vfd::ClockKind::Tsc;
    std::uint64_t calls = 0;
};

// The kind is that of `solve`.
Profile profile(const std::vector<vfd::CpuSample>& samples, vfd::NodeKind kind = vfd::NodeKind::Function,
                std::uint64_t solve_ms = 500, Hooks hooks = {}) {
    std::vector<vfd::Node> nodes{ImageBuilder::root(), ImageBuilder::function(Root, MainCode),
                                 ImageBuilder::function(Main, SolveCode)};
    nodes[Main].module = nodes[Solve].module = 1;
    nodes[Main].children = nodes[Root].children = 1;
    nodes[Solve].kind = kind;
    nodes[Solve].calls = hooks.calls;
    const std::uint64_t ms = hooks.clock == vfd::ClockKind::Monotonic ? Ms / 2 : Ms; // whose ticks are nanoseconds
    nodes[Solve].exclusive = nodes[Solve].inclusive = solve_ms * ms;
    nodes[Main].exclusive = 500 * ms;
    nodes[Main].inclusive = nodes[Main].exclusive + nodes[Solve].inclusive;
    ImageBuilder b;
    b.header.rank = -1;
    b.header.sample_ns = 1'000'000;
    b.header.clock = hooks.clock;
    if (hooks.calls != 0)
        b.header.costs.timed = b.header.costs.timed_long = 60e-6 * static_cast<double>(ms);
    b.module(1, 0x400000, 0x404000, "/usr/bin/app").module(2, 0x7f0000000000, 0x7f0000002000, "/lib/libm.so.6");
    b.module(3, 0x7f0000003000, 0x7f0000004000, "[vdso]").module(4, 0x7f0000005000, 0x7f0000006000, "/lib/libc.so.6");
    b.name(ClockGettime, "clock_gettime", vfd::NodeKind::Function, 4);
    b.name(MainCode, "main", vfd::NodeKind::Function, 1).name(SolveCode, "solve", kind, 1);
    b.name(Exp, "exp", vfd::NodeKind::Function, 2);
    b.thread(0, nodes).samples(0, samples);
    const vfd::Image image = b.open();
    return profile_of(image);
}

const PathNode* path(const Profile& profile, const std::string& wanted) {
    for (std::uint32_t id = 0; id < profile.nodes.size(); ++id)
        if (call_path(profile, id) == wanted)
            return &profile.nodes[id];
    return nullptr;
}

std::uint64_t milliseconds(std::uint64_t ns) { return (ns + 500'000) / 1'000'000; }

std::size_t unhooked(const Profile& profile) {
    return static_cast<std::size_t>(std::count_if(profile.nodes.begin(), profile.nodes.end(), [](const PathNode& node) {
        return node.kind == NodeKind::Unhooked;
    }));
}

} // namespace

TEST_CASE("code without hooks has a path with the time of its samples below the one that ran", "[thread_samples]") {
    const Profile p = profile({sample(SolveCode, Solve, 300), sample(Exp, Solve, 150), sample(Exp + 0, Main, 40),
                               sample(Exp, Solve, 50), sample(MainCode, Main, 460)});
    const PathNode *below_solve = path(p, "[libm.so.6] exp<solve<main<init"),
                   *below_main = path(p, "[libm.so.6] exp<main<init");
    REQUIRE(below_solve);
    REQUIRE(below_main);
    CHECK(milliseconds(below_solve->exclusive) == 200);
    CHECK(milliseconds(below_main->exclusive) == 40);
    CHECK(below_solve->inclusive == below_solve->exclusive);
    CHECK(below_solve->calls == 0);
    CHECK(below_solve->variance == 200'000'000); // of 200 samples of 1 ms, in µs²
    const PathNode *solve = path(p, "solve<main<init"), *main = path(p, "main<init");
    CHECK(milliseconds(solve->exclusive) == 300);
    CHECK(milliseconds(main->exclusive) == 460);
    CHECK(milliseconds(solve->inclusive) == 500);
    CHECK(milliseconds(main->inclusive) == 1000);
    CHECK(solve->variance == below_solve->variance);
    CHECK(milliseconds(p.summary.runtime_sum) == milliseconds(main->inclusive));
    CHECK(unhooked(p) == 2);
}

TEST_CASE("code without a symbol has one path for its object", "[thread_samples]") {
    const Profile p =
        profile({sample(SolveCode, Solve, 300), sample(NoSymbol, Main, 40), sample(NoSymbol + 16, Main, 60)});
    CHECK(unhooked(p) == 1);
    const PathNode* object = path(p, "[libm.so.6]<main<init");
    REQUIRE(object);
    CHECK(milliseconds(object->exclusive) == 100);
}

TEST_CASE("samples beyond the time of their caller take no other time", "[thread_samples]") {
    const Profile p = profile({sample(SolveCode, Solve, 300), sample(Exp, Solve, 300)}, vfd::NodeKind::Function, 150);
    CHECK(path(p, "solve<main<init")->exclusive < 1000);
    CHECK(milliseconds(path(p, "[libm.so.6] exp<solve<main<init")->exclusive) == 150);
    CHECK(milliseconds(path(p, "main<init")->inclusive) == 650);
}

TEST_CASE("what MPI functions and constructs consist of stays theirs", "[thread_samples]") {
    const auto kind = GENERATE(vfd::NodeKind::Mpi, vfd::NodeKind::Pause);
    const Profile p = profile({sample(MainCode, Main, 300), sample(Exp, Solve, 100)}, kind);
    CHECK(unhooked(p) == 0);
    CHECK(milliseconds(path(p, "solve<main<init")->exclusive) == 500);
}

TEST_CASE("fifty samples of a thread are needed", "[thread_samples]") {
    CHECK(unhooked(profile({sample(MainCode, Main, 25), sample(Exp, Main, 24)})) == 0);
    CHECK(unhooked(profile({sample(MainCode, Main, 25), sample(Exp, Main, 25)})) == 1);
}

// Issue: where the kernel does not trust the processor's counter, as on many virtual machines, the time in which hooks
// read the clock was taken for the program's.
TEST_CASE("samples in the system's clock are those of hooks that read it", "[thread_samples]") {
    const std::vector<vfd::CpuSample> samples{sample(SolveCode, Solve, 500), sample(MainCode, Main, 200),
                                              sample(KernelsClock, Main, 250), sample(ClockGettime, Main, 50)};
    const Profile p = profile(samples, vfd::NodeKind::Function, 500, {vfd::ClockKind::Monotonic, 5'000'000});
    CHECK(unhooked(p) == 0);
    CHECK(milliseconds(path(p, "main<init")->exclusive) == Approx(200).margin(20));
    CHECK(milliseconds(path(p, "solve<main<init")->exclusive) == Approx(500).margin(20));

    const Profile by_counter = profile(samples, vfd::NodeKind::Function, 500, {vfd::ClockKind::Tsc, 5'000'000});
    CHECK(milliseconds(path(by_counter, "[vdso]<main<init")->exclusive) == Approx(250).margin(20));
    CHECK(milliseconds(path(by_counter, "[libc.so.6] clock_gettime<main<init")->exclusive) == Approx(50).margin(10));
}

TEST_CASE("a program's own readings of the clock stay its time", "[thread_samples]") {
    const std::vector<vfd::CpuSample> samples{sample(SolveCode, Solve, 200), sample(KernelsClock, Solve, 300),
                                              sample(MainCode, Main, 500)};
    const Profile p = profile(samples, vfd::NodeKind::Function, 500, {vfd::ClockKind::Monotonic, 1});
    CHECK(milliseconds(path(p, "[vdso]<solve<main<init")->exclusive) == 300);
    CHECK(milliseconds(path(p, "solve<main<init")->exclusive) == 200);
}

TEST_CASE("a sample without an address stays in the path that ran", "[thread_samples]") {
    const Profile p = profile({sample(MainCode, Main, 300), {0, Main, 0, 0, 100}});
    CHECK(unhooked(p) == 0);
    CHECK(milliseconds(path(p, "main<init")->exclusive) == 500);
}
