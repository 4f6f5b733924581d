// SPDX-License-Identifier: BSD-3-Clause
//
// The configuration. One row of options.def per option; everything else here is derived from it by
// the preprocessor: the members below, defaults, parsing, checks, advice, printing, schema, help.
#pragma once

#include <concepts>
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
    // nullopt if `text` is no range list; `error` then says what is wrong and at which byte.
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

// true, false, or a word for another degree of true.
struct FlagOrWord {
    template <std::same_as<bool> Flag> // and not what becomes one, as a pointer does
    FlagOrWord(Flag is_on) : on(is_on) {}
    explicit FlagOrWord(std::string text) : on(true), word(std::move(text)) {}

    bool on;
    std::string word; // empty: it is a flag
    bool operator==(const FlagOrWord&) const = default;
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

// What an option's value may be; the C++ type of its member follows from it.
//   Flag: bool · Integer: std::int64_t · Real: double · Ranks: RankSet · FlagOrChoice: FlagOrWord
//   Text, Choice: std::string · NullableText, Regex: std::optional<std::string>
//   Counters: std::vector<HwCounter> · Observables: std::vector<HwObservable> · Triggers: std::vector<FilterTrigger>
struct Config {
// Member names are the option's path with '.' replaced by '_': sampling_sample_interval.
#define VFTR_OPTION(member, path, type, default_value, check, since, help) type##Value member = default_value;
    using FlagValue = bool;
    using FlagOrChoiceValue = FlagOrWord;
    using IntegerValue = std::int64_t;
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

// One thing wrong with a config file. Line and column (in characters) count from 1; 0 where there
// is no place.
struct Problem {
    enum class Severity { Warning, Error } severity; // unknown keys warn, the rest are errors
    std::string file;
    std::size_t line = 0, column = 0;
    std::string option;         // full path, e.g. "sampling.intervall"
    std::string message;        // what was found and what is allowed; may have several lines
    std::string excerpt;        // the line of the file, or the part of a long one around the place
    std::size_t caret = 0;      // column of the terminal at which the place stands within the excerpt, from 1
    std::size_t stands_for = 1; // problems: more than one where there are too many to keep
};

struct Loaded {
    Config config;                 // defaults wherever a problem was
    std::string source;            // path of the file; empty: nothing was read, these are the defaults
    std::vector<Problem> problems; // all of them, in the order of the file
    std::string
        not_yet; // names of options that ask for what this version does not do yet: "hwprof.active, hwprof.counters"
    std::vector<Problem>
        ineffective; // warnings: options that do nothing because of others. Only for who asks what is wrong with a file
};

// What a run says as well as vftr config check.
inline constexpr std::string_view compress_beside_keep_last =
    "sampling.compress: not together with sampling.keep_last; the timeline is not compressed";

// `text` is the whole file. Never throws for bad input.
Loaded parse(const std::string& text, const std::string& file_name);
// An unreadable file is one Problem.
Loaded load_file(const std::string& path);
// The file that VFTR_CONFIG names, else the defaults; then what other environment variables say (the rows
// VFTR_OPTION_FROM).
Loaded load_environment();
// One of 1, yes, on, true (any case); nullptr is not. Async-signal-safe, allocates nothing.
bool is_true(const char* text);
// VFTR_OFF is true. Likewise.
bool off_by_environment();

// Valid JSON that parse() reads back to the same Config; ends with a newline.
std::string print_json(const Config& config);
// Likewise, with the options only that are not as by default: "{}" where all are.
std::string print_changes(const Config& config);
// A JSON Schema (2020-12) of the config file.
std::string json_schema();
// All options or, with a path or a section, those: type, default, allowed values, since, help.
// Empty if there is none of that name.
std::string explain(std::string_view path_or_section);
// The man page vftr-config(5) in roff; `version` is for its footer.
std::string manual_page(std::string_view version);
// The advisor's lines about a path that is no option, as in the message of a Problem.
std::string advice(std::string_view path);
// As printed to the user: "Warning: …" or "Error: …", the excerpt, the caret.
std::string to_text(const Problem& problem);
// In one line, without the excerpt: "my.json:3:14: error: …".
std::string to_line(const Problem& problem);
// All of them in at most 20 lines: where these do not suffice, the later ones in one line each, and then how many more
// there are.
std::string to_text(const std::vector<Problem>& problems);
// The line of a run about Loaded::not_yet; empty if there is nothing to say.
std::string not_yet_text(const Loaded& loaded);
// All of them, as a run prints them: with what it goes on after errors. Empty if there is nothing to say.
std::string run_text(const Loaded& loaded);

} // namespace vftr::config
