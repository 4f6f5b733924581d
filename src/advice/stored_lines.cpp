// SPDX-License-Identifier: BSD-3-Clause
#include "advice/stored_lines.hpp"

#include "base/descriptor.hpp"
#include "base/own_descriptors.hpp"
#include "base/own_link.hpp"
#include "base/replaced_file.hpp"
#include "base/whole_io.hpp"
#include "symbols/hex.hpp"
#include "symbols/identity.hpp"
#include "symbols/store.hpp"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <sys/stat.h>
#include <utility>

namespace vftr::advice {
namespace {

constexpr std::string_view FirstLine = "vftrace lines 1";
constexpr std::size_t Largest = std::size_t{1} << 28; // bytes of a file that is read

// Empty: there is none that may be believed.
std::string text_of(const std::string& path) {
    const base::OpenFile file(base::open_file(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode) ||
        !symbols::is_believed(status) || static_cast<std::uint64_t>(status.st_size) > Largest)
        return {};
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    const ssize_t read = base::read_at(file.descriptor(), text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
    return text;
}

// Takes the number that `text` begins with, and the space behind it. False: there is none.
bool take_number(std::string_view& text, auto& number, int base) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc{} || stop == text.data() + text.size() || *stop != ' ')
        return false;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
    return true;
}

bool is_folder_of_ours(const std::string& path) {
    const int folder = base::open_through_own_links(path.c_str(), O_PATH | O_DIRECTORY);
    if (folder >= 0)
        base::close_file(folder);
    return folder >= 0;
}

} // namespace

StoredLines::StoredLines(std::string store, const symbols::Module& object) : store_(std::move(store)) {
    const std::string key = symbols::module_key(object);
    if (key.empty())
        return;
    path_ = store_ + '/' + key + '-' + symbols::readable_name(object.path) + ".lines";
    parse(text_of(path_));
}

// Ends at the first line that is damaged.
void StoredLines::parse(std::string_view text) {
    for (bool first = true; !text.empty(); first = false) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (end == std::string_view::npos || (first && line != FirstLine))
            return;
        text.remove_prefix(end + 1);
        std::uint64_t address = 0;
        symbols::SourceLocation place;
        if (first)
            continue;
        if (!take_number(line, address, 16) || !take_number(line, place.line, 10) || place.line == 0 || line.empty())
            return;
        place.file = line;
        places_.emplace(address, std::move(place));
    }
}

const symbols::SourceLocation* StoredLines::find(std::uint64_t address) const {
    const auto found = places_.find(address);
    return found == places_.end() ? nullptr : &found->second;
}

void StoredLines::add(std::uint64_t address, const symbols::SourceLocation& place) {
    if (place.line != 0 && !place.file.empty() && place.file.find('\n') == std::string::npos)
        has_more_ |= places_.emplace(address, place).second;
}

void StoredLines::save() const {
    if (!has_more_ || path_.empty() || !is_folder_of_ours(store_))
        return;
    std::string text = std::string(FirstLine) + '\n';
    for (const auto& [address, place] : places_)
        text += symbols::hex_of(address).substr(2) + ' ' + std::to_string(place.line) + ' ' + place.file + '\n';
    base::replace_file(path_, text.data(), text.size());
}

} // namespace vftr::advice
