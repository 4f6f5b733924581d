// SPDX-License-Identifier: BSD-3-Clause
//
// What a value of the right type must fulfil: the check column of options.def. It is data, not
// code, so that the same row gives the test, the text of the error, the schema and the help.
#pragma once

#include <string_view>

namespace vftr::config {

// Of the names of output files. What comes behind it ("_<pid>_all_namegroup.log.<tid>.tmp") must fit into a file name
// (255 bytes) too.
inline constexpr std::size_t LongestBasename = 207;

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
    double low = -9007199254740992.0, high = 9007199254740992.0; // Range, inclusive; ±2^53
    bool above_low = false;                                      // `low` itself is not allowed
    std::string_view unit = {};                                  // Range: in the plural
    std::string_view choices = {};                               // OneOf: "a|b|c"
    std::string_view items = "ranks";                            // what a list of numbers is of
};

namespace checks {

constexpr Check any() { return {}; }
constexpr Check between(double low, double high, std::string_view unit = {}) {
    return {.kind = Check::Kind::Range, .low = low, .high = high, .unit = unit};
}
constexpr Check at_least(double low) { return {.kind = Check::Kind::Range, .low = low}; }
constexpr Check above(double low) { return {.kind = Check::Kind::Range, .low = low, .above_low = true}; }
constexpr Check one_of(std::string_view choices) { return {.kind = Check::Kind::OneOf, .choices = choices}; }
constexpr Check not_empty() { return {.kind = Check::Kind::NotEmpty}; }
constexpr Check file_name() {
    return {.kind = Check::Kind::FileName}; // not empty, without folders, at most LongestBasename
}
constexpr Check of_threads() { return {.items = "threads"}; }
constexpr Check amount() { return {.kind = Check::Kind::Amount}; }
constexpr Check writable_directory() { return {.kind = Check::Kind::WritableDirectory}; }
constexpr Check appendable_file() {
    return {.kind = Check::Kind::AppendableFile}; // it may not be there yet
}
constexpr Check readable_file() {
    return {.kind = Check::Kind::ReadableFile}; // or ""
}

} // namespace checks
} // namespace vftr::config
