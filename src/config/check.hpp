// SPDX-License-Identifier: BSD-3-Clause
//
// The conditions that a value of the right type must fulfil: the check column of options.def. They are data and not
// code, so that the same row gives the test, the text of the error, the schema and the help.
#pragma once

#include <cstddef>
#include <string_view>

namespace vftr::config {

// The greatest length of the base name of output files. With the longest suffix ("_<pid>_all_namegroup.log.<tid>.tmp")
// it must still fit into a file name (255 bytes).
inline constexpr std::size_t LongestBasename = 207;
// Of overhead_budget.
inline constexpr double SmallestBudget = 0.001, LargestBudget = 1;
// Of timing_samples, in a second of CPU time.
inline constexpr double LeastSampleRate = 10, LargestSampleRate = 10000;

struct Check {
    enum class Kind {
        Any,
        Range,
        OneOf,
        NotEmpty,
        FileName,
        Amount,
        WritableDirectory,
        ReadableFile,
        AppendableFile
    } kind = Kind::Any;
    double low = -9007199254740992.0, high = 9007199254740992.0; // of numbers, inclusive; ±2^53
    bool above_low = false;                                      // `low` itself is not allowed
    std::string_view unit = {};                                  // of numbers: the unit in the plural
    std::string_view choices = {};                               // OneOf: "a|b|c"
    std::string_view items = "ranks";                            // lists of numbers: what the numbers stand for
};

namespace checks {

constexpr Check any() { return {}; }
constexpr Check between(double low, double high, std::string_view unit = {}) {
    return {.kind = Check::Kind::Range, .low = low, .high = high, .unit = unit};
}
constexpr Check at_least(double low) { return {.kind = Check::Kind::Range, .low = low}; }
constexpr Check above(double low) { return {.kind = Check::Kind::Range, .low = low, .above_low = true}; }
constexpr Check one_of(std::string_view choices) { return {.kind = Check::Kind::OneOf, .choices = choices}; }
constexpr Check one_of(std::string_view choices, double low, double high, std::string_view unit) {
    return {.kind = Check::Kind::OneOf, .low = low, .high = high, .unit = unit, .choices = choices};
}
constexpr Check not_empty() { return {.kind = Check::Kind::NotEmpty}; }
constexpr Check file_name() {
    return {.kind = Check::Kind::FileName}; // not empty, without folders, at most LongestBasename
}
constexpr Check of_threads() { return {.items = "threads"}; }
constexpr Check amount() { return {.kind = Check::Kind::Amount}; }
constexpr Check writable_directory() { return {.kind = Check::Kind::WritableDirectory}; }
constexpr Check appendable_file() {
    return {.kind = Check::Kind::AppendableFile}; // the file need not exist yet
}
constexpr Check readable_file() {
    return {.kind = Check::Kind::ReadableFile}; // or the value is ""
}

} // namespace checks
} // namespace vftr::config
