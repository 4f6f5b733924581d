// SPDX-License-Identifier: BSD-3-Clause
//
// Reports what is wrong where cJSON stopped, and repairs a copy of the text there, so that cJSON gets further the next
// time and one run finds all mistakes. This is no second parser: cJSON alone decides whether a text is JSON. The
// guesses made here decide only which further mistakes are reported; a text with a mistake of syntax is never used.
#pragma once

#include "config/problems.hpp"
#include "config/repaired_text.hpp"

namespace vftr::config {

class JsonMender {
public:
    // Both must outlive this object. Offsets of `problems` are those of `copy`.
    JsonMender(RepairedText& copy, Problems& problems) : copy_(copy), problems_(problems) {}

    // Reports what is wrong and repairs the copy. Returns false if parsing cannot go on. Linear in the size of the
    // text.
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
    // The result of the latest find(): the token that cannot be used, the two tokens before it, what was expected in
    // its position, and the brackets that are open.
    Token token_{0, 0}, before_[2]{{0, 0}, {0, 0}};
    Expected expected_ = Expected::Value;
    std::string open_;
    std::size_t mended_ = 0;         // the text before this offset has been repaired
    bool brackets_reported_ = false; // missing brackets belong to something that has been reported already
};

} // namespace vftr::config
