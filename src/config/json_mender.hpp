// SPDX-License-Identifier: BSD-3-Clause
//
// What is wrong where cJSON stopped, and how a copy of the text is repaired there, so that cJSON gets further the next
// time and one pass finds all mistakes. This is no second parser: cJSON alone says whether a text is JSON. What is
// guessed here decides only which further mistakes are told; a text with a mistake of syntax is never used.
#pragma once

#include "config/problems.hpp"
#include "config/repaired_text.hpp"

namespace vftr::config {

class JsonMender {
public:
    // Both must outlive this object. Offsets of `problems` are those of `copy`.
    JsonMender(RepairedText& copy, Problems& problems) : copy_(copy), problems_(problems) {}

    // Tells what is wrong and repairs the copy. False if there is no going on. Linear in the size of the text.
    bool mend(std::size_t stop);

private:
    struct Token {
        std::size_t begin, end;
    };
    enum class Expected { Key, Colon, Value, End, Nothing }; // End: a comma or a closing bracket

    void find(std::size_t stop);
    bool fits() const;
    void take();
    bool mend_token();
    bool mend_end_of_text();
    bool mend_comment();
    bool mend_string(std::size_t stop);
    bool mend_open_string();
    bool mend_key();
    bool mend_word_as_key();
    bool mend_colon();
    bool mend_value();
    bool mend_key_as_value();
    bool mend_end();
    bool mend_wrong_bracket();
    bool mend_text_behind();

    char at(std::size_t offset) const { return offset < copy_.text().size() ? copy_.text()[offset] : '\0'; }
    char first() const { return at(token_.begin); }
    char innermost() const { return open_.empty() ? '\0' : open_.back(); }
    bool stands_behind(char c) const { return at(before_[0].begin) == c && before_[0].end > 0; }
    bool is_key(std::size_t quote) const;
    std::size_t tail(std::size_t from);
    void report(std::size_t where, const char* message);
    void drop(std::size_t from, std::size_t to);
    void drop_until(std::size_t end);
    void drop_member();
    void replace_quotes(std::size_t last);

    RepairedText& copy_;
    Problems& problems_;
    // Where the latest look ended: the token that cannot be used, the two before it, what could have stood there, and
    // the brackets that are open.
    Token token_{0, 0}, before_[2]{{0, 0}, {0, 0}};
    Expected expected_ = Expected::Value;
    std::string open_;
    std::size_t mended_ = 0;         // up to here
    bool brackets_reported_ = false; // brackets that are missing are within something that was told
};

} // namespace vftr::config
