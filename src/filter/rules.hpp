// SPDX-License-Identifier: BSD-3-Clause
//
// Applies the configuration's rules to a function: whether it is recorded, is precise, or belongs to a trigger.
//
// A function is recorded if no include is given or one matches, and no exclude matches. An exclude is stronger, also
// than sampling.precise_functions, as a user adds it to get rid of something. The functions of triggers are always
// recorded; otherwise a filter that leaves few functions would disable the triggers that make it useful.
//
// An expression that matches nothing is most likely a mistake, which has to be reported (matches_so_far). So until it
// has matched a function, an expression is also tried on functions whose decision other expressions have made already;
// but no debug information is read for that.
#pragma once

#include "config/config.hpp"
#include "symbols/module_names.hpp"
#include "symbols/pattern.hpp"
#include "vfd/metadata_note.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vftr::filter {

// Allocates and opens files, so it must not be used on the event path. One thread at a time may use it.
class Rules {
public:
    // forked_from: in a forked child, the rules of its parent; expressions that have matched there count as matched.
    Rules(const config::Config& config, symbols::NameOptions options, symbols::NameSources sources = {},
          const Rules* forked_from = nullptr);

    struct Ruling {
        std::uint8_t decision = 0;           // bits of record::Decision
        std::vector<std::uint32_t> triggers; // indices in the configuration's list
    };
    Ruling on(const symbols::Module& module, std::uint64_t address);
    // Adds an expression for names while the process runs. Of those that match a function the latest decides, and not
    // what include and exclude of the configuration say; the functions of triggers stay. Returns what is wrong with the
    // expression; "": nothing.
    std::string add(const char* expression, bool exclude);
    // Whether the rules treat all functions alike.
    bool trivial() const;
    // Whether functions may be excluded.
    bool excludes() const { return include_.given() || exclude_.given() || !added_.empty(); }
    // The first object without debug information on which a filter by files was tried, returned once: such a filter
    // matches nothing there.
    std::optional<std::string> without_files();
    // The first name for which an expression took too long, returned once: the expression does not match that name.
    std::optional<std::string> given_up_on();
    // Whether each expression has matched anything, without those of triggers. An expression that has not matched is
    // left out if it was not tried on all functions, as then the answer is not known.
    std::vector<vfd::ExpressionUse> matches_so_far() const;
    // Whether functions were compared with all expressions that are about names.
    bool judged() const { return asked_ && !has_given_up(); }

private:
    struct Expression {
        symbols::Pattern pattern;
        std::string option, text;
        bool asked = false, passed_over = false, matched = false;

        bool matches(std::string_view what) {
            asked = true;
            const bool found = pattern.matches(what);
            matched |= found;
            return found;
        }
    };
    struct Set {
        std::optional<Expression> functions, files, modules;
        bool given() const { return functions || files || modules; }
    };
    // The function that the rules are applied to. Each string is looked up when an expression needs it.
    struct Question {
        const symbols::Module& module;
        std::uint64_t address;
        std::optional<std::string> name, former_name, distinct_name, object, file;
    };
    // decided: the decision on the function does not depend on the result.
    bool matches(Set& set, Question& question, bool decided);
    bool has_given_up() const;
    template <class R>
    static auto expressions(R& rules);
    const std::string& name(Question& question);
    const std::string& former_name(Question& question);
    const std::string& distinct_name(Question& question);
    const std::string& object(Question& question);
    // Compares the names by which tables distinguish functions that share a name.
    template <class Matcher>
    bool matches_distinguished(Matcher& matcher, Question& question);
    // Compares the bare name, even if other functions share it; the name that tables showed in earlier versions; and
    // the name with a qualifier by which tables distinguish functions that share a name.
    template <class Matcher>
    bool matches_name(Matcher& matcher, Question& question);
    const std::string& file(Question& question);

    symbols::ModuleNames names_;
    Set include_, exclude_;
    std::optional<Expression> precise_;
    std::vector<symbols::Pattern> triggers_;
    struct Added {
        symbols::Pattern pattern;
        std::string text;
        bool exclude;
    };
    std::vector<Added> added_; // the latest last
    std::optional<std::string> without_files_, given_up_on_;
    bool told_without_files_ = false, told_given_up_ = false, asked_ = false;
    bool distinguish_ = false; // an expression may be meant for one of several functions that share a name
};

} // namespace vftr::filter
