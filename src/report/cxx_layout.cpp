// SPDX-License-Identifier: BSD-3-Clause
#include "report/cxx_layout.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace vftr::report {
namespace {

constexpr std::array<std::string_view, 8> Phrases = {
    "virtual thunk to ",      "non-virtual thunk to ",      "covariant return thunk to ", "guard variable for ",
    "transaction clone for ", "non-transaction clone for ", "TLS init function for ",     "TLS wrapper function for "};
constexpr std::string_view Omp = "omp ";

class Reader {
public:
    Reader(std::string_view text, const Brackets& brackets) : text_(text), brackets_(brackets), end_(text.size()) {}

    std::optional<CxxLayout> layout() {
        if (text_.empty() || !read())
            return std::nullopt;
        const auto has_arguments = [](const CxxComponent& component) { return component.angle != 0; };
        if (skipped_ && !std::ranges::any_of(layout_.components, has_arguments) &&
            text_.find("::operator ") == text_.npos)
            return std::nullopt;
        return std::move(layout_);
    }

private:
    char at(std::size_t place) const { return place < end_ ? text_[place] : '\0'; }
    bool stands(std::size_t place, std::string_view what) const {
        return place < end_ && text_.substr(place, end_ - place).starts_with(what);
    }
    std::size_t behind(std::size_t bracket) const { return brackets_.partner(bracket) + 1; }

    bool read() { return read_from(layout_.kept = end_of_phrase()); }

    // The end of a phrase that the demangler or vftrace puts before the name.
    std::size_t end_of_phrase() const {
        for (std::string_view phrase : Phrases)
            if (text_.starts_with(phrase))
                return phrase.size();
        if (!text_.starts_with(Omp))
            return 0;
        std::size_t end = Omp.size();
        for (std::string_view first : {"implicit ", "target data"}) // directives that consist of two words
            if (text_.substr(end).starts_with(first))
                end += first.find(' ') + 1;
        return std::min(text_.find(' ', end), text_.size() - 1) + 1;
    }

    bool read_from(std::size_t place) {
        for (;;) {
            if (at(place) == '(' && points(place + 1))
                return read_declarator(place);
            if (!read_component(place))
                return false;
            const std::size_t end = layout_.components.back().end;
            if (stands(end, "::")) {
                place = end + 2;
                continue;
            }
            if (end == end_)
                return finish(end, end);
            if (is_origin(end) || stands(end, " [clone") || (at(end) == ':' && at(end + 1) != ':') ||
                stands(end, " (.") || at(end) == '.' || at(end) == '@' || stands(end, " requires ") ||
                stands(end, "[clone"))
                return finish(end, end_);
            place = behind_type(end);
            if (place == 0)
                return false;
            skipped_ = true;
            layout_.components.clear();
        }
    }

    bool finish(std::size_t end, std::size_t tail_end) {
        layout_.tail = end;
        layout_.tail_end = tail_end;
        return true;
    }

    // Whether this is the origin " (a.cpp)" that a function has if it shares its name with others
    // (symbols/shared_names.hpp).
    bool is_origin(std::size_t place) const {
        return stands(place, " (") && brackets_.partner(place + 1) + 1 == text_.size();
    }

    // The position after a type that ends at `place`, where the name that the type belongs to begins. 0: it is not a
    // type.
    std::size_t behind_type(std::size_t place) const {
        for (;;) {
            const std::size_t before = place;
            for (std::string_view word : {" const", " volatile", "*", "&"})
                if (stands(place, word) && (!is_word(word.back()) || !is_word(at(place + word.size()))))
                    place += word.size();
            if (place == before)
                break;
        }
        return at(place) == ' ' ? place + 1 : 0;
    }

    // Whether a declarator begins here, as in "(*", "(&" or "(Class::*".
    bool points(std::size_t place) const {
        while (is_word(at(place)) || at(place) == ':')
            ++place;
        return at(place) == '*' || at(place) == '&';
    }

    // Reads a declarator such as void (*f(int))(double), where f is the function that returns a pointer to a function.
    bool read_declarator(std::size_t open) {
        std::size_t place = open + 1;
        while (at(place) != '*' && at(place) != '&')
            ++place;
        while (at(place) == '*' || at(place) == '&' || at(place) == ' ')
            ++place;
        const std::size_t whole = text_.size(), behind_types = behind(open);
        end_ = brackets_.partner(open);
        layout_.components.clear();
        skipped_ = true;
        if (!read_from(place))
            return false;
        // The parameters of the pointer may be followed by the mark of a clone.
        const std::size_t clone = text_.substr(behind_types, whole - behind_types).find(" [clone");
        return clone == text_.npos || finish(behind_types + clone, whole);
    }

    bool read_component(std::size_t begin) {
        CxxComponent component;
        component.begin = begin;
        std::size_t place = read_name(begin, component.nameless);
        if (place == begin)
            return false;
        component.name_end = place;
        if (stands(place, " <") && at(place - 1) == '<')
            ++place;
        if (at(place) == '<' && brackets_.partner(place) != 0) {
            component.angle = place;
            place = behind(place);
        }
        while (stands(place, "[abi:"))
            place = behind(place);
        if (at(place) == '(' && brackets_.partner(place) != 0) {
            component.params = place;
            place = behind(place);
            for (std::string_view word : {" const", " volatile", " restrict", " noexcept"})
                if (stands(place, word) && !is_word(at(place + word.size())))
                    place += word.size();
            for (std::string_view sign : {" &&", "&&", " &", "&"})
                if (stands(place, sign)) {
                    place += sign.size();
                    break;
                }
        }
        component.end = place;
        layout_.components.push_back(component);
        return true;
    }

    // Returns the end of the name; `begin` where there is no name.
    std::size_t read_name(std::size_t begin, bool& nameless) const {
        std::size_t place = begin;
        const char c = at(begin);
        if (stands(begin, "(anonymous namespace)"))
            return behind(begin);
        if (c == '{' && brackets_.partner(begin) != 0) {
            nameless = true;
            return behind(begin);
        }
        if (c == '\'') { // 'lambda'(int), as LLVM's demangler writes it
            nameless = true;
            const std::size_t quote = text_.find('\'', begin + 1);
            if (quote == text_.npos || quote >= end_)
                return begin;
            place = quote + 1;
            return at(place) == '(' && brackets_.partner(place) != 0 ? behind(place) : place;
        }
        if (const std::size_t end = end_of_operator(text_, begin))
            return end;
        if (stands(begin, "operator "))
            return read_conversion(begin + 9);
        if (c == '~')
            ++place;
        const std::size_t word = end_of_word(text_, place);
        if (word == place || word > end_)
            return begin;
        if (text_.substr(place, word - place) == "decltype") {
            const std::size_t open = at(word) == ' ' ? word + 1 : word;
            if (at(open) == '(' && brackets_.partner(open) != 0)
                return behind(open);
        }
        place = word;
        while (stands(place, "[abi:"))
            place = behind(place);
        return place;
    }

    // The target type of a conversion operator ends at the parameters.
    std::size_t read_conversion(std::size_t place) const {
        while (place < end_) {
            const bool opens = brackets_.partner(place) != 0;
            if (opens && text_[place] == '(' && !points(place + 1) && !stands(place, "(anonymous namespace)"))
                return place;
            if (opens && text_[place] == '(' && points(place + 1) && at(behind(place)) == '(')
                place = behind(place); // (*)(int)
            place = opens ? behind(place) : place + 1;
        }
        return end_;
    }

    std::string_view text_;
    const Brackets& brackets_;
    std::size_t end_;
    CxxLayout layout_;
    bool skipped_ = false; // whether a part was skipped that should be a return type
};

} // namespace

std::optional<CxxLayout> layout_of(std::string_view text, const Brackets& brackets) {
    return Reader(text, brackets).layout();
}

} // namespace vftr::report
