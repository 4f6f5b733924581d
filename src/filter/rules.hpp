// SPDX-License-Identifier: BSD-3-Clause
//
// What the configuration says of a function: whether it is recorded, precise, or moves a trigger.
//
// A function is recorded where no include is given or one matches, and no exclude matches: exclude is the stronger
// word, also against sampling.precise_functions, as it is the one that a user adds to get rid of something. The
// functions of triggers are always recorded; else a filter that leaves little would silence the triggers that are to
// make it useful.
//
// An expression that matches nothing is most likely a mistake, and must not be silent (matches_so_far). So an
// expression is also asked about functions that others have decided on, until it has matched one; but no debug
// information is read for that.
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

// Allocates, opens files: not for the event path. One thread at a time.
class Rules {
public:
    // forked_from: in a forked child, those of its parent; what has matched there has matched.
    Rules(const config::Config& config, symbols::NameOptions options, symbols::NameSources sources = {},
          const Rules* forked_from = nullptr);

    struct Ruling {
        std::uint8_t decision = 0;           // bits of record::Decision
        std::vector<std::uint32_t> triggers; // places in the list of the configuration
    };
    Ruling on(const symbols::Module& module, std::uint64_t address);
    // Whether all functions are alike.
    bool trivial() const;
    // Whether functions may be left out.
    bool excludes() const { return include_.given() || exclude_.given(); }
    // Objects without debug information that a filter by files was asked about since the last call: it matches nothing
    // there.
    std::optional<std::string> without_files();
    // The first name for which an expression took too long, once: it matches nothing there.
    std::optional<std::string> given_up_on();
    // Whether each expression has matched anything, but for those of triggers; empty where that is not known of any. Of
    // one that was not always asked, and has not matched, it is not known.
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
    // Of the function in question; each is looked up when an expression asks for it.
    struct Question {
        const symbols::Module& module;
        std::uint64_t address;
        std::optional<std::string> name, former_name, distinct_name, object, file;
    };
    // decided: whatever the answer is.
    bool matches(Set& set, Question& question, bool decided);
    bool has_given_up() const;
    template <class R>
    static auto expressions(R& rules);
    const std::string& name(Question& question);
    const std::string& former_name(Question& question);
    const std::string& distinct_name(Question& question);
    const std::string& object(Question& question);
    // As tables show those that share a name.
    template <class Matcher>
    bool matches_distinguished(Matcher& matcher, Question& question);
    // By the bare name, whoever shares it; by the one that they showed before; or by the one with what tells it apart,
    // as tables show it.
    template <class Matcher>
    bool matches_name(Matcher& matcher, Question& question);
    const std::string& file(Question& question);

    symbols::ModuleNames names_;
    Set include_, exclude_;
    std::optional<Expression> precise_;
    std::vector<symbols::Pattern> triggers_;
    std::optional<std::string> without_files_, given_up_on_;
    bool told_without_files_ = false, told_given_up_ = false, asked_ = false;
    bool distinguish_ = false; // an expression may mean one function of those that share a name
};

} // namespace vftr::filter
