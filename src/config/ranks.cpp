// SPDX-License-Identifier: BSD-3-Clause
#include "config/config.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

namespace vftr::config {
namespace {

constexpr std::int64_t LastRank = std::numeric_limits<std::int32_t>::max();

// Reads the list from left to right. After the first fault it stands at the end of the text. (It uses no exceptions,
// because the recorder reads its configuration with it.)
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    std::size_t at() const { return at_; }
    bool done() {
        skip_space();
        return at_ == text_.size();
    }
    bool take(char c) {
        if (done() || text_[at_] != c)
            return false;
        ++at_;
        return true;
    }
    void fail(std::size_t at, std::string message) {
        if (!fault_)
            fault_ = RankSet::Error{at, std::move(message)};
        at_ = text_.size();
    }
    const std::optional<RankSet::Error>& fault() const { return fault_; }
    std::int64_t number(const char* place) {
        skip_space();
        std::size_t begin = at_;
        std::int64_t value = 0;
        for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
            value = value * 10 + (text_[at_] - '0');
            if (value > LastRank) {
                fail(begin, "this number is too large");
                return 0;
            }
        }
        if (at_ == begin)
            fail(begin, std::string("a number is missing ") + place);
        return value;
    }

private:
    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
    }
    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<RankSet::Error> fault_;
};

std::string_view trim(std::string_view text) {
    std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

} // namespace

RankSet RankSet::all() {
    RankSet set;
    set.all_ = true;
    set.text_ = "all";
    return set;
}

RankSet RankSet::none() {
    RankSet set;
    set.text_ = "none";
    return set;
}

std::optional<RankSet> RankSet::parse(std::string_view text, Error* error) {
    if (trim(text) == "all")
        return all();
    if (trim(text) == "none")
        return none();
    RankSet set;
    set.text_ = text;
    Scanner scanner(text);
    if (scanner.done())
        scanner.fail(0, "the list is empty");
    for (const char* place = "at the start of the list";; place = "after the comma") {
        scanner.done(); // skips spaces, so that `begin` is the offset of the number
        std::size_t begin = scanner.at();
        Range range{};
        range.first = range.last = scanner.number(place);
        if (scanner.take('-'))
            range.last = scanner.number("after the '-'");
        if (range.last < range.first)
            scanner.fail(begin, "this range runs backwards");
        set.ranges_.push_back(range);
        if (scanner.done())
            break;
        if (!scanner.take(','))
            scanner.fail(scanner.at(), "a comma is expected here");
    }
    if (scanner.fault()) {
        if (error)
            *error = *scanner.fault();
        return std::nullopt;
    }
    set.normalize();
    return set;
}

// Sorts the ranges and merges overlaps, as contains() needs it.
void RankSet::normalize() {
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
    std::vector<Range> merged;
    for (const Range& range : ranges_) {
        if (!merged.empty() && range.first <= merged.back().last + 1)
            merged.back().last = std::max(merged.back().last, range.last);
        else
            merged.push_back(range);
    }
    ranges_ = std::move(merged);
}

bool RankSet::contains(std::int64_t rank) const {
    if (all_)
        return true;
    auto next = std::upper_bound(ranges_.begin(), ranges_.end(), rank,
                                 [](std::int64_t value, const Range& range) { return value < range.first; });
    return next != ranges_.begin() && rank <= std::prev(next)->last;
}

} // namespace vftr::config
