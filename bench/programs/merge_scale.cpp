// SPDX-License-Identifier: BSD-3-Clause
//
// How the collation grows with the number of ranks: made-up profiles of up to 10000 ranks go through the reduction
// tree, one rank after the other (a rank sends only to a lower one, so the highest goes first and nobody waits).
// Printed are
//   time      of the critical path: a rank is where its own work and the message it waited for had come to
//   rank      the most work of one rank, in ms
//   memory    most bytes that a rank other than 0 had allocated at once, its own profile included; and rank 0
//   sent      the longest message
#include "mpi/reduction_tree.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <malloc.h>
#include <map>
#include <new>
#include <string>
#include <utility>

using namespace vftr;
using analysis::Profile;
using mpi::Clock;

namespace {

// Of the processor, so that a busy machine does not count.
double seconds_worked() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Bytes that are allocated now; those of them that are not the working rank's; the most that it had.
std::size_t live = 0, others = 0, peak = 0;

void note_peak() { peak = std::max(peak, live - others); }

void* count_new(std::size_t size) {
    void* memory = std::malloc(size);
    if (!memory)
        std::abort();
    live += malloc_usable_size(memory);
    if (live > others)
        note_peak();
    return memory;
}

void count_delete(void* memory) {
    if (memory)
        live -= malloc_usable_size(memory);
    std::free(memory);
}

} // namespace

void* operator new(std::size_t size) { return count_new(size); }
void* operator new[](std::size_t size) { return count_new(size); }
void operator delete(void* memory) noexcept { count_delete(memory); }
void operator delete[](void* memory) noexcept { count_delete(memory); }
void operator delete(void* memory, std::size_t) noexcept { count_delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { count_delete(memory); }

namespace {

using Bytes = std::vector<std::byte>;

struct Letter {
    Bytes bytes;
    double sent; // s
};

struct World {
    int size;
    std::map<int, Letter> letters; // by sender
    std::size_t longest = 0;
};

// One rank's way through the tree, and its clock: work passes as it is measured, waiting as the sender says.
class Rank : public mpi::Link {
public:
    Rank(World& world, int rank) : world_(world), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return world_.size; }
    bool send(int, Bytes bytes, Clock::time_point) override {
        work();
        world_.longest = std::max(world_.longest, bytes.size());
        most_ = peak;
        world_.letters[rank_] = {std::move(bytes), time_};
        return true;
    }
    std::optional<Bytes> receive(int from, Clock::time_point) override {
        work();
        Letter letter = std::move(world_.letters.at(from));
        world_.letters.erase(from);
        time_ = std::max(time_, letter.sent);
        others -= malloc_usable_size(letter.bytes.data()); // it is this rank's from now on
        note_peak();
        begin_ = seconds_worked();
        return std::move(letter.bytes);
    }
    // Its memory counts from here on; its work from start() on.
    void begin() {
        others = live;
        peak = 0;
    }
    void start() { begin_ = seconds_worked(); }
    void end() {
        if (rank_ == 0) {
            work();
            most_ = peak;
        }
    }
    double time() const { return time_; }
    double worked() const { return worked_; }
    std::size_t most() const { return most_; }

private:
    void work() {
        const double passed = seconds_worked() - begin_;
        time_ += passed;
        worked_ += passed;
        begin_ = seconds_worked();
    }
    World& world_;
    int rank_;
    double time_ = 0, worked_ = 0, begin_ = 0;
    std::size_t most_ = 0;
};

enum class Trees { Same, Kinds, Own, Threads };
constexpr int Paths = 2000, Kinds = 16, OwnPaths = 20, Threads = 8;

void add_path(Profile& profile, std::uint32_t parent, std::string name, int rank) {
    analysis::PathNode node;
    node.parent = parent;
    node.name = static_cast<std::uint32_t>(profile.names.size());
    node.kind = profile.nodes.empty() ? vfd::NodeKind::Root : vfd::NodeKind::Function;
    node.ranks = 1;
    node.calls = 100;
    const auto ns = static_cast<std::uint64_t>(1000000 + rank * 17 % 1000);
    node.exclusive = node.inclusive = ns;
    profile.names.push_back(std::move(name));
    profile.nodes.push_back(node);
}

void add_threads(Profile& profile, int rank) {
    for (std::uint32_t i = 0; i < Threads; ++i) {
        analysis::ThreadRow row;
        row.id = {rank, 1000 + static_cast<std::uint32_t>(rank), i};
        row.tid = row.id.process + i;
        row.parent = i ? 0 : vfd::NoThread;
        row.node = i ? 100 : vfd::NoNode;
        row.function = "solver::worker";
        row.life = 2000000;
        row.in_functions = static_cast<std::uint64_t>(1000000 + (rank * 17 + i) % 1000);
        row.calls = 100;
        profile.thread_totals.add(row);
        profile.threads.push_back(std::move(row));
    }
}

// Same: the same 2000 paths everywhere. Kinds: a quarter of them is that of one of 16 kinds of ranks. Own: 20 paths are
// this rank's alone. Threads: the same paths, and eight threads on each rank. Each rank sends to eight others.
Profile make_profile(int rank, int size, Trees trees) {
    Profile profile;
    profile.first_rank = rank;
    profile.rank_count = 1;
    profile.world_size = static_cast<std::uint32_t>(size);
    profile.application = "simulated";
    profile.names.reserve(Paths + OwnPaths);
    profile.nodes.reserve(Paths + OwnPaths);
    for (int i = 0; i < Paths; ++i) {
        const bool of_kind = trees == Trees::Kinds && i >= Paths * 3 / 4;
        add_path(profile, static_cast<std::uint32_t>(i / 4),
                 "solver::step_" + std::to_string(i) + (of_kind ? "_kind_" + std::to_string(rank % Kinds) : ""), rank);
    }
    for (int i = 0; trees == Trees::Own && i < OwnPaths; ++i)
        add_path(profile, 1, "only_of_rank_" + std::to_string(rank) + "_" + std::to_string(i), rank);
    if (trees == Trees::Threads)
        add_threads(profile, rank);
    const analysis::MessageSum sum{100, 100000, 5000};
    for (std::uint32_t i = 100; i < 200; ++i)
        profile.messages.push_back({i, sum, sum});
    for (int hop = 1; hop <= std::min(8, size - 1); ++hop)
        profile.matrix.push_back(
            {{static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>((rank + hop) % size), 0}, sum});
    std::sort(profile.matrix.begin(), profile.matrix.end(),
              [](const auto& a, const auto& b) { return a.pair < b.pair; });
    return profile;
}

void measure(const char* name, Trees trees, int size) {
    World world{size, {}, 0};
    double worst = 0, last = 0;
    std::size_t most = 0, root = 0;
    for (int rank = size - 1; rank >= 0; --rank) {
        Rank link(world, rank);
        link.begin();
        Profile mine = rank == 0 ? Profile{} : make_profile(rank, size, trees);
        link.start();
        const mpi::Reduced reduced = mpi::reduce(link, std::move(mine), 1e6);
        link.end();
        worst = std::max(worst, link.worked());
        last = link.time();
        (rank == 0 ? root : most) = rank == 0 ? link.most() : std::max(most, link.most());
        if (rank == 0 && reduced.profile.rank_count != static_cast<unsigned>(size - 1))
            std::abort();
    }
    std::printf("%-22s %6d ranks  time %8.2f ms  rank %8.2f ms  memory %9.2f MiB  rank 0 %9.2f MiB  sent %8.2f MiB\n",
                name, size, last * 1e3, worst * 1e3, static_cast<double>(most) / (1 << 20),
                static_cast<double>(root) / (1 << 20), static_cast<double>(world.longest) / (1 << 20));
}

} // namespace

int main() {
    for (int size : {10, 100, 1000, 10000})
        measure("same call trees", Trees::Same, size);
    for (int size : {10, 100, 1000, 10000})
        measure("16 kinds of ranks", Trees::Kinds, size);
    for (int size : {10, 100, 1000, 10000})
        measure("paths of each rank", Trees::Own, size);
    for (int size : {10, 100, 1000, 10000})
        measure("8 threads a rank", Trees::Threads, size);
}
