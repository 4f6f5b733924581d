// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/complete/candidates.hpp"

#include "advice/expression.hpp"

#include <algorithm>
#include <sstream>

namespace vftr::cli {
namespace {

using WordList = std::vector<std::string>;

// An operand as the usage spells it. FILE is a recording, unless an action has it.
struct Operand {
    ValueSpelling spelling;
    bool of_action = false, repeats = false;
    std::vector<Choice> (*choices)() = nullptr;
};

Operand operand_of(std::string word, bool of_action) {
    std::erase_if(word, [](char c) { return c == '[' || c == ']'; });
    return {value_spelling_of(word), of_action, word.ends_with("…")};
}

WordList blank_separated(const std::string& text) {
    std::istringstream words(text);
    WordList all;
    for (std::string word; words >> word;)
        all.push_back(word);
    return all;
}

bool is_option_word(std::string_view word) { return word.starts_with('-') || word.starts_with("[-"); }

// Walks along the words before the cursor as getopt_long does.
class Walk {
public:
    Walk(const Syntax& syntax, const Completed& completed) : syntax_(syntax), completed_(completed) {
        for (const Option& option : syntax.options)
            if (!option.spelling.empty() && !option.help.empty())
                options_.push_back({spelling_of(option.spelling), &option});
        for (const std::string& line : syntax.usage)
            for (const std::string& word : blank_separated(line))
                if (word.starts_with("--") && word != "--" && !find(word.substr(2, word.find('=') - 2)))
                    keywords_.push_back(word);
        begin_operands("");
    }

    void pass(const std::string& word) {
        if (pending_) {
            pending_ = nullptr;
        } else if (std::ranges::find(keywords_, word) != keywords_.end()) {
            begin_operands(word);
        } else if (takes_options() && word == "--") {
            ended_ = true;
        } else if (takes_options() && word.starts_with("--")) {
            const Known* option = find(word.substr(2));
            pending_ = option && !option->spelling.value.empty() ? option : nullptr;
        } else if (takes_options() && word.size() > 1 && word[0] == '-') {
            const auto option = std::ranges::find(options_, word.back(), letter);
            pending_ =
                option != options_.end() && !option->spelling.value.empty() && word.size() == 2 ? &*option : nullptr;
        } else {
            pass_operand(word);
        }
    }

    Candidates at(const std::string& word) const {
        Candidates result;
        if (pending_) {
            add_values(result, *pending_, "", word);
        } else if (const std::size_t equals = word.find('=');
                   takes_options() && word.starts_with("--") && equals != word.npos) {
            if (const Known* option = find(word.substr(2, equals - 2)))
                add_values(result, *option, word.substr(0, equals + 1), word);
        } else if (takes_options() && word.starts_with('-')) {
            add_options(result);
        } else {
            add_operands(result, word);
        }
        std::erase_if(result.words, [&](const Choice& choice) { return !choice.name.starts_with(word); });
        return result;
    }

private:
    struct Known {
        Spelling spelling;
        const Option* option;
    };
    static char letter(const Known& known) { return known.spelling.letter; }

    const Known* find(std::string_view name) const {
        const auto found = std::ranges::find_if(
            options_, [&](const Known& each) { return !name.empty() && each.spelling.name == name; });
        return found == options_.end() ? nullptr : &*found;
    }
    bool takes_options() const { return !ended_ && !(syntax_.options_first && passed_ > 0); }

    // Those that the usage has behind a word such as --base, or from its begin.
    void begin_operands(const std::string& keyword) {
        operands_.clear();
        passed_ = 0;
        ended_ = !keyword.empty();
        bool begun = keyword.empty();
        for (const std::string& word : blank_separated(syntax_.usage.front()))
            if (is_option_word(word)) {
                if (begun && !keyword.empty())
                    break;
                begun = begun || word == keyword;
            } else if (begun && !word.starts_with("[OPTION")) {
                operands_.push_back(operand_of(word, false));
            }
    }

    // Of a verb with actions, it is the first operand where that is spelled in lower case, else ACTION or COMMAND.
    bool is_action(std::size_t index) const {
        if (syntax_.actions.empty() || action_)
            return false;
        const bool literal = !operands_.empty() && operands_.front().spelling.alternatives.front().kind.empty();
        const auto word = [&](const std::string& kind) {
            return index < operands_.size() && operands_[index].spelling.alternatives.front().kind == kind;
        };
        return literal ? index == 0 : word("ACTION") || word("COMMAND");
    }

    void pass_operand(const std::string& word) {
        if (is_action(passed_)) {
            const auto found = std::ranges::find(syntax_.actions, word, &Action::name);
            if (found != syntax_.actions.end()) {
                action_ = &*found;
                WordList own = blank_separated(found->spelling);
                if (own.size() > 1 || operands_.size() <= passed_ + 1 ||
                    operands_[passed_ + 1].spelling.alternatives.front().kind == "ARGUMENT")
                    operands_.resize(passed_ + 1);
                for (std::size_t i = 1; i < own.size(); ++i) {
                    operands_.push_back(operand_of(own[i], true));
                    operands_.back().choices = found->choices;
                }
            }
        }
        ++passed_;
    }

    void add_options(Candidates& result) const {
        for (const Known& each : options_)
            result.words.push_back({each.spelling.name.empty()
                                        ? each.spelling.shown()
                                        : "--" + each.spelling.name + (each.spelling.value.empty() ? "" : "="),
                                    each.option->help});
        for (const std::string& keyword : keywords_)
            result.words.push_back({keyword, ""});
    }

    void add_operands(Candidates& result, const std::string& word) const {
        if (is_action(passed_)) {
            for (const Action& action : syntax_.actions)
                result.words.push_back({action.name(), action.help});
            return;
        }
        if (operands_.empty() || (passed_ >= operands_.size() && !operands_.back().repeats))
            return;
        const Operand& operand = operands_[std::min(passed_, operands_.size() - 1)];
        if (operand.choices)
            result.words = operand.choices();
        else
            for (const Alternative& each : operand.spelling.alternatives)
                add_alternative(result, each, "", word, operand.of_action);
    }

    void add_values(Candidates& result, const Known& option, std::string prefix, const std::string& word) const {
        const ValueSpelling spelling = value_spelling_of(option.spelling.value);
        if (spelling.is_list)
            prefix = word.substr(0, std::max(prefix.size(), word.rfind(',') + 1));
        if (option.option->choices)
            for (const Choice& choice : option.option->choices())
                result.words.push_back({prefix + choice.name, choice.help});
        else
            for (const Alternative& each : spelling.alternatives)
                add_alternative(result, each, prefix, word, true);
    }

    // What shells can do with the words in capitals.
    void add_alternative(Candidates& result, const Alternative& each, const std::string& before,
                         const std::string& word, bool any_file) const {
        const std::string prefix = before + each.literal;
        if (!each.literal.empty() && (each.kind.empty() || !word.starts_with(prefix))) {
            result.words.push_back({prefix, ""});
            return;
        }
        const std::string& kind = each.kind;
        if (kind == "REGEX")
            add_functions(result, prefix, word);
        else if (kind == "PID")
            for (const Choice& process : completed_.processes())
                result.words.push_back(process);
        else if (kind == "FILE")
            result.names = any_file ? Names::Files : Names::Recordings;
        else if (kind == "ARGUMENT")
            result.names = Names::Files;
        else if (kind == "DIR")
            result.names = result.names == Names::None ? Names::Folders : result.names;
        else if (!any_file && (kind == "BASE" || kind == "NEW" || kind.size() == 1)) // A… -- B…
            result.names = Names::Recordings;
        else if (kind == "COMMAND" || kind == "COMPILER")
            result.names = Names::Commands;
    }

    // Expressions that match one function; those of a whole name where the user has begun with "^".
    void add_functions(Candidates& result, const std::string& prefix, const std::string& word) const {
        const bool whole = std::string_view(word).substr(std::min(prefix.size(), word.size())).starts_with('^');
        for (const std::string& name : completed_.functions())
            result.words.push_back({prefix + (whole ? "^" : "") + advice::escaped(name) + (whole ? "$" : ""), ""});
    }

    const Syntax& syntax_;
    const Completed& completed_;
    std::vector<Known> options_;
    WordList keywords_; // of the usage: --base
    std::vector<Operand> operands_;
    std::size_t passed_ = 0; // operands
    const Action* action_ = nullptr;
    const Known* pending_ = nullptr; // the option whose value comes
    bool ended_ = false;             // no options come any more
};

} // namespace

Candidates candidates(const std::vector<std::string>& words, std::size_t at, const Completed& completed) {
    if (at == 0 || words[0] == "help") {
        Candidates result;
        for (const Choice& verb : completed.verbs)
            if (at < 2)
                result.words.push_back(verb);
        if (at == 0)
            result.words.insert(
                result.words.end(),
                {{"help", "tell more about a verb"}, {"--help", "list the verbs"}, {"--version", "print the version"}});
        std::erase_if(result.words, [&](const Choice& choice) { return !choice.name.starts_with(words[at]); });
        return result;
    }
    const std::optional<Syntax> syntax = completed.syntax(words[0]);
    if (!syntax)
        return {};
    Walk walk(*syntax, completed);
    for (std::size_t i = 1; i < at; ++i)
        walk.pass(words[i]);
    return walk.at(words[at]);
}

} // namespace vftr::cli
