// SPDX-License-Identifier: BSD-3-Clause
//
// vftr config: what may stand in a config file, and what is wrong with one.
#include "config_tools/exit_code.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/painted_text.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"
#include "config/config.hpp"
#include "config/option.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace vftr::cli {
namespace {

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

struct Found {
    std::size_t errors = 0, warnings = 0;
};

// Prints the problems of a file, in the order of their lines; what has no place comes last.
Found problems_of(const char* file, std::FILE* out) {
    config::Loaded loaded = config::load_file(file);
    Found found;
    loaded.problems.insert(loaded.problems.end(), loaded.ineffective.begin(), loaded.ineffective.end());
    std::stable_sort(
        loaded.problems.begin(), loaded.problems.end(),
        [](const config::Problem& a, const config::Problem& b) { return a.line - 1 < b.line - 1; }); // 0: no place
    for (const config::Problem& problem : loaded.problems)
        (problem.severity == config::Problem::Severity::Error ? found.errors : found.warnings) += problem.stands_for;
    print_text(config::to_text(loaded.problems), out);
    return found;
}

// True if there were no errors.
bool check(const char* file) {
    const auto [errors, warnings] = problems_of(file, stdout);
    std::printf("%s: %zu error%s, %zu warning%s\n", base::foreign_text(file).c_str(), errors, errors == 1 ? "" : "s",
                warnings, warnings == 1 ? "" : "s");
    return errors == 0;
}

// Sections, and options as "section.option".
std::vector<Choice> paths_of_options() {
    std::vector<Choice> paths;
    std::string_view last;
    for (const config::Option& option : config::all_options()) {
        const std::size_t dot = option.path.rfind('.');
        const std::string_view section = option.path.substr(0, dot == option.path.npos ? 0 : dot);
        if (section != last && !section.empty())
            paths.push_back({std::string(section), "section"});
        last = section;
        paths.push_back({std::string(option.path), std::string(option.help)});
    }
    return paths;
}

int explain(const char* verb, const char* path, bool man) {
    if (man) {
        print(config::manual_page("vftrace " VFTR_VERSION));
        return 0;
    }
    std::string text = config::explain(path ? path : "");
    if (text.empty()) {
        std::fprintf(stderr, "%s: %s\n", verb, base::foreign_text(config::advice(path), "\n").c_str());
        return ExitFailed;
    }
    print(text);
    return 0;
}

} // namespace

int verb_config(int argc, char** argv) {
    const std::vector<Action> actions = {
        {"default", "print the configuration with all defaults"},
        {"check FILE…", "show what is wrong with a configuration"},
        {"explain [OPTION]", "tell about all options, a section or one option", paths_of_options},
        {"schema", "print a JSON Schema of the configuration"}};
    bool man = false;
    const auto early = read_options(argc, argv,
                                    {.usage = {"ACTION [ARGUMENT…]"},
                                     .about = "VFTR_CONFIG names the file that a run uses.\n",
                                     .actions = actions,
                                     .options = {{"--man", "with explain: all options, as a man page", flag(man)}},
                                     .after = "check gives exit code 1 if there are errors; warnings alone give 0.\n"});
    if (early)
        return *early;
    const char* action = optind < argc ? argv[optind++] : nullptr;
    if (!action)
        return usage_error(argv[0], "one of default, check, explain and schema is missing");
    int left = argc - optind;
    auto is = [&](const char* name) { return std::strcmp(action, name) == 0; };
    if (!is("default") && !is("check") && !is("explain") && !is("schema"))
        return usage_error(argv[0], "one of default, check, explain and schema is needed, not ",
                           (action + did_you_mean(action, names_of(actions))).c_str());
    if (man && !is("explain"))
        return usage_error(argv[0], "--man belongs to explain");
    if (is("check")) {
        if (left == 0)
            return usage_error(argv[0], "check needs a FILE");
        bool good = true;
        for (; optind < argc; ++optind)
            good = check(argv[optind]) && good;
        return exit_code(good);
    }
    if (left > (is("explain") && !man ? 1 : 0))
        return usage_error(argv[0], "too many arguments: ", argv[argc - 1]);
    if (is("explain"))
        return explain(argv[0], left ? argv[optind] : nullptr, man);
    print(is("default") ? config::print_json(config::Config()) : config::json_schema());
    return 0;
}

namespace {

// True if that is all that was wanted. 2.0 knew no options.
bool tells_of_itself(int argc, char** argv, const char* usage) {
    const std::string_view word = argc == 2 ? argv[1] : "";
    if (word == "--help")
        std::puts(usage);
    else if (word == "--version")
        std::printf("%s (vftrace " VFTR_VERSION ")\n", argv[0]);
    return word == "--help" || word == "--version";
}

constexpr char CheckUsage[] = "usage: vftrace_check_config <config.json>";

} // namespace

int command_generate_default_config(int argc, char** argv) {
    if (tells_of_itself(argc, argv, "usage: vftrace_generate_default_config\n\nPrints the default configuration."))
        return 0;
    print(config::print_json(config::Config()));
    return 0;
}

// As 2.0: one file, what is wrong with it on stderr; that the check is complete is said where no error ends it.
int command_check_config(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "%s\n", CheckUsage);
        return ExitFailed;
    }
    if (tells_of_itself(argc, argv, CheckUsage))
        return 0;
    if (problems_of(argv[1], stderr).errors != 0)
        return ExitFailed;
    std::printf("Checking of config file %s is complete\n", base::foreign_text(argv[1]).c_str());
    return 0;
}

} // namespace vftr::cli
