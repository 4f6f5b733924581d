// SPDX-License-Identifier: BSD-3-Clause
//
// What every exporter gets, and the table of them. Each writes a whole file, from profiles that are complete in memory
// or from timelines that are read while it writes, in an order that depends on nothing but these, so that the same
// files give the same bytes.
#pragma once

#include "advice/source_excerpts.hpp"
#include "analysis/processes/process_tree.hpp"
#include "analysis/profile/profile.hpp"
#include "analysis/timeline/run_timeline.hpp"
#include "analysis/timeline/wait_states.hpp"
#include "analysis/timeline/waits_of.hpp"
#include "export/rank_functions.hpp"
#include "export/sink.hpp"

#include "config.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vftr::exports {

// A profile of the run: of all ranks together, of one of them, or of one thread.
struct Part {
    std::string title; // "all ranks", "rank 3", "rank 3, thread 1"
    analysis::Profile profile;
    std::optional<std::uint32_t> thread{};  // ThreadRecord::index, where it is the profile of one
    std::string host{};                     // where all of its processes ran; empty: on several, or not known
    std::optional<analysis::Waits> waits{}; // the profile is the one that waits_of() has completed; nullopt: not known
};

// Where a function is declared.
struct SourcePlace {
    std::string file;       // as the compiler noted it, with its directory if that is known
    std::uint32_t line = 0; // from 1
};

struct Subject {
    std::string application;
    std::vector<Part> parts; // at least one; none for a format that needs a timeline
    // What a reader must know of the data: what was lost, estimated or left out. Whole sentences without a full stop.
    std::vector<std::string> remarks;
    // nullptr: the files have none, or it is not wanted. A format that needs one gets it.
    const analysis::RunTimeline* timeline = nullptr;
    // Of the threads of the timeline, for formats that show them: by rank, thread and begin. The begin is in ns since
    // the start of the run; paths are those of the timeline.
    std::vector<analysis::Wait> waits{};
    analysis::TimeByState waiting{}; // of all waits, also of those that are too many to be among these
    // Of the first part, for formats that draw ranks side by side; empty where the files of ranks are not there.
    RankFunctions rank_functions{};
    // Of folders, such as that of vftr run: their processes, and by recording of these the index of its part, or
    // NoNodeIndex. nullptr: there is one process, or not known.
    const analysis::ProcessTree* processes = nullptr;
    std::vector<std::uint32_t> part_of_recording{};
    // By name (one of Profile::names); only functions for which it is known and was asked for.
    std::unordered_map<std::string, SourcePlace> places{};
    advice::SourceExcerpts sources{}; // of functions that have a place, where it was asked for
    // In hexadecimal, by the label of an object in names ("plugin.so{1a2b3c4d}"), of those that have one.
    std::unordered_map<std::string, std::string> build_ids{};
    // Packed data that a page of two runs has besides its own (html/html.cpp); empty for other formats.
    std::vector<std::string> further_pieces{};

    // Of the function of a path of one of the parts or of the timeline; nullptr: not known.
    const SourcePlace* place_of(const analysis::Profile& profile, std::uint32_t node) const {
        const auto found = places.find(profile.names[profile.nodes[node].name]);
        return found == places.end() ? nullptr : &found->second;
    }
};

struct Table; // tables/table.hpp

enum class Weight { Time, Calls };

struct Options {
    Weight weight = Weight::Time; // of formats that have one number for each call path
    double min_share = 0.5;       // percent of all time, of formats that leave out what is small
    bool reverse = false;         // callers below what they call, in formats that draw a tree
    bool split = false;           // a file for each rank, in a folder, of formats that can be so
    const Table* table = nullptr; // of csv; nullptr: the call paths
};

// What a format is made from. Either: from the timeline where there is one, EitherWithWaits: and from the wait states.
enum class Needs { Profile, Timeline, Either, EitherWithWaits };

// Whether the format has a place for what a reader must know of the data.
enum class Remarks { InFile, NotInFile };

// Whether the usual reader loads the whole timeline into memory, and dies of one that is too large.
enum class Reader { LoadsAll, Streams };

struct Format {
    std::string_view name, suffix;
    Needs needs;
    Remarks remarks;
    Reader reader;
    std::string_view help;
    // nullptr: it is never one file.
    void (*write)(const Subject& subject, const Options& options, Sink& sink);
    // Writes the files into an empty folder. Throws std::runtime_error. nullptr: it is always one file.
    void (*write_folder)(const Subject& subject, const Options& options, const std::string& folder);

    bool is_folder(const Options& options) const { return !write || (write_folder && options.split); }
};

// All formats, in the order of exports.def.
std::span<const Format> formats();
const Format* find_format(std::string_view name); // nullptr: there is none of this name

#define VFTR_EXPORT(name, suffix, needs, remarks, reader, help)                                                        \
    void write_##name(const Subject& subject, const Options& options, Sink& sink);
#define VFTR_EXPORT_FOLDER(name, suffix, needs, remarks, reader, help)                                                 \
    void write_##name(const Subject& subject, const Options& options, const std::string& folder);
#define VFTR_EXPORT_SPLIT(name, suffix, needs, remarks, reader, help)                                                  \
    VFTR_EXPORT(name, suffix, needs, remarks, reader, help)                                                            \
    VFTR_EXPORT_FOLDER(name##_split, suffix, needs, remarks, reader, help)
#include "export/exports.def"
#undef VFTR_EXPORT_SPLIT
#undef VFTR_EXPORT_FOLDER
#undef VFTR_EXPORT

} // namespace vftr::exports
