// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compile/command_line.hpp"

#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace vftr::cli;
using Words = std::vector<std::string>;

namespace {

bool links(const Words& arguments) { return compiler_call(arguments).links; }

} // namespace

TEST_CASE("a compiler links unless it is told to stop before") {
    CHECK(links({"a.c"}));
    CHECK(links({"-O2", "-o", "a", "a.o"}));
    CHECK(links({"-shared", "-fPIC", "a.cpp"}));
    CHECK(links({"-MD", "-MF", "a.d", "a.c"}));
    CHECK(links({"-"}));
    for (const char* stop : {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r", "-nostdlib"})
        CHECK(!links({"a.c", stop}));
    CHECK(!links({"-x", "c-header", "a.txt"}));
    CHECK(!links({"precompiled.hpp"}));
}

TEST_CASE("the value of an option is no file") {
    CHECK(!compiler_call({"-o", "a"}).has_input);
    CHECK(!compiler_call({"--version"}).has_input);
    CHECK(!compiler_call({"-I", "include", "-D", "X", "-isystem", "sys"}).has_input);
    CHECK(!compiler_call({}).has_input);
    CHECK(compiler_call({"-Iinclude", "a.c"}).has_input);
    CHECK(links({"-o", "-c", "a.c"})); // a program of that name
}

TEST_CASE("a program that is linked statically is told from others") {
    CHECK(compiler_call({"-static", "a.c"}).is_static);
    CHECK(compiler_call({"a.c", "-static-pie"}).is_static);
    CHECK(!compiler_call({"-static-libgcc", "a.c"}).is_static);
}

TEST_CASE("files of arguments are read as compilers read them") {
    CHECK(words_of_response_file("-c  'a b.c'\n\"x\\\"y\" a\\ b ''\n") == Words{"-c", "a b.c", "x\"y", "a b", ""});
    CHECK(words_of_response_file(" \n").empty());
    const vftr::base::TemporaryFolder folder;
    std::ofstream(folder.file("inner")) << "-c\n";
    std::ofstream(folder.file("outer")) << "@" << folder.file("inner") << " a.c";
    CHECK(!links({"@" + folder.file("outer")}));
    CHECK(compiler_call({"@" + folder.file("outer")}).has_input);
    CHECK(links({"a.c", "@/not/there"}));
    std::ofstream(folder.file("self")) << "@" << folder.file("self");
    CHECK(!compiler_call({"@" + folder.file("self")}).has_input);
}
