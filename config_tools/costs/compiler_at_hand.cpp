// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/costs/compiler_at_hand.hpp"

#include "config_tools/run/search_path.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace vftr::cli {
namespace {

using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// g++ takes a file of C for C++, which clang++ warns of; clang always knows C++, gcc does not.
const char* ending(const advice::Compiler& kind) {
    return kind.fortran ? "/f.f90" : kind.family == advice::CompilerFamily::Clang ? "/f.cpp" : "/f.c";
}

} // namespace

Words words_of_command(const std::string& command) {
    if (!find_program(command).empty())
        return {command};
    Words words;
    std::istringstream in(command);
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

Captured CompilerAtHand::run(const Words& arguments) const {
    Captured told = capture(joined(command_, arguments), patience_);
    if (!told.in_time)
        throw std::runtime_error("the compiler does not answer within " + std::to_string(patience_) +
                                 " s: " + command_.back() + " " + arguments.front());
    return told;
}

std::optional<CompilerAtHand> CompilerAtHand::find(const char* named, std::string& trouble, int patience,
                                                   const char* otherwise) {
    const char* from_environment = std::getenv("CC");
    const std::string command = named ? named : from_environment && *from_environment ? from_environment : otherwise;
    const Words words = words_of_command(command);
    if (words.empty() || find_program(words[0]).empty()) {
        trouble = "there is no such compiler: " + command;
        return std::nullopt;
    }
    // What it says is read, and these would add folders of the user to those of the system.
    for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
        ::unsetenv(variable);
    ::setenv("LC_ALL", "C", 1);
    CompilerAtHand found(words, patience);
    try {
        const Captured told = found.run({"--version"});
        if (const auto kind = told.started && told.code == 0 ? advice::recognise(told.out) : std::nullopt) {
            found.kind_ = *kind;
            return found;
        }
        trouble = "by what its --version says this is no compiler of the families gcc and clang: " + command;
    } catch (const std::runtime_error& error) {
        trouble = error.what();
    }
    return std::nullopt;
}

const std::string& CompilerAtHand::name() const {
    const auto word = std::find_if(command_.rbegin(), command_.rend(),
                                   [](const std::string& part) { return !part.starts_with('-'); });
    return word == command_.rend() ? command_.front() : *word;
}

std::vector<std::string> CompilerAtHand::header_folders() const {
    for (const char* language : {"c++", "c"}) {
        const Captured told = run({"-v", "-E", "-x", language, "/dev/null"});
        if (told.code == 0)
            return advice::system_header_folders(told.err);
    }
    return {};
}

CompilerTrial::CompilerTrial(const CompilerAtHand& compiler)
    : compiler_(compiler), source_(folder_.path() + ending(compiler.kind())), text_(folder_.path() + "/f.s") {
    std::ofstream(source_)
        << (compiler.kind().fortran
                ? "subroutine f(x)\n  real :: x\n  do while (x < 9)\n    x = x + 1\n  end do\nend subroutine\n"
                : "int f(int x) { while (x < 9) ++x; return x; }\n");
}

bool CompilerTrial::understands(const Words& flags) const {
    return compiler_.run(joined(flags, {"-Werror", "-S", "-o", text_, source_})).code == 0;
}

bool CompilerTrial::has_hooks() const {
    std::stringstream text;
    text << std::ifstream(text_).rdbuf();
    return text.str().find("__cyg_profile_func_enter") != std::string::npos;
}

} // namespace vftr::cli
