// SPDX-License-Identifier: BSD-3-Clause
#include "compiler_at_hand.hpp"

#include "capture.hpp"
#include "search_path.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace vftr::cli {
namespace {

using Words = std::vector<std::string>;

constexpr int Patience = 30; // seconds, for one run of a compiler on a small file

// "ccache gcc" is two words, but a path may have a blank in it.
Words words_of(const std::string& command) {
    if (!find_program(command).empty())
        return {command};
    Words words;
    std::istringstream in(command);
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// g++ takes a file of C for C++, which clang++ warns of; clang always knows C++, gcc does not.
const char* ending(const advice::Compiler& kind) {
    return kind.fortran ? "/f.f90" : kind.family == advice::CompilerFamily::Clang ? "/f.cpp" : "/f.c";
}

} // namespace

std::optional<CompilerAtHand> CompilerAtHand::find(const char* named, std::string& trouble) {
    const char* from_environment = std::getenv("CC");
    const std::string command = named ? named : from_environment && *from_environment ? from_environment : "gcc";
    const Words words = words_of(command);
    if (words.empty() || find_program(words[0]).empty()) {
        trouble = "there is no such compiler: " + command;
        return std::nullopt;
    }
    // What it says is read, and these would add folders of the user to those of the system.
    for (const char* variable : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
        ::unsetenv(variable);
    ::setenv("LC_ALL", "C", 1);
    const Captured told = capture(joined(words, {"--version"}), Patience);
    const auto kind = told.started && told.in_time && told.code == 0 ? advice::recognise(told.out) : std::nullopt;
    if (!kind) {
        trouble = "by what its --version says this is no compiler of the families gcc and clang: " + command;
        return std::nullopt;
    }
    return CompilerAtHand(words, *kind);
}

std::vector<std::string> CompilerAtHand::header_folders() const {
    for (const char* language : {"c++", "c"}) {
        const Captured told = capture(joined(command_, {"-v", "-E", "-x", language, "/dev/null"}), Patience);
        if (told.code == 0)
            return advice::system_header_folders(told.err);
    }
    return {};
}

CompilerTrial::CompilerTrial(const CompilerAtHand& compiler)
    : compiler_(compiler), source_(folder_.path() + ending(compiler.kind())), text_(folder_.path() + "/f.s") {
    std::ofstream(source_) << (compiler.kind().fortran ? "subroutine f(x)\n  real :: x\n  x = x + 1\nend subroutine\n"
                                                       : "int f(int x) { return x + 1; }\n");
}

bool CompilerTrial::understands(const Words& flags) const {
    return capture(joined(joined(compiler_.command_, flags), {"-Werror", "-S", "-o", text_, source_}), Patience).code == 0;
}

bool CompilerTrial::has_hooks() const {
    std::stringstream text;
    text << std::ifstream(text_).rdbuf();
    return text.str().find("__cyg_profile_func_enter") != std::string::npos;
}

} // namespace vftr::cli
