// SPDX-License-Identifier: BSD-3-Clause
#include "advice/source_excerpts.hpp"

#include "base/foreign_text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace vftr::advice {
namespace {

constexpr std::uint64_t LargestFile = 16 << 20;

// Follows the braces of C, C++ and the like.
class Braces {
public:
    // True: the function ends in this line.
    bool take(std::string_view line) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i], next = i + 1 < line.size() ? line[i + 1] : '\0';
            if (in_comment_) {
                if (c == '*' && next == '/') {
                    in_comment_ = false;
                    ++i;
                }
            } else if (quote_ != '\0') {
                if (c == '\\')
                    ++i;
                else if (c == quote_)
                    quote_ = '\0';
            } else if (c == '/' && next == '/') {
                break;
            } else if (c == '/' && next == '*') {
                in_comment_ = true;
                ++i;
            } else if (c == '"' || (c == '\'' && !(i > 0 && std::isdigit(static_cast<unsigned char>(line[i - 1]))))) {
                quote_ = c;
            } else if (c == '{' || c == '(') {
                ++depth_;
                opened_ |= c == '{';
            } else if (c == '}' || c == ')') {
                if (--depth_ <= 0 && opened_ && c == '}' && !goes_on(line.substr(i + 1)))
                    return true;
            } else if (c == ';' && depth_ == 0 && !opened_) {
                return true; // a declaration
            }
        }
        quote_ = '\0';
        return false;
    }

private:
    // What was closed is the initializer of a member, before the body of a constructor.
    static bool goes_on(std::string_view rest) {
        const std::size_t next = rest.find_first_not_of(" \t");
        return next != rest.npos && (rest[next] == ',' || rest[next] == '{');
    }

    int depth_ = 0;
    bool opened_ = false, in_comment_ = false;
    char quote_ = '\0';
};

std::string lower_without_blanks(std::string_view line) {
    std::string text;
    for (const char c : line)
        if (!std::isspace(static_cast<unsigned char>(c)))
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool begins_procedure(const std::string& packed) {
    if (packed.starts_with("end") || packed.starts_with('!'))
        return false;
    for (const char* word : {"subroutine", "function", "program"})
        if (const std::size_t at = packed.find(word); at != packed.npos && packed.find_first_of("!='\"") > at)
            return true;
    return false;
}

bool ends_procedure(const std::string& packed) {
    return packed == "end" || packed.starts_with("endsubroutine") || packed.starts_with("endfunction") ||
           packed.starts_with("endprogram") || packed.starts_with("endprocedure");
}

std::size_t lines_of_procedure(const std::vector<std::string>& lines, std::size_t first) {
    int open = 0;
    for (std::size_t i = first; i < lines.size(); ++i) {
        const std::string packed = lower_without_blanks(lines[i]);
        if (i != first && begins_procedure(packed))
            ++open;
        if (ends_procedure(packed) && open-- == 0)
            return i - first + 1;
    }
    return 0;
}

std::size_t lines_of_body(const std::vector<std::string>& lines, std::size_t first) {
    Braces braces;
    for (std::size_t i = first; i < lines.size() && i - first < MostLines; ++i)
        if (braces.take(lines[i]))
            return i - first + 1;
    return 0;
}

bool is_fortran(const std::string& file) {
    std::string suffix = std::filesystem::path(file).extension().string();
    std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return std::tolower(c); });
    return suffix.starts_with(".f") || suffix == ".inc";
}

// Empty: it cannot be read.
std::vector<std::string> lines_of(const std::string& file) {
    std::vector<std::string> lines;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error) || std::filesystem::file_size(file, error) > LargestFile)
        return lines;
    std::ifstream in(file, std::ios::binary);
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        lines.push_back(base::foreign_text(line, "\t"));
    }
    return lines;
}

} // namespace

std::size_t lines_of_function(const std::vector<std::string>& lines, std::size_t first, bool fortran) {
    if (first >= lines.size())
        return 0;
    const std::size_t count = fortran ? lines_of_procedure(lines, first) : lines_of_body(lines, first);
    return std::min({count == 0 ? MostLines : count, MostLines, lines.size() - first});
}

SourceExcerpts source_excerpts(const std::vector<SourceStart>& starts, std::size_t most_bytes) {
    SourceExcerpts found;
    std::map<std::string, std::vector<std::string>> files;
    std::map<std::string, std::set<std::uint32_t>> firsts;
    for (const SourceStart& start : starts)
        firsts[start.file].insert(start.line);
    std::set<SourceStart> done;
    std::size_t bytes = 0;
    for (const SourceStart& start : starts) {
        if (!done.insert(start).second)
            continue;
        const auto [file, is_new] = files.try_emplace(start.file);
        if (is_new)
            file->second = lines_of(start.file);
        const std::vector<std::string>& lines = file->second;
        if (start.line == 0 || start.line > lines.size()) {
            ++found.unread;
            continue;
        }
        std::size_t count = lines_of_function(lines, start.line - 1, is_fortran(start.file));
        const auto& others = firsts[start.file];
        if (const auto next = others.upper_bound(start.line); count == MostLines && next != others.end())
            count = std::min<std::size_t>(count, *next - start.line);
        SourceExcerpt excerpt{start.file, start.line, {}};
        for (std::size_t i = start.line - 1; i < start.line - 1 + count; ++i)
            excerpt.text += lines[i] + '\n';
        if (bytes + excerpt.text.size() > most_bytes) {
            ++found.left_out;
            continue;
        }
        bytes += excerpt.text.size();
        found.excerpts.push_back(std::move(excerpt));
    }
    std::ranges::sort(found.excerpts, [](const SourceExcerpt& a, const SourceExcerpt& b) {
        return a.file != b.file ? a.file < b.file : a.line < b.line;
    });
    return found;
}

} // namespace vftr::advice
