// SPDX-License-Identifier: BSD-3-Clause
#include "config/json_mender.hpp"

#include "config/damaged_text.hpp"
#include "config/json_text.hpp"

#include <algorithm>

namespace vftr::config {
// Whether a string that a colon follows begins at this quote.
bool JsonMender::is_key(std::size_t quote) const {
    const std::string& text = copy_.text();
    return at(quote) == '"' && at(skip_space(text, string_in_line(text, quote))) == ':';
}

void JsonMender::report(std::size_t where, const char* message) { problems_.error(where, "", message); }

// Blanks a part. If the text ends after it, missing brackets need no other message.
void JsonMender::drop(std::size_t from, std::size_t to) {
    copy_.blank(from, to);
    brackets_reported_ |= skip_space(copy_.text(), to) == copy_.text().size();
}

// Drops the member that begins at the token, and one comma.
void JsonMender::drop_until(std::size_t end) {
    copy_.set_incomplete();
    drop(token_.begin, end);
    if (const std::size_t comma = skip_space(copy_.text(), end); at(comma) == ',')
        copy_.put(comma, ' ');
    else if (stands_behind(','))
        copy_.put(before_[0].begin, ' ');
}

void JsonMender::drop_member() {
    const bool is_bracket = first() == '{' || first() == '[';
    if (is_word(first()) && is_key(skip_space(copy_.text(), token_.end)))
        return copy_.blank(token_.begin, token_.end); // the key follows
    if (is_bracket && unmatched_brackets(copy_.text(), token_.begin) < open_.size())
        copy_.put(token_.begin, ' '); // no bracket closes it, so it is one too many
    else
        drop_until(member_end(copy_.text(), token_.begin));
}

// The end of what belongs to a string that begins before `from` and is not closed. It excludes a comma at the end of
// the line, and those brackets there that other opening brackets need.
std::size_t JsonMender::tail(std::size_t from) {
    const std::string& text = copy_.text();
    const std::size_t line = line_end(text, from), rest = unmatched_brackets(text, line);
    std::size_t needed = open_.size() > rest ? open_.size() - rest : 0, end = skip_back(text, from, line);
    if (end > from && text[end - 1] == ',')
        end = skip_back(text, from, end - 1);
    for (; needed > 0 && end > from && is_closing(text[end - 1]); --needed)
        end = skip_back(text, from, end - 1);
    brackets_reported_ |= needed > 0;
    return end;
}

// Replaces the quotes of the token, a string in single quotes that ends with the one at `last`.
void JsonMender::replace_quotes(std::size_t last) {
    const std::size_t odd = copy_.text().find_first_of("\"\\", token_.begin);
    if (odd < last && expected_ == Expected::Value)
        return copy_.put_hole(token_.begin, last + 1);
    for (std::size_t i = token_.begin + 1; i < last; ++i)
        if (at(i) == '"' || at(i) == '\\') {
            copy_.put(i, '_');
            copy_.set_reported(token_.begin);
        }
    copy_.put(token_.begin, '"');
    copy_.put(last, '"');
}

bool JsonMender::fits() const {
    const char c = first();
    switch (expected_) {
    case Expected::Key:
        return c == '"' || (c == '}' && stands_behind('{'));
    case Expected::Colon:
        return c == ':';
    case Expected::Value:
        return (c != ',' && c != ':' && !is_closing(c)) || (c == ']' && stands_behind('['));
    case Expected::End:
        return c == ',' || c == closing(innermost());
    default:
        return false;
    }
}

// Consumes a token that fits.
void JsonMender::take() {
    const char c = first();
    const bool key = expected_ == Expected::Key && c == '"';
    if (c == '{' || c == '[')
        open_ += c;
    else if (is_closing(c))
        open_.pop_back();
    if (c == '{' || (c == ',' && innermost() == '{'))
        expected_ = Expected::Key;
    else if (c == '[' || c == ',' || c == ':')
        expected_ = Expected::Value;
    else
        expected_ = key ? Expected::Colon : open_.empty() ? Expected::Nothing : Expected::End;
    before_[1] = before_[0];
    before_[0] = token_;
}

// Goes to the token at which cJSON stopped. A string that ends in another line than it begins was not meant so,
// although cJSON accepts it, so find() stops there, too.
void JsonMender::find(std::size_t stop) {
    const std::string& text = copy_.text();
    token_ = before_[0] = before_[1] = {0, 0};
    expected_ = Expected::Value;
    open_.clear();
    for (;; take()) {
        token_.begin = skip_space(text, token_.end);
        token_.end = token_end(text, token_.begin);
        if (token_.begin == text.size() || token_.end > stop || !fits() ||
            (first() == '"' && is_open_string(text, token_.begin)))
            return;
    }
}

bool JsonMender::mend(std::size_t stop) {
    const bool is_first = !copy_.is_changed();
    find(stop);
    if (!is_first && token_.begin < mended_)
        return false;
    mended_ = token_.begin + 1;
    if (token_.begin == copy_.text().size())
        return mend_end_of_text();
    if (begins_comment(copy_.text(), token_.begin))
        return mend_comment();
    if (fits() && first() == '"')
        return mend_string(stop);
    return mend_token();
}

bool JsonMender::mend_token() {
    if (is_closing(first()) && !open_.empty() && first() != closing(innermost()))
        return mend_wrong_bracket();
    if (is_closing(first()) && stands_behind(',') && (expected_ == Expected::Key || expected_ == Expected::Value)) {
        report(before_[0].begin, "the comma before the closing bracket is one too many");
        copy_.put(before_[0].begin, ' ');
        return true;
    }
    switch (expected_) {
    case Expected::Key:
        return mend_key();
    case Expected::Colon:
        return mend_colon();
    case Expected::Value:
        return mend_value();
    case Expected::End:
        return mend_end();
    default:
        return mend_text_behind();
    }
}

bool JsonMender::mend_end_of_text() {
    if (before_[0].end == 0) {
        if (!brackets_reported_)
            report(0, "the file is empty; allowed is an object { … }");
        return false;
    }
    if (!brackets_reported_)
        report(before_[0].end, "the file ends too early: a bracket or a value is missing");
    copy_.set_misplaced();
    if (open_.size() > 1)
        copy_.set_incomplete();
    if (expected_ == Expected::Key && stands_behind(','))
        copy_.put(before_[0].begin, ' ');
    if (expected_ == Expected::Colon)
        copy_.insert(copy_.text().size(), ':');
    if (expected_ == Expected::Colon || expected_ == Expected::Value)
        copy_.put_hole(copy_.text().size(), copy_.text().size());
    for (; !open_.empty(); open_.pop_back())
        copy_.insert(copy_.text().size(), closing(open_.back()));
    return true;
}

bool JsonMender::mend_comment() {
    report(token_.begin, "JSON has no comments");
    drop(token_.begin, comment_end(copy_.text(), token_.begin));
    return true;
}

// The token is a key or a value.
bool JsonMender::mend_string(std::size_t stop) {
    if (is_open_string(copy_.text(), token_.begin))
        return mend_open_string();
    report(std::clamp(stop, token_.begin, token_.end), "this escape is none that JSON knows");
    if (expected_ == Expected::Value) {
        copy_.put_hole(token_.begin, token_.end);
        return true;
    }
    for (std::size_t i = token_.begin; i < token_.end; ++i)
        if (at(i) == '\\') {
            copy_.put(i, '_');
            copy_.put(++i, '_');
        }
    copy_.set_reported(token_.begin);
    return true;
}

bool JsonMender::mend_open_string() {
    const std::string& text = copy_.text();
    report(token_.begin, "the string that begins here does not end");
    std::size_t end = tail(token_.begin + 1);
    if (expected_ == Expected::Value) {
        copy_.put_hole(token_.begin, end);
        brackets_reported_ |= skip_space(text, end) == text.size();
        return true;
    }
    const std::size_t colon = text.find(':', token_.begin);
    if (colon < end) {
        for (std::size_t i = token_.begin + 1; i < colon; ++i)
            if (at(i) == '\\')
                copy_.put(i, '_');
        copy_.insert(skip_back(text, token_.begin + 1, colon), '"');
        return true;
    }
    drop_until(end);
    return true;
}

// The token closes another kind of bracket than the one that is open.
bool JsonMender::mend_wrong_bracket() {
    const std::size_t rest = unmatched_brackets(copy_.text(), token_.begin);
    const bool is_list = innermost() == '[';
    if (rest > open_.size()) {
        report(token_.begin, "this bracket closes nothing");
        if (expected_ == Expected::Value && stands_behind(':'))
            copy_.put_hole(token_.begin, token_.end);
        else
            copy_.put(token_.begin, ' ');
    } else if (rest == open_.size()) {
        report(token_.begin,
               is_list ? "the closing bracket of a list is a ]" : "the closing bracket of an object is a }");
        copy_.put(token_.begin, closing(innermost()));
    } else {
        if (!brackets_reported_)
            report(token_.begin, is_list ? "a closing bracket ] is missing before this"
                                         : "a closing bracket } is missing before this");
        copy_.insert(token_.begin, closing(innermost()));
        copy_.set_misplaced();
    }
    mended_ = token_.begin; // the comma before it may be one too many
    return true;
}

// The token is after the bracket that closes everything. If more brackets follow, that bracket was one too many.
bool JsonMender::mend_text_behind() {
    const std::string& text = copy_.text();
    const std::size_t begin = token_.begin, closed = before_[0].begin;
    const bool is_object = is_closing(at(closed)) && at(skip_space(text, 0)) == '{';
    report(begin, is_object ? "there is text behind the end of the configuration"
                            : "a configuration is one object: it begins with { and ends with }");
    const std::size_t next = skip_space(text, first() == ',' ? begin + 1 : begin);
    if (!is_object || !is_key(next)) {
        if (!is_object)
            copy_.set_reported(skip_space(text, 0)); // so that it is not reported that this is no object
        drop(begin, text.size());
        return true;
    }
    const bool is_closed = unmatched_brackets(text, begin) > 0;
    copy_.put(closed, first() == ',' ? ' ' : ',');
    copy_.set_misplaced();
    if (!is_closed)
        copy_.insert(text.size(), '}');
    return true;
}

} // namespace vftr::config
