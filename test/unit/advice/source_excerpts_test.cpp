// SPDX-License-Identifier: BSD-3-Clause
#include "advice/source_excerpts.hpp"

#include <catch2/catch.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

using namespace vftr::advice;

namespace {

std::vector<std::string> lines(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);)
        all.push_back(line);
    return all;
}

std::size_t body(const char* text) { return lines_of_function(lines(text), 0, false); }
std::size_t procedure(const char* text) { return lines_of_function(lines(text), 0, true); }

} // namespace

TEST_CASE("a body in braces ends with its last one", "[advice]") {
    CHECK(body("int f(void) { return 1; }\nint g;") == 1);
    CHECK(body("int f(int a,\n      int b)\n{\n  if (a) { b = 1; }\n  return b;\n}\nint g;") == 6);
    CHECK(body("void f() { puts(\"}\"); // }\n  char c = '}'; /* }\n } */ int n = 1'000;\n}\nint g;") == 4);
    CHECK(body("Box::Box(int n) : a{n}, b{1} {\n  a = 2;\n}\nint g;") == 3);
    CHECK(body("void g();\nint x;") == 1);
    CHECK(body("template <class F> void each(F f = [] { return 1; })\n{\n  f();\n}\nint g;") == 4);
}

TEST_CASE("a procedure of Fortran ends with its END", "[advice]") {
    CHECK(procedure("subroutine s(n)\n  if (n > 1) then\n  end if\nend subroutine s\nend module") == 4);
    CHECK(procedure("      integer function f(n)\n      f = n\n      END\n      program p") == 3);
    CHECK(procedure("subroutine s\ncontains\n  subroutine inner\n  end subroutine\nend subroutine s\nend module") == 5);
}

TEST_CASE("excerpts are those of functions that matter most", "[advice]") {
    const std::string name = "/tmp/vftrace_excerpts_" + std::to_string(::getpid()) + ".c";
    {
        std::ofstream out(name);
        out << "int a(void) {\n  return 1;\n}\n\nint b(void) { return 2; } // \x1b[31m\n";
    }
    const SourceExcerpts found =
        source_excerpts({{name, 5}, {name, 1}, {name, 5}, {name, 99}, {"/nowhere.c", 1}}, 1000);
    REQUIRE(found.excerpts.size() == 2);
    CHECK(found.excerpts[0].line == 1);
    CHECK(found.excerpts[0].text == "int a(void) {\n  return 1;\n}\n");
    CHECK(found.excerpts[1].text == "int b(void) { return 2; } // ?[31m\n");
    CHECK(found.unread == 2);
    const SourceExcerpts less = source_excerpts({{name, 5}, {name, 1}}, 40);
    REQUIRE(less.excerpts.size() == 1);
    CHECK(less.excerpts[0].line == 5);
    CHECK(less.left_out == 1);
    std::remove(name.c_str());
}
