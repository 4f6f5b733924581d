// SPDX-License-Identifier: BSD-3-Clause
#include "config/value.hpp"

#include "config/advisor.hpp"
#include "config/amount.hpp"

#include "base/absolute_directory.hpp"
#include "symbols/pattern.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace vftr::config {
namespace {

__thread const std::string* paths_from = nullptr;

std::string place_of(const std::string& path) {
    return paths_from && !path.empty() ? base::path_from(*paths_from, path) : path;
}

// The arguments of a reader; the overloads of read() differ by the type of the member.
struct Reading {
    const Option& option;
    const Entry& entry;
    Problems& problems;
    std::string path{option.path};

    int json_type() const { return entry.node->type & 0xff; }
    bool is_null() const { return json_type() == cJSON_NULL; }
    void wrong() const { wrong_value(path, entry, allowed(option), problems); }
    // Reports a fault inside the string, at a byte of its value.
    void wrong_at(std::size_t offset, const std::string& message) const {
        problems.error(entry.value_at + (json_type() == cJSON_Number ? offset : raw_offset(entry.raw, offset)), path,
                       json_string(path) + " is " + shown(entry) + ": " + message + ".\nAllowed is " + allowed(option) +
                           ".");
    }
    void wrong_because(const std::string& message) const { wrong_at(0, message); }
    std::optional<std::string> string() const { return read_string(path, entry, allowed(option), problems); }
};

bool in_range(double number, const Check& check) {
    return number <= check.high && (check.above_low ? number > check.low : number >= check.low);
}

std::string path_fault(const std::string& path, const Check& check) {
    struct stat status;
    bool directory = check.kind == Check::Kind::WritableDirectory;
    if (directory && path.empty())
        return "the name is empty";
    if (::stat(path.c_str(), &status) != 0)
        return std::string(directory ? "the directory" : "the file") + " cannot be used: " + std::strerror(errno);
    if (directory != S_ISDIR(status.st_mode))
        return directory ? "this is not a directory" : "this is a directory";
    if (::faccessat(AT_FDCWD, path.c_str(), directory ? W_OK | X_OK : R_OK, AT_EACCESS) != 0)
        return directory ? "the directory is not writable" : "the file is not readable";
    return {};
}

// For file systems in which no file can be made, although to root each folder looks writable.
bool makes_no_files(const std::string& folder) {
    struct statfs system;
    return ::statfs(folder.c_str(), &system) == 0 &&
           (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC);
}

// Checks the path of a file that is appended to, and created if it does not exist.
std::string appendable_fault(const std::string& path) {
    struct stat status;
    if (path.empty())
        return "the name is empty";
    if (::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode) && status.st_uid != 0 &&
        status.st_uid != ::geteuid())
        return "this is a link of another user, which is not followed";
    if (::stat(path.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return "this is a directory";
        if (!S_ISREG(status.st_mode))
            return "this is no regular file, and is not written to";
        if (status.st_nlink > 1)
            return "the file has another name (a hard link), and is not written to";
        return ::access(path.c_str(), W_OK) == 0 ? "" : "the file is not writable";
    }
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return std::string("the file cannot be made: ") + std::strerror(errno);
    return makes_no_files(folder) ? "the file cannot be made: the folder is one of the kernel's" : "";
}

bool text_is_good(const Reading& in, const std::string& text) {
    std::string fault = text_fault(in.option, text);
    if (!fault.empty() && in.option.check.kind == Check::Kind::OneOf)
        in.wrong(); // its list of allowed values is explanation enough
    else if (!fault.empty())
        in.wrong_because(fault);
    return fault.empty();
}

bool pattern_is_good(const Reading& in, const std::string& expression) {
    symbols::Pattern pattern(expression);
    if (!pattern.valid())
        in.wrong_at(pattern.error_offset(), pattern.error());
    return pattern.valid();
}

void read(const Reading& in, bool& value) {
    if (in.json_type() != cJSON_True && in.json_type() != cJSON_False)
        return in.wrong();
    value = in.json_type() == cJSON_True;
}

void read(const Reading& in, FlagOrWord& value) {
    if (in.json_type() == cJSON_True || in.json_type() == cJSON_False)
        value = in.json_type() == cJSON_True;
    else if (auto word = in.string(); word && text_is_good(in, *word))
        value = FlagOrWord(std::move(*word));
}

// Checks the grammar of JSON numbers, because cJSON accepts more: "01", "1.", "-.5".
std::string number_fault(std::string_view raw) {
    const auto digits = [&](std::size_t at) { return std::min(raw.find_first_not_of("0123456789", at), raw.size()); };
    const std::size_t first = raw.starts_with('-') ? 1 : 0, whole = digits(first);
    if (whole == first)
        return "a digit is missing before the point";
    if (whole - first > 1 && raw[first] == '0')
        return "a number does not begin with a 0 too many";
    if (whole < raw.size() && raw[whole] == '.' && digits(whole + 1) == whole + 1)
        return "a digit is missing behind the point";
    return {};
}

// Checks all numbers in a value that is not read otherwise.
void check_numbers(const std::string& path, const Entry& item, Problems& problems) {
    const std::string_view raw = item.raw;
    for (std::size_t at = 0, end; at < raw.size(); at = end) {
        end = raw[at] == '"' ? skip_value(raw, at)
                             : std::max(at + 1, std::min(raw.find_first_of("\",:[]{} \t\r\n", at), raw.size()));
        const std::string_view number = raw.substr(at, end - at);
        const bool is_number = number[0] == '-' || (number[0] >= '0' && number[0] <= '9');
        if (const std::string fault = is_number ? number_fault(number) : ""; !fault.empty())
            problems.error(item.value_at + at, path,
                           json_string(path) + (end - at == raw.size() ? " is " : " holds ") + std::string(number) +
                               ": " + fault + ".");
    }
}

// Checks how a number is written. Returns false after an error.
bool is_well_written(const Reading& in) {
    const std::string fault = in.json_type() == cJSON_Number ? number_fault(in.entry.raw) : "";
    if (!fault.empty())
        in.wrong_because(fault);
    return fault.empty();
}

void read(const Reading& in, double& value) {
    if (!is_well_written(in))
        return;
    double number = in.entry.node->valuedouble; // valueint saturates, so it is not used
    if (in.json_type() != cJSON_Number || !std::isfinite(number) || !in_range(number, in.option.check))
        return in.wrong();
    value = number;
}

void read(const Reading& in, std::int64_t& value) {
    if (!is_well_written(in))
        return;
    double number = in.entry.node->valuedouble;
    bool whole = std::isfinite(number) && number == std::trunc(number) && in_range(number, Check());
    if (in.json_type() != cJSON_Number || !whole || !in_range(number, in.option.check))
        return in.wrong();
    value = static_cast<std::int64_t>(number);
}

void read(const Reading& in, IntegerOrWord& value) {
    if (in.json_type() == cJSON_Number) {
        constexpr std::int64_t None = std::numeric_limits<std::int64_t>::min();
        std::int64_t number = None;
        read(in, number);
        if (number != None)
            value = IntegerOrWord(number);
    } else if (auto word = in.string(); word && text_is_good(in, *word))
        value = IntegerOrWord(std::move(*word));
}

bool is_good(const Reading& in, const std::string& text) {
    return in.option.type == Type::Regex ? pattern_is_good(in, text) : text_is_good(in, text);
}

void read(const Reading& in, std::string& value) {
    if (auto text = in.string(); text && is_good(in, *text))
        value = std::move(*text);
}

void read(const Reading& in, std::optional<std::string>& value) {
    if (in.is_null()) {
        value.reset();
        return;
    }
    if (auto text = in.string(); text && is_good(in, *text))
        value = std::move(*text);
}

void read(const Reading& in, RankSet& value) {
    auto text = in.string();
    if (!text)
        return;
    RankSet::Error error;
    if (auto ranks = RankSet::parse(*text, &error))
        value = std::move(*ranks);
    else
        in.wrong_at(error.offset, error.message);
}

// Lists are read by read_list, which needs the whole text.
template <class Record>
void read(const Reading& in, std::vector<Record>&) {
    in.wrong();
}

} // namespace

Option like(std::string_view path, Type type, const Check& check) {
    return {path, type, static_cast<std::string Config::*>(nullptr), check, Since::Now, {}, {}};
}

std::string name_fault(const std::string& text) {
    if (text.empty())
        return "the name is empty";
    if (text.find('/') != text.npos)
        return "a name has no \"/\"";
    if (text == "." || text == "..")
        return "it is that of a folder";
    return text.size() > LongestBasename ? "it has " + std::to_string(text.size()) + " bytes" : "";
}

PathsFrom::PathsFrom(const std::string& folder) : before_(paths_from) { paths_from = &folder; }
PathsFrom::~PathsFrom() { paths_from = before_; }

std::string text_fault(const Option& option, const std::string& text) {
    const Check& check = option.check;
    switch (check.kind) {
    case Check::Kind::OneOf: {
        auto choices = split_choices(check.choices);
        return std::find(choices.begin(), choices.end(), text) != choices.end() ? "" : "this is none of them";
    }
    case Check::Kind::Amount:
        return parse_amount(text) ? "" : amount_fault(text);
    case Check::Kind::NotEmpty:
        return text.empty() ? "the name is empty" : "";
    case Check::Kind::FileName:
        return name_fault(text);
    case Check::Kind::AppendableFile:
        return appendable_fault(place_of(text));
    case Check::Kind::WritableDirectory:
        return path_fault(place_of(text), check);
    case Check::Kind::ReadableFile:
        return text.empty() ? "" : path_fault(place_of(text), check);
    default:
        return {};
    }
}

std::string shown(const Entry& entry) {
    int type = entry.node->type & 0xff;
    if (type == cJSON_Object)
        return "an object";
    if (type == cJSON_Array)
        return "a list";
    std::string text;
    for (char c : entry.raw.substr(0, 60))
        text += c;
    if (entry.raw.size() <= 60)
        return text;
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80)
        text.pop_back(); // do not end within a character
    text.pop_back();
    return text + "…";
}

void wrong_value(const std::string& path, const Entry& entry, std::string_view allowed, Problems& problems) {
    problems.error(entry.value_at, path,
                   json_string(path) + " is " + shown(entry) + ".\nAllowed is " + std::string(allowed) + ".");
}

void warn_unknown(std::string_view place, const Entry& item, std::span<const std::string_view> valid,
                  Problems& problems) {
    const std::string_view name = item.node->string;
    const std::string path = join(place, name);
    if (!problems.is_misplaced() || !belongs_elsewhere(place, name))
        problems.warning(item.key_at, path, problems.is_full() ? "" : advise(place, name, valid));
    check_numbers(path, item, problems);
}

std::optional<std::string> read_string(const std::string& path, const Entry& entry, std::string_view allowed,
                                       Problems& problems) {
    if ((entry.node->type & 0xff) != cJSON_String) {
        wrong_value(path, entry, allowed, problems);
        return std::nullopt;
    }
    if (!clean_string(entry.raw)) {
        problems.error(entry.value_at, path, json_string(path) + " holds a null character or is not UTF-8.");
        return std::nullopt;
    }
    return entry.node->valuestring;
}

void read_member(const std::string& path, Type type, const Check& check, const Entry& entry, Problems& problems,
                 std::string& value) {
    read({like(path, type, check), entry, problems}, value);
}
void read_member(const std::string& path, Type type, const Check& check, const Entry& entry, Problems& problems,
                 std::int64_t& value) {
    read({like(path, type, check), entry, problems}, value);
}

void read_value(const Option& option, const Entry& entry, Problems& problems, Config& target) {
    Reading in{option, entry, problems};
    std::visit([&](auto member) { read(in, target.*member); }, option.member);
}

} // namespace vftr::config
