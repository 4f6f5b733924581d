// SPDX-License-Identifier: BSD-3-Clause
//
// What matters in a run, in a few sentences.
//
// A reader with a thousand ranks and ten thousand functions looks for what costs most and what can be changed. Tables
// have that, but the reader must know in which one, and compare. So rules look for what is known to cost time in
// parallel programs, each with the figures that a table has, too. A rule says nothing where the data does not carry it:
// each has a least share of the time, and a function whose time is known to no more than half of itself is no finding.
// Rules give facts; what to do about them follows only where vftrace itself is the reason (costly hooks).
//
// Shares are of the time of all threads of all ranks without MPI_Init and MPI_Finalize, so that findings can be
// compared with each other. They overlap: the time that ranks wait in MPI is there because of an imbalance that is a
// finding of its own. Where both blame the same rank, the cause is told first, even if it has less time, and the other
// one says what it follows from: a reader who begins with the symptom looks for what is wrong in MPI.
#pragma once

#include "analysis/profile/profile.hpp"
#include "analysis/timeline/waits_of.hpp"
#include "report/findings/by_function.hpp"
#include "report/shown_names.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::report {

// What rules look at. All that it is made of outlives it.
class Evidence {
public:
    // Without timelines `waits` is nullptr. Names of functions get at most `name_width` characters; 0: no limit.
    Evidence(const analysis::Profile& profile, const ShownNames& names, const analysis::Waits* waits = nullptr,
             std::size_t name_width = 0);

    const analysis::Profile& profile;
    const analysis::Waits* const waits;
    const std::vector<FunctionSum> functions;
    const std::uint64_t whole; // ns of all threads of all ranks, with waits, without MPI_Init and MPI_Finalize; never 0

    std::string name(std::uint32_t node) const;
    // "f below g": a path by its function and the caller; "f" where that is the root.
    std::string place(std::uint32_t node) const;

private:
    const ShownNames& names_;
    const std::size_t name_width_;
};

struct Figure {
    const char* name; // with its unit: "exclusive_ns", "messages", "bytes"
    std::uint64_t value;
};

// What one rule has found in one place.
struct Found {
    std::uint64_t ns;                    // of the whole, what the findings are sorted by
    std::string text;                    // a sentence without its full stop
    std::optional<std::uint32_t> node{}; // the path of which that is said; of several the one with most time
    std::optional<std::int32_t> rank{};  // the rank that is to blame
    std::vector<Figure> figures{};       // what the sentence says in numbers
    bool before_all = false;             // told first, whatever the others' times are
    bool others_wait = false;            // ranks wait in it, for `rank` where that is known
    std::string why_late{};              // why `rank` comes late, if it says so: "the load imbalance in f"
};

struct Rule {
    std::string_view name, title, table;
    double least;     // share of the whole below which it says nothing
    std::size_t most; // findings of it
    // Told the least time of a finding, so that no sentence is made of what is too little to be told.
    std::vector<Found> (*look)(const Evidence& evidence, std::uint64_t least);
};

// One row per rule, in the order of findings of equal shares.
#define VFTR_FINDING(name, title, percent, most, table)                                                                \
    std::vector<Found> find_##name(const Evidence& evidence, std::uint64_t least);
#include "report/findings/rules.def"
#undef VFTR_FINDING

struct Finding : Found {
    const Rule* rule;
    double share; // of the whole, 0 to 1
};

inline constexpr std::size_t MostFindings = 10;

// At most MostFindings: those with most time first, but causes before what follows from them.
std::vector<Finding> findings(const Evidence& evidence);

} // namespace vftr::report
