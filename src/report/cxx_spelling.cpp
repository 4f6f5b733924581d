// SPDX-License-Identifier: BSD-3-Clause
#include "report/cxx_spelling.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace vftr::report {
namespace {

constexpr std::array<std::string_view, 5> InlineNamespaces = {"__cxx11", "__1", "_V2", "__ndk1", "__8"};

// Templates of namespace std whose last arguments are default arguments that programmers leave out.
constexpr std::array<std::string_view, 21> WithDefaults = {"vector",
                                                           "deque",
                                                           "list",
                                                           "forward_list",
                                                           "set",
                                                           "multiset",
                                                           "map",
                                                           "multimap",
                                                           "unordered_set",
                                                           "unordered_map",
                                                           "unordered_multiset",
                                                           "unordered_multimap",
                                                           "unique_ptr",
                                                           "stack",
                                                           "queue",
                                                           "priority_queue",
                                                           "_Vector_base",
                                                           "_Deque_base",
                                                           "_List_base",
                                                           "_Fwd_list_base",
                                                           "match_results"};

struct Alias {
    std::string_view argument, prefix;
};
constexpr Alias Characters[] = {
    {"char", ""}, {"wchar_t", "w"}, {"char8_t", "u8"}, {"char16_t", "u16"}, {"char32_t", "u32"}};

// Copies the name. At the end of each list of arguments it looks back at the copied list, and removes default
// arguments.
class Rewriter {
public:
    Rewriter(std::string_view name, const Brackets& brackets) : name_(name), brackets_(brackets) {
        out_.reserve(name.size());
    }

    std::string text() && {
        for (std::size_t at = 0; at < name_.size();)
            at = copy(at);
        return std::move(out_);
    }

private:
    struct List {
        std::size_t begin; // position in out_ after the opening bracket
        std::size_t end;   // position in name_ of the closing bracket
        bool angle;
        std::size_t commas; // index in commas_ of the list's first comma
    };

    std::size_t copy(std::size_t at) {
        const char c = name_[at];
        if (!lists_.empty() && at == lists_.back().end)
            return close(at);
        if (is_word(c))
            return copy_word(at);
        if (brackets_.partner(at) != 0) {
            if (c == '[' && name_.substr(at).starts_with("[abi:"))
                return brackets_.partner(at) + 1;
            out_ += c;
            lists_.push_back({out_.size(), brackets_.partner(at), c == '<', commas_.size()});
            return at + 1;
        }
        if (c == ',' && !lists_.empty())
            commas_.push_back(out_.size());
        out_ += c;
        return at + 1;
    }

    std::size_t copy_word(std::size_t at) {
        std::size_t end = brackets_.word_end(at);
        if (end == 0)
            end = end_of_word(name_, at);
        const std::string_view word = name_.substr(at, end - at);
        if (word[0] == '_' && out_.ends_with("::") && name_.substr(end).starts_with("::") &&
            std::ranges::find(InlineNamespaces, word) != InlineNamespaces.end())
            return end + 2;
        out_ += word;
        return end;
    }

    std::size_t close(std::size_t at) {
        const List list = lists_.back();
        lists_.pop_back();
        if (list.angle) {
            if (at > 1 && name_[at - 1] == ' ' && name_[at - 2] == '>' && out_.ends_with(' '))
                out_.pop_back();
            drop_defaults(list);
            if (take_alias(list)) {
                commas_.resize(list.commas);
                return at + 1;
            }
        }
        commas_.resize(list.commas);
        out_ += name_[at];
        return at + 1;
    }

    // The name of the template before a list: "vector" for std::vector; empty if it is not in namespace std.
    std::string_view name_in_std(const List& list) const {
        constexpr std::string_view Std = "std::";
        std::string_view before(out_.data(), list.begin - 1);
        std::size_t begin = before.size();
        while (begin > 0 && is_word(before[begin - 1]))
            --begin;
        const std::string_view name = before.substr(begin);
        before = before.substr(0, begin);
        if (!before.ends_with(Std))
            return {};
        before.remove_suffix(Std.size());
        return before.empty() || (!is_word(before.back()) && before.back() != ':') ? name : std::string_view();
    }

    // The number of commas in the list that ends here, which is the innermost open one.
    std::size_t commas_in(const List& list) const { return commas_.size() - list.commas; }

    std::string_view argument(const List& list, std::size_t index) const {
        std::size_t begin = index == 0 ? list.begin : commas_[list.commas + index - 1] + 1;
        const std::size_t end = index < commas_in(list) ? commas_[list.commas + index] : out_.size();
        if (begin < end && out_[begin] == ' ')
            ++begin;
        return std::string_view(out_).substr(begin, end - begin);
    }

    // Whether an argument is the default that follows from the first argument.
    static bool is_default(std::string_view argument, std::string_view first) {
        for (const std::string_view of_first : {"std::less", "std::hash", "std::equal_to", "std::default_delete",
                                                "std::char_traits", "std::deque", "std::vector"})
            if (argument.size() == of_first.size() + first.size() + 2 && argument.starts_with(of_first) &&
                argument[of_first.size()] == '<' && argument.substr(of_first.size() + 1, first.size()) == first)
                return true;
        return argument.starts_with("std::allocator<");
    }

    void drop_defaults(const List& list) {
        if (commas_in(list) == 0)
            return;
        const std::string_view name = name_in_std(list);
        const bool adapter = name == "stack" || name == "queue" || name == "priority_queue";
        if (!name.starts_with("basic_") && std::ranges::find(WithDefaults, name) == WithDefaults.end())
            return;
        const auto drops = [&](std::string_view last) {
            const bool container = last.starts_with("std::deque<") || last.starts_with("std::vector<");
            return (adapter || !container) && is_default(last, argument(list, 0));
        };
        while (commas_in(list) != 0 && drops(argument(list, commas_in(list)))) {
            out_.resize(commas_.back());
            commas_.pop_back();
        }
    }

    // Turns basic_string<char> into string.
    bool take_alias(const List& list) {
        constexpr std::string_view Basic = "basic_";
        if (commas_in(list) != 0 || !name_in_std(list).starts_with(Basic))
            return false;
        const std::string name(name_in_std(list));
        for (const Alias& alias : Characters)
            if (argument(list, 0) == alias.argument && (alias.prefix.size() < 2 || name.starts_with("basic_string"))) {
                out_.resize(list.begin - 1 - name.size());
                out_ += alias.prefix;
                out_ += std::string_view(name).substr(Basic.size());
                return true;
            }
        return false;
    }

    std::string_view name_;
    const Brackets& brackets_;
    std::string out_;
    std::vector<List> lists_;         // the open lists
    std::vector<std::size_t> commas_; // positions in out_ of the commas of the open lists
};

} // namespace

std::string usual_spelling(std::string_view name, const Brackets& brackets) { return Rewriter(name, brackets).text(); }

} // namespace vftr::report
