// SPDX-License-Identifier: BSD-3-Clause
#include "advice/compiler.hpp"

#include <catch2/catch.hpp>

using namespace vftr::advice;
using Texts = std::vector<std::string>;

namespace {

constexpr const char* Gcc =
    "gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.\n";

Texts texts_of(const std::vector<WantedFlag>& flags) {
    Texts texts;
    for (const WantedFlag& wanted : flags)
        texts.push_back(wanted.flag.text);
    return texts;
}

} // namespace

TEST_CASE("Compilers tell what they are by the text of --version") {
    CHECK(recognise(Gcc)->family == CompilerFamily::Gcc);
    CHECK(recognise("cc (GCC) 14.1.0\nCopyright (C) 2024 Free Software Foundation, Inc.\n")->family ==
          CompilerFamily::Gcc);
    CHECK_FALSE(recognise(Gcc)->fortran);
    CHECK(recognise("g++-12 (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.\n"));
    CHECK(recognise("GNU Fortran (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.\n")
              ->fortran);
    CHECK(recognise("Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\n")->family == CompilerFamily::Clang);
    CHECK(recognise("Intel(R) oneAPI DPC++/C++ Compiler 2023.2.0\n")->family == CompilerFamily::Clang);
    CHECK(recognise("flang-new version 17.0.6\n")->fortran);
    CHECK(recognise(Gcc)->version == "gcc (Debian 12.2.0-14+deb12u1) 12.2.0");
    CHECK_FALSE(recognise("ls (GNU coreutils) 9.1\nCopyright (C) 2022 Free Software Foundation, Inc.\n"));
    CHECK_FALSE(recognise(""));
}

TEST_CASE("The system's header folders are those that gcc searches, each once and none within another") {
    CHECK(system_header_folders("ignoring nonexistent directory \"/x\"\n"
                                "#include \"...\" search starts here:\n"
                                "#include <...> search starts here:\n"
                                " /usr/include/c++/12\n"
                                " /opt/gcc/lib/gcc/x86_64-linux-gnu/13/../../../../include/c++/13\n"
                                " /usr/lib/gcc/x86_64-linux-gnu/12/include\n"
                                " /home/my files/include\n"
                                " /usr/include2\n"
                                " /usr/include\n"
                                "End of search list.\n"
                                " /not/one\n") == Texts{"/opt/gcc/include/c++/13", "/usr/include", "/usr/include2",
                                                        "/usr/lib/gcc/x86_64-linux-gnu/12/include"});
    CHECK(system_header_folders("cc1: error: unrecognized command-line option\n").empty());
}

TEST_CASE("gcc without the plugin leaves the system's headers out, clang what it has inlined") {
    CHECK(texts_of(flags_to_start_with(*recognise(Gcc), "", {"/usr/include", "/opt/x"})) ==
          Texts{"-g", "-finstrument-functions", "-finstrument-functions-exclude-file-list=/usr/include,/opt/x"});
    CHECK(texts_of(flags_to_start_with(*recognise(Gcc), "", {})) == Texts{"-g", "-finstrument-functions"});
    CHECK(texts_of(flags_to_start_with({CompilerFamily::Gcc, true, ""}, "", {"/usr/include"})) ==
          Texts{"-g", "-finstrument-functions"});
    const auto clang = flags_to_start_with({CompilerFamily::Clang, false, ""}, "", {"/usr/include"});
    CHECK(texts_of(clang) == Texts{"-g", "-finstrument-functions-after-inlining", "-finstrument-functions"});
    CHECK(clang[2].instead);
}

TEST_CASE("clang's plugin is beside its hooks after inlining") {
    CHECK(texts_of(flags_to_start_with({CompilerFamily::Clang, false, ""}, "/p.so", {})) ==
          Texts{"-g", "-finstrument-functions-after-inlining", "-finstrument-functions", "-fpass-plugin=/p.so"});
}

TEST_CASE("gcc's plugin comes in the place of lists, where a shell takes its path") {
    const auto flags = flags_to_start_with(*recognise(Gcc), "/opt/lib/vftrace/vftrace.so", {"/usr/include"});
    CHECK(texts_of(flags) == Texts{"-g", "-finstrument-functions", "-fplugin=/opt/lib/vftrace/vftrace.so",
                                   "-finstrument-functions-exclude-file-list=/usr/include"});
    CHECK(flags[3].instead);
    CHECK(texts_of(flags_to_start_with({CompilerFamily::Gcc, true, ""}, "/p.so", {})) ==
          Texts{"-g", "-finstrument-functions", "-fplugin=/p.so"});
    const auto without = flags_to_start_with(*recognise(Gcc), "/my files/p.so", {"/usr/include"});
    CHECK(without.size() == 3);
    CHECK(!without[2].instead);
}
