// SPDX-License-Identifier: BSD-3-Clause
//
// How efficient a program and its functions are on more and more ranks, compared with the first of several scales.
//
// Strong scaling: the whole work stays the same, so the times of all ranks together should, and the efficiency is the
// sum of the first scale over that of another one. Weak scaling: the work of each rank stays the same, and so should
// the time of a rank on average. Functions match as in a comparison of two sides.
#pragma once

#include "compare/comparison.hpp"
#include "compare/sides.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vftr::compare {

enum class ScalingKind { Strong, Weak };

struct Efficiency {
    double value = 1, low = 1, high = 1; // with its 95 % interval
};

// A function, or the application.
struct ScalingRow {
    std::string name;
    std::vector<double> times;                         // by scale, seconds: of all ranks, or of a rank (weak)
    std::vector<std::optional<Efficiency>> efficiency; // by scale; nullopt: not known. Of the first scale 1

    double lost() const { return times.back() - times.front(); }
};

struct Scaling {
    ScalingKind kind;
    std::vector<std::uint32_t> ranks; // by scale
    std::vector<std::size_t> runs;
    std::vector<std::string> incomplete; // what runs lack (incomplete_runs.hpp)
    ScalingRow application;              // times of a rank on average
    std::vector<ScalingRow> rows;        // those that lose most at the last scale first
};

// By scale: its runs. At least two scales, of at least one run each. The runs are moved from.
Scaling scaling(std::vector<std::vector<analysis::Profile>> scales, ScalingKind kind, const Judging& judging);

// A text that begins with the answer; `max_rows` 0: no limit.
std::string scaling_text(const Scaling& scaling, std::size_t max_rows);

} // namespace vftr::compare
