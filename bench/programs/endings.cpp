// SPDX-License-Identifier: BSD-3-Clause
//
// A short process that has called many functions on many call paths: endings 2 'short|long ROUNDS CHAINS DEPTH'. In
// each round, CHAINS chains of DEPTH functions call each other, which are 576 with names of C ("short"), or 576 members
// of templates whose names have 200 characters ("long"). All rounds call the same: about CHAINS times DEPTH call paths.
#include "workload.h"

#include <array>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

using Link = void(unsigned depth, std::uint32_t& state);
constexpr std::size_t Functions = 576;
static Link* const* links;

#define CALL_ANOTHER                                                                                                   \
    {                                                                                                                  \
        if (depth != 0)                                                                                                \
            links[next_random(&state) % Functions](depth - 1, state);                                                  \
        __asm__ volatile("");                                                                                          \
    }

#define FUNCTION(i) NOINLINE void chain##i(unsigned depth, std::uint32_t& state) CALL_ANOTHER
#define TWELVE(X, p) X(p##0) X(p##1) X(p##2) X(p##3) X(p##4) X(p##5) X(p##6) X(p##7) X(p##8) X(p##9) X(p##a) X(p##b)
#define GROSS(X, p)                                                                                                    \
    TWELVE(X, p##0)                                                                                                    \
    TWELVE(X, p##1)                                                                                                    \
    TWELVE(X, p##2)                                                                                                    \
    TWELVE(X, p##3) TWELVE(X, p##4) TWELVE(X, p##5) TWELVE(X, p##6) TWELVE(X, p##7) TWELVE(X, p##8) TWELVE(X, p##9)    \
        TWELVE(X, p##a) TWELVE(X, p##b)
#define ALL(X) GROSS(X, 0) GROSS(X, 1) GROSS(X, 2) GROSS(X, 3)
extern "C" {
ALL(FUNCTION)
}
#define ADDRESS(i) chain##i,
static Link* const with_short_names[Functions] = {ALL(ADDRESS)};

namespace inventory {
template <std::size_t>
struct Warehouse {};
template <class Goods, class Where>
struct Registry {
    static NOINLINE void visit(unsigned depth, std::uint32_t& state) CALL_ANOTHER
};
} // namespace inventory

using Goods = std::map<std::string, std::vector<std::pair<unsigned long, double>>>;
template <std::size_t... I>
static constexpr QUIET std::array<Link*, Functions> all_of(std::index_sequence<I...>) {
    return {&inventory::Registry<Goods, inventory::Warehouse<I>>::visit...};
}
static constexpr std::array<Link*, Functions> with_long_names = all_of(std::make_index_sequence<Functions>());

// calls = 1: `work` of the warm-up.
std::uint64_t work(std::uint64_t calls, const char* argument) {
    char names[8] = "";
    unsigned rounds = 0, chains = 0, depth = 0;
    if (calls < 2 || std::sscanf(argument, "%7s %u %u %u", names, &rounds, &chains, &depth) != 4 || depth == 0)
        return 0;
    links = std::strcmp(names, "long") == 0 ? with_long_names.data() : with_short_names;
    for (unsigned i = 0; i < rounds; i++) {
        std::uint32_t state = 1;
        for (unsigned k = 0; k < chains; k++)
            links[next_random(&state) % Functions](depth - 1, state);
    }
    return std::uint64_t{rounds} * chains * depth;
}
