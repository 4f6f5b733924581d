// SPDX-License-Identifier: BSD-3-Clause
//
// What every exporter gets, and the table of them. Each writes a whole file from profiles that are complete in memory,
// in an order that depends on nothing but these, so that the same files give the same bytes.
#pragma once

#include "analysis/profile/profile.hpp"
#include "export/sink.hpp"

#include "config.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::exports {

// A profile of the run: of all ranks together, or of one of them.
struct Part {
    std::string title; // "all ranks", "rank 3"
    analysis::Profile profile;
};

struct Subject {
    std::string application;
    std::vector<Part> parts; // at least one
    // What a reader must know of the data: what was lost, estimated or left out. Whole sentences without a full stop.
    std::vector<std::string> remarks;
};

enum class Weight { Time, Calls };

struct Options {
    Weight weight = Weight::Time; // of formats that have one number for each call path
    double min_share = 0.5;       // percent of all time, of formats that leave out what is small
};

struct Format {
    std::string_view name, suffix, help;
    void (*write)(const Subject& subject, const Options& options, Sink& sink);
};

// All formats, in the order of exports.def.
std::span<const Format> formats();
const Format* find_format(std::string_view name); // nullptr: there is none of this name

#define VFTR_EXPORT(name, suffix, help) void write_##name(const Subject& subject, const Options& options, Sink& sink);
#include "export/exports.def"
#undef VFTR_EXPORT

} // namespace vftr::exports
