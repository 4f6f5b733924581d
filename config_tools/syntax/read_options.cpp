// SPDX-License-Identifier: BSD-3-Clause
//
// The options of a verb by getopt_long, whose rows come from the verb's table.
#include "config_tools/syntax/syntax.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/colour.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/tell/painted_text.hpp"
#include "config_tools/verb.hpp"

#include "config/advisor.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <getopt.h>
#include <utility>

namespace vftr::cli {
namespace {

// What getopt_long returns: letters, 1 for an operand, and this and the index for the name of an option.
constexpr int OfName = 256;

Syntax* described = nullptr; // where the table goes that syntax_of() wants

struct GetoptTable {
    std::vector<Spelling> spellings; // of the options
    std::string letters;
    std::vector<option> names; // these point into `spellings`

    explicit GetoptTable(const Syntax& syntax) : letters(syntax.operand ? "-:" : syntax.options_first ? "+:" : ":") {
        for (const Option& each : syntax.options)
            spellings.push_back(each.spelling.empty() ? Spelling() : spelling_of(each.spelling));
        for (std::size_t i = 0; i < spellings.size(); ++i) {
            const Spelling& each = spellings[i];
            const bool value = !each.value.empty();
            if (each.letter != '\0')
                letters.append(1, each.letter).append(value ? ":" : "");
            if (!each.name.empty())
                names.push_back({each.name.c_str(), value ? required_argument : no_argument, nullptr,
                                 OfName + static_cast<int>(i)});
        }
        names.push_back({nullptr, 0, nullptr, 0});
    }
    GetoptTable(const GetoptTable&) = delete;
    GetoptTable& operator=(const GetoptTable&) = delete;

    std::size_t index_of(int returned) const {
        if (returned >= OfName)
            return static_cast<std::size_t>(returned - OfName);
        std::size_t i = 0;
        while (spellings[i].letter != returned)
            ++i;
        return i;
    }
};

// On what getopt_long returns on an option that it cannot use.
int option_error(int returned, char** argv, const GetoptTable& table) {
    const char letter[] = {'-', static_cast<char>(optopt), '\0'};
    std::string given = argv[optind - 1];
    const bool is_long = given.starts_with("--");
    if (!is_long && optopt != 0)
        given = letter;
    if (returned == ':')
        return usage_error(argv[0], "a value is missing for ", given.c_str());
    if (is_long) {
        std::vector<std::string> names;
        for (const Spelling& each : table.spellings)
            names.push_back(each.name);
        given += did_you_mean(given.substr(2, given.find('=') - 2), names, "--");
    }
    return usage_error(argv[0], "no such option: ", given.c_str());
}

// Those of all verbs, --help last. A verb may have a --quiet of its own, which leaves out more.
void add_general_options(std::vector<Option>& options) {
    options.push_back(
        {"--color=auto|always|never", "colours; default: where the output is a terminal, see NO_COLOR",
         [](const Given& given) {
             ColourWish wish = ColourWish::Auto;
             const int code = one_of(wish, {ColourWish::Auto, ColourWish::Always, ColourWish::Never})(given);
             set_colour_wish(wish);
             return code;
         }});
    const auto is_quiet_option = [](const Option& option) { return option.spelling.ends_with("--quiet"); };
    if (const auto own = std::ranges::find_if(options, is_quiet_option); own == options.end())
        options.push_back({"-q, --quiet", "no progress and no notes on standard error, only errors", [](const Given&) {
                               be_quiet();
                               return 0;
                           }});
    else
        own->take = [take = std::move(own->take)](const Given& given) {
            be_quiet();
            return take(given);
        };
    options.push_back({"-h, --help", "print this"});
}

} // namespace

int Given::refuse(const std::string& is_wrong) const {
    return usage_error(verb, (option.shown() + ' ' + is_wrong + ", not ").c_str(), value);
}

std::optional<int> describe(const char* verb, const Syntax& syntax, bool help) {
    if (described)
        *described = syntax;
    else if (help)
        print_text(help_text(verb, syntax));
    else
        return std::nullopt;
    return 0;
}

std::optional<int> read_options(int argc, char** argv, Syntax syntax) {
    add_general_options(syntax.options);
    if (described)
        return describe(argv[0], syntax, false);
    const GetoptTable table(syntax);
    const Spelling operand;
    for (int c; (c = getopt_long(argc, argv, table.letters.c_str(), table.names.data(), nullptr)) != -1;) {
        int code = 0;
        if (c == '?' || c == ':') {
            code = option_error(c, argv, table);
        } else if (c == 1) {
            code = syntax.operand({argv[0], operand, optarg});
        } else {
            const std::size_t index = table.index_of(c);
            if (index + 1 == syntax.options.size())
                return describe(argv[0], syntax, true);
            code = syntax.options[index].take({argv[0], table.spellings[index], optarg});
        }
        if (code != 0)
            return code;
    }
    return std::nullopt;
}

std::optional<Syntax> syntax_of(int (*verb)(int, char**)) {
    Syntax syntax;
    char name[] = "vftr";
    char* argv[] = {name, nullptr};
    described = &syntax;
    try {
        verb(1, argv);
    } catch (const std::exception&) {
        syntax.usage.clear(); // the verb was not built
    }
    described = nullptr;
    return syntax.usage.empty() ? std::nullopt : std::optional(std::move(syntax));
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& names, const char* prefix) {
    const std::string_view near = config::nearest(given, std::vector<std::string_view>(names.begin(), names.end()));
    return near.empty() ? "" : "; did you mean " + std::string(prefix).append(near) + "?";
}

std::vector<std::string> names_of(const std::vector<Action>& actions) {
    std::vector<std::string> names;
    for (const Action& action : actions)
        names.push_back(action.name());
    return names;
}

} // namespace vftr::cli
