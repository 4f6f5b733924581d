// SPDX-License-Identifier: BSD-3-Clause
//
// vftr complete AT WORD…: what may stand in place of a word, for shells. It is a verb that vftr --help does not list.
//
// The scripts of bash, zsh and fish (share_src/completion) ask it at each press of Tab, in place of being generated
// with a list of all options: so they are a few lines that never change, what they offer is that of the vftr that is
// run, and functions of recordings are there as well. An answer takes some milliseconds.
//
// It prints a line for each word, with a tab and a help text behind it; and ":files" or the like where shells complete
// names by themselves.
#include "config_tools/complete/candidates.hpp"
#include "config_tools/complete/known_functions.hpp"
#include "config_tools/complete/running_processes.hpp"
#include "config_tools/option_number.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"

#include <algorithm>
#include <cstdio>

namespace vftr::cli {
namespace {

constexpr const char* NamesTexts[] = {"", ":files", ":recordings", ":folders", ":commands"};

Completed completed_by(const std::vector<std::string>& words) {
    Completed completed;
    for (const Verb& verb : verbs())
        if (verb.summary)
            completed.verbs.push_back({verb.name, verb.summary});
    completed.syntax = [](std::string_view name) -> std::optional<Syntax> {
        const auto known = verbs();
        const auto found = std::ranges::find(known, name, [](const Verb& verb) { return std::string_view(verb.name); });
        return found == known.end() || !found->summary ? std::nullopt : syntax_of(found->run);
    };
    completed.functions = [&words] { return known_functions(words); };
    completed.processes = running_processes;
    return completed;
}

// Shells show one line.
std::string first_sentence(const std::string& text) { return text.substr(0, text.find(". ")); }

void print(const Candidates& candidates) {
    if (candidates.names != Names::None)
        std::puts(NamesTexts[static_cast<int>(candidates.names)]);
    for (const Choice& word : candidates.words)
        std::printf("%s\t%s\n", base::foreign_text(word.name).c_str(),
                    base::foreign_text(first_sentence(word.help)).c_str());
}

} // namespace

int verb_complete(int argc, char** argv) {
    std::size_t at = 0;
    const std::vector<std::string> words(argv + std::min(argc, 2), argv + argc);
    if (argc < 2 || !parse_number(argv[1], at) || at >= words.size())
        return usage_error(own_command().c_str(), "complete needs the index of a word, and the words behind vftr");
    print(candidates(words, at, completed_by(words)));
    return 0;
}

} // namespace vftr::cli
