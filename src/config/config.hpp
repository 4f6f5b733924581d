// SPDX-License-Identifier: BSD-3-Clause
//
// The configuration. options.def has one row per option. The preprocessor derives everything else here from these rows:
// the members below, defaults, parsing, checks, advice, printing, schema, help.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vftr::config {

// "1,4,6,15-23", "all" or "none".
class RankSet {
public:
    static RankSet all();
    static RankSet none();
    // parse() returns nullopt if `text` is no range list; `error` then says what is wrong and at which byte.
    struct Error {
        std::size_t offset;
        std::string message;
    };
    static std::optional<RankSet> parse(std::string_view text, Error* error);

    bool contains(std::int64_t rank) const;           // logarithmic in the number of ranges
    const std::string& text() const { return text_; } // as the user wrote it
    bool operator==(const RankSet& other) const { return text_ == other.text_; }

private:
    struct Range {
        std::int64_t first, last;
    };
    void normalize();
    bool all_ = false;
    std::vector<Range> ranges_;
    std::string text_;
};

// true, false, or a word for a special kind of true.
struct FlagOrWord {
    template <std::same_as<bool> Flag> // no implicit conversions to bool, such as from a pointer
    FlagOrWord(Flag is_on) : on(is_on) {}
    explicit FlagOrWord(std::string text) : on(true), word(std::move(text)) {}

    bool on;
    std::string word; // empty: the value is a plain flag
    bool operator==(const FlagOrWord&) const = default;
};

// A number, or a word in place of one.
struct IntegerOrWord {
    explicit IntegerOrWord(std::int64_t a_number) : number(a_number) {}
    explicit IntegerOrWord(std::string text) : word(std::move(text)) {}

    std::int64_t number = 0;
    std::string word; // empty: the value is the number
    bool operator==(const IntegerOrWord&) const = default;
};

struct HwCounter {
    std::string hwc_name, symbol;
    bool operator==(const HwCounter&) const = default;
};
struct HwObservable {
    std::string name, formula, unit;
    bool operator==(const HwObservable&) const = default;
};
struct FilterTrigger {
    std::string function; // a regular expression
    std::int64_t call = 1;
    std::string action; // "start" or "stop"
    bool operator==(const FilterTrigger&) const = default;
};

// The types of options, and the C++ types of the members that follow from them.
//   Flag: bool · Integer: std::int64_t · Real: double · Ranks: RankSet · FlagOrChoice: FlagOrWord
//   IntegerOrChoice: IntegerOrWord
//   Text, Choice: std::string · NullableText, Regex: std::optional<std::string>
//   Counters: std::vector<HwCounter> · Observables: std::vector<HwObservable> · Triggers: std::vector<FilterTrigger>
struct Config {
// Member names are the option's path with '.' replaced by '_': sampling_sample_interval.
#define VFTR_OPTION(member, path, type, default_value, check, since, help) type##Value member = default_value;
    using FlagValue = bool;
    using FlagOrChoiceValue = FlagOrWord;
    using IntegerValue = std::int64_t;
    using IntegerOrChoiceValue = IntegerOrWord;
    using RealValue = double;
    using TextValue = std::string;
    using ChoiceValue = std::string;
    using NullableTextValue = std::optional<std::string>;
    using RegexValue = std::optional<std::string>;
    using RanksValue = RankSet;
    using CountersValue = std::vector<HwCounter>;
    using ObservablesValue = std::vector<HwObservable>;
    using TriggersValue = std::vector<FilterTrigger>;
#include "config/options.def"
#undef VFTR_OPTION
    bool operator==(const Config&) const = default;
};

// One problem of a config file. Line and column (in characters) count from 1; they are 0 if the problem has no position
// in the file.
struct Problem {
    enum class Severity { Warning, Error } severity; // unknown keys are warnings, the rest are errors
    std::string file;                                // empty: the message says where
    std::size_t line = 0, column = 0;
    std::string option;    // full path, e.g. "sampling.intervall"
    std::string message;   // what was found and what is allowed; may have several lines
    std::string excerpt;   // the line of the file, or the part of a long line around the position
    std::size_t caret = 0; // terminal column of the position within the excerpt, from 1
    // The number of problems: more than 1 in a last entry for those that were too many to keep.
    std::size_t stands_for = 1;
};

struct Loaded {
    Config config;      // has the default for each option with a problem
    std::string source; // path of the file; empty: no file was read, and all values are defaults
    // The folder that relative paths are meant from, in values of the environment's configuration too; empty: the
    // working directory.
    std::string folder;
    std::vector<Problem> problems; // all of them, in the order of the file
    // Names of options that ask for what this version does not do yet: "hwprof.active, hwprof.counters".
    std::string not_yet;
    // Warnings about options that do nothing because of others. A run does not print them (ineffective_options.hpp).
    std::vector<Problem> ineffective;
};

// Both a run and vftr config check print this.
inline constexpr std::string_view compress_beside_keep_last =
    "sampling.compress: not together with sampling.keep_last; the timeline is not compressed";

// Parses `text`, the whole file. Bad input never makes it throw.
Loaded parse(const std::string& text, const std::string& file_name);
// Reads and parses a file. An unreadable file results in one Problem. from: the folder that relative paths are meant
// from; "": the working directory.
Loaded load_file(const std::string& path, const std::string& from = {});
// Loads the file that VFTR_CONFIG names, or else the defaults; then applies other environment variables (the rows
// VFTR_OPTION_FROM).
Loaded load_environment(const std::string& from = {});
// True for 1, yes, on and true (any case); false for nullptr. Async-signal-safe; allocates nothing.
bool is_true(const char* text);
// Whether VFTR_OFF is true. Async-signal-safe; allocates nothing.
bool off_by_environment();

// Returns valid JSON that parse() reads back to the same Config; it ends with a newline.
std::string print_json(const Config& config);
// As print_json, but with only the options that differ from their defaults; "{}" if none does.
std::string print_changes(const Config& config);
// Returns a JSON Schema (2020-12) of the config file.
std::string json_schema();
// Describes all options or, given a path or a section, only these: type, default, allowed values, since, help. Empty if
// there is none of that name.
std::string explain(std::string_view path_or_section);
// Returns the man page vftr-config(5) in roff; `version` is for its footer.
std::string manual_page(std::string_view version);
// Returns the advisor's lines about a path that is no option, as in the message of a Problem.
std::string advice(std::string_view path);
// Returns the problem as the user sees it: "Warning: …" or "Error: …", the excerpt, the caret.
std::string to_text(const Problem& problem);
// Returns the problem in one line, without the excerpt: "my.json:3:14: error: …".
std::string to_line(const Problem& problem);
// Returns all problems in at most 20 lines. If these do not suffice, the later problems get one line each without the
// excerpt ("Warning: … (in my.json, line 3, column 14)"), and the last line says how many more there are.
std::string to_text(const std::vector<Problem>& problems);
// Returns the line that a run prints about Loaded::not_yet; empty if there is nothing to report.
std::string not_yet_text(const Loaded& loaded);
// Returns all messages as a run prints them, and after errors how it goes on. Empty if there is nothing to report.
std::string run_text(const Loaded& loaded);

} // namespace vftr::config
