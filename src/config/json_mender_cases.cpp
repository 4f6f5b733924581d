// SPDX-License-Identifier: BSD-3-Clause
//
// The repairs, by what was expected: a key, a colon, a value, or the end of a value.
#include "config/json_mender.hpp"

#include "config/damaged_text.hpp"
#include "config/json_text.hpp"

#include <string_view>

namespace vftr::config {

bool JsonMender::mend_key() {
    if (first() == '\'') {
        report(token_.begin, "strings are written in double quotes");
        const std::size_t last = copy_.text().find('\'', token_.begin + 1);
        if (last < line_end(copy_.text(), token_.begin))
            replace_quotes(last);
        else
            drop_member();
        return true;
    }
    const bool in_list = open_.size() > 1 && open_[open_.size() - 2] == '[';
    if (first() == '{' && stands_behind(',') && in_list &&
        unmatched_brackets(copy_.text(), token_.begin) < open_.size()) {
        report(before_[0].begin, "a closing bracket } is missing before this");
        copy_.insert(before_[0].begin, '}');
        return true;
    }
    report(token_.begin, "a key in double quotes is missing here");
    if (first() == ',')
        copy_.put(token_.begin, ' ');
    else if (!mend_word_as_key())
        drop_member();
    return true;
}

bool JsonMender::mend_word_as_key() {
    std::size_t end = token_.begin;
    while (is_word(at(end)))
        ++end;
    const bool has_quote = at(end) == '"';
    const std::size_t next = skip_space(copy_.text(), end + has_quote);
    if (end == token_.begin || (at(next) != ':' && at(next) != '='))
        return false;
    if (!has_quote)
        copy_.insert(end, '"');
    copy_.insert(token_.begin, '"');
    return true;
}

bool JsonMender::mend_colon() {
    if (first() == ',' || is_closing(first())) {
        report(token_.begin, "a colon and a value are missing before this");
        copy_.insert(token_.begin, ':');
        copy_.put_hole(token_.begin + 1, token_.begin + 1);
    } else if (first() == '=' || first() == ';') {
        report(token_.begin, "a colon is missing here");
        copy_.blank(token_.begin, token_.begin + (at(token_.begin + 1) == '>' ? 2 : 1));
        copy_.put(token_.begin, ':');
    } else if (first() == '"' && at(token_.begin + 1) == ':') {
        report(token_.begin, "this quote is one too many");
        copy_.put(token_.begin, ' ');
    } else if (before_[0].end == token_.begin && before_[0].begin + 2 == token_.begin) {
        report(before_[0].begin, "this quote is one too many");
        copy_.put(before_[0].begin, ' ');
        mended_ = before_[0].begin;
    } else if (before_[0].end == token_.begin && first() != '{' && first() != '[') {
        // The quotes do not match: what they were meant to contain is unknown up to the end of the line.
        report(token_.begin, "a colon is missing before this");
        const std::size_t end = tail(token_.begin);
        token_ = before_[0];
        before_[0] = before_[1];
        drop_until(end);
    } else {
        report(token_.begin, "a colon is missing before this");
        copy_.insert(token_.begin, ':');
    }
    return true;
}

bool JsonMender::mend_value() {
    const std::size_t begin = token_.begin;
    if (first() == '{' || first() == '[') {
        report(begin, "the brackets are nested too deeply");
        return false;
    }
    if (first() == ',' && stands_behind('[') && at(skip_space(copy_.text(), begin + 1)) == ']') {
        report(begin, "the comma before the closing bracket is one too many");
        copy_.put(begin, ' ');
        return true;
    }
    if ((first() == ',' || is_closing(first())) && !open_.empty()) {
        report(begin, "a value is missing before this");
        copy_.put_hole(begin, begin);
        return true;
    }
    if (first() == ':' && !open_.empty()) {
        report(begin, "this colon is one too many");
        copy_.put(begin, ' ');
        return true;
    }
    const std::size_t last = first() == '\'' ? copy_.text().find('\'', begin + 1) : copy_.text().npos;
    report(begin, first() == '\'' ? "strings are written in double quotes"
                                  : "this is no JSON value; text needs double quotes");
    if (last < line_end(copy_.text(), begin)) {
        replace_quotes(last);
        return true;
    }
    const std::size_t end = open_.empty() ? copy_.text().size() : bad_value_end(copy_.text(), begin),
                      next = skip_space(copy_.text(), end);
    if (next < line_end(copy_.text(), end) && std::string_view("\"{[").find(at(next)) != std::string_view::npos &&
        !is_key(next)) {
        copy_.blank(begin, end); // the value follows
        return true;
    }
    copy_.put_hole(begin, end);
    brackets_reported_ |= skip_space(copy_.text(), end) == copy_.text().size();
    return true;
}

// Repairs what is missing before the key whose colon is the token; returns false if there is no such key.
bool JsonMender::mend_key_as_value() {
    const Token key = before_[0], before_key = before_[1];
    if (first() != ':' || !is_key(key.begin))
        return false;
    if (unmatched_brackets(copy_.text(), token_.begin) > open_.size()) {
        report(key.begin, "an opening bracket { is missing before this");
        copy_.insert(key.begin, '{');
        return true;
    }
    if (innermost() != '[')
        return false;
    // The key is meant to be after the list.
    const std::size_t place = at(before_key.begin) == ',' ? before_key.begin : key.begin;
    report(place, "a closing bracket ] is missing before this");
    copy_.insert(place, ']');
    return true;
}

bool JsonMender::mend_end() {
    if (mend_key_as_value())
        return true;
    const std::size_t begin = token_.begin;
    const bool in_object = innermost() == '{', touches = before_[0].end == begin && !is_closing(at(before_[0].begin));
    report(begin, "a comma or a closing bracket is missing before this");
    const bool is_next = in_object
                             ? is_key(begin) || first() == '\'' ||
                                   (is_word(first()) && !touches && at(skip_space(copy_.text(), token_.end)) == ':')
                             : begins_value(first()) && !touches;
    if (first() == ';') {
        copy_.put(begin, is_closing(at(skip_space(copy_.text(), begin + 1))) ? ' ' : ',');
    } else if (is_next) {
        copy_.insert(begin, ',');
    } else { // the value before it is wrong, too
        const bool quotes_do_not_fit = touches && (at(before_[0].begin) == '"' || first() == '"');
        const bool is_structure = std::string_view(":{[\"").find(first()) != std::string_view::npos;
        copy_.set_incomplete();
        drop(begin, quotes_do_not_fit ? tail(begin)
                    : is_structure    ? member_end(copy_.text(), begin)
                                      : bad_value_end(copy_.text(), begin));
        if (!is_closing(at(before_[0].begin)))
            copy_.put_hole(before_[0].begin, before_[0].end);
    }
    return true;
}

} // namespace vftr::config
