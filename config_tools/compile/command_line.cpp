// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compile/command_line.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace vftr::cli {
namespace {

constexpr int MostNested = 10; // files of arguments that name another

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Options whose value is the next word.
constexpr std::string_view WithValue[] = {"-o",
                                          "-x",
                                          "-I",
                                          "-L",
                                          "-D",
                                          "-U",
                                          "-l",
                                          "-u",
                                          "-T",
                                          "-z",
                                          "-J",
                                          "-B",
                                          "-A",
                                          "-MF",
                                          "-MT",
                                          "-MQ",
                                          "-include",
                                          "-imacros",
                                          "-isystem",
                                          "-iquote",
                                          "-idirafter",
                                          "-iprefix",
                                          "-iwithprefix",
                                          "-iwithprefixbefore",
                                          "-isysroot",
                                          "-imultilib",
                                          "-Xlinker",
                                          "-Xpreprocessor",
                                          "-Xassembler",
                                          "-Xclang",
                                          "-mllvm",
                                          "-target",
                                          "-arch",
                                          "-aux-info",
                                          "--param",
                                          "--sysroot",
                                          "-wrapper",
                                          "-dumpbase",
                                          "-dumpbase-ext",
                                          "-dumpdir",
                                          "-cpp-precomp",
                                          "-e",
                                          "-specs"};
// Options with which nothing is linked.
constexpr std::string_view WithoutLink[] = {
    "-c",           "-S",        "-E",         "-M",        "-MM",         "-fsyntax-only",
    "--preprocess", "--compile", "--assemble", "-emit-ast", "--precompile"};
// What is linked with these is no program, or takes nothing that it does not name.
constexpr std::string_view Bare[] = {"-r", "-nostdlib", "-nodefaultlibs"};

void look_at(const std::vector<std::string>& arguments, int nested, CompilerCall& call, bool& stops) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (word.size() > 1 && word[0] == '@') {
            if (nested == MostNested)
                continue;
            std::ifstream in(word.substr(1));
            const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
            look_at(words_of_response_file(text), nested + 1, call, stops);
        } else if (is_one_of(word, WithValue)) {
            // -x c-header makes a precompiled header.
            if (word == "-x" && i + 1 < arguments.size() && arguments[i + 1].ends_with("-header"))
                stops = true;
            ++i;
        } else if (word.size() < 2 || word[0] != '-') {
            call.has_input = true;
        } else if (is_one_of(word, WithoutLink) || is_one_of(word, Bare)) {
            stops = true;
        } else if (word == "-static" || word == "--static" || word == "-static-pie") {
            call.is_static = true;
        }
    }
}

bool is_header(std::string_view word) {
    constexpr std::string_view Endings[] = {".h", ".hh", ".hpp", ".hxx", ".H", ".h++", ".tcc"};
    return std::any_of(std::begin(Endings), std::end(Endings),
                       [&](std::string_view end) { return word.ends_with(end); });
}

} // namespace

std::vector<std::string> words_of_response_file(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    bool within = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' && i + 1 < text.size()) {
            word += text[++i];
            within = true;
        } else if (quote) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            within = true;
        } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
            if (within)
                words.push_back(std::move(word));
            word.clear();
            within = false;
        } else {
            word += c;
            within = true;
        }
    }
    if (within)
        words.push_back(std::move(word));
    return words;
}

CompilerCall compiler_call(const std::vector<std::string>& arguments) {
    CompilerCall call;
    bool stops = false;
    look_at(arguments, 0, call, stops);
    call.links = call.has_input && !stops && std::none_of(arguments.begin(), arguments.end(), is_header);
    return call;
}

} // namespace vftr::cli
