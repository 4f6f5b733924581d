// SPDX-License-Identifier: BSD-3-Clause
//
// What the configuration says of a function: whether it is recorded, precise, or moves a trigger.
//
// A function is recorded where no include is given or one matches, and no exclude matches: exclude is the stronger word, also against
// sampling.precise_functions, as it is the one that a user adds to get rid of something. The functions of triggers are always recorded; else a
// filter that leaves little would silence the triggers that are to make it useful.
#pragma once

#include "config/config.hpp"
#include "symbols/module_names.hpp"
#include "symbols/pattern.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vftr::filter {

// Allocates, opens files: not for the event path. One thread at a time.
class Rules {
public:
    Rules(const config::Config& config, symbols::NameOptions options, symbols::NameSources sources = {});

    struct Ruling {
        std::uint8_t verdict = 0;            // bits of record::Verdict
        std::vector<std::uint32_t> triggers; // places in the list of the configuration
    };
    Ruling on(const symbols::Module& module, std::uint64_t address);
    // Whether all functions are alike.
    bool trivial() const;
    // Objects without debug information that a filter by files was asked about since the last call: it matches nothing there.
    std::optional<std::string> without_files();
    // The first name for which an expression took too long, once: it matches nothing there.
    std::optional<std::string> given_up_on();

private:
    struct Set {
        std::optional<symbols::Pattern> functions, files, modules;
        bool given() const { return functions || files || modules; }
    };
    // Of the function in question; each is looked up when an expression asks for it.
    struct Question {
        const symbols::Module& module;
        std::uint64_t address;
        std::optional<std::string> name, file;
    };
    static Set set_of(const std::optional<std::string>& functions, const std::optional<std::string>& files,
                      const std::optional<std::string>& modules);
    bool matches(const Set& set, Question& question);
    bool has_given_up() const;
    const std::string& name(Question& question);
    const std::string& file(Question& question);

    symbols::ModuleNames names_;
    Set include_, exclude_;
    std::optional<symbols::Pattern> precise_;
    std::vector<symbols::Pattern> triggers_;
    std::optional<std::string> without_files_, given_up_on_;
    bool told_without_files_ = false, told_given_up_ = false;
};

} // namespace vftr::filter
