// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/function_list.hpp"

#include "symbols/cxx_names.hpp"
#include "symbols/name_clean.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace vftr::instrument {
namespace {

constexpr const char* Blanks = " \t\r";

std::string_view trimmed(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(Blanks);
    return begin == line.npos ? std::string_view() : line.substr(begin, line.find_last_not_of(Blanks) + 1 - begin);
}

} // namespace

std::string name_in_tables(const std::string& linker_name, bool fortran) {
    return symbols::clean_name(linker_name, {}, fortran);
}

std::string FunctionList::read(const std::string& file) {
    std::ifstream in(file);
    if (!in)
        return "cannot read " + file + ": " + std::strerror(errno);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const std::string_view entry = trimmed(line);
        if (entry.empty() || entry.front() == '#')
            continue;
        if (entry.size() < 3 || entry.front() != '/' || entry.back() != '/') {
            names_.emplace(entry);
            continue;
        }
        symbols::Pattern expression(entry.substr(1, entry.size() - 2));
        if (!expression.valid())
            return file + ":" + std::to_string(number) + ": no valid regular expression: " + expression.error();
        expressions_.push_back(std::move(expression));
    }
    return in.bad() ? "cannot read " + file + ": " + std::strerror(errno) : "";
}

bool FunctionList::has(const std::string& linker_name, bool fortran) const {
    if (empty())
        return false;
    const std::string name = name_in_tables(linker_name, fortran);
    return names_.contains(linker_name) || names_.contains(name) ||
           names_.contains(std::string(symbols::without_parameters(name))) ||
           std::any_of(expressions_.begin(), expressions_.end(),
                       [&](const symbols::Pattern& expression) { return expression.matches(name); });
}

} // namespace vftr::instrument
