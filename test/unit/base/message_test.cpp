// SPDX-License-Identifier: BSD-3-Clause
#include "base/message.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace vftr::base;

namespace {

// What `speak` prints to stderr.
template <class Speak>
std::string printed(Speak speak) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    int before = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    remember_stderr();
    speak();
    dup2(before, STDERR_FILENO);
    remember_stderr();
    close(before);
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    close(ends[0]);
    return text;
}

} // namespace

TEST_CASE("a warning is one line that says who speaks", "[base][message]") {
    CHECK(printed([] { warn("cannot open ", "x", ": ", error_text(ENOENT)); }) ==
          "vftrace: warning: cannot open x: No such file or directory\n");
}

TEST_CASE("a long warning is cut and still a line", "[base][message]") {
    std::string text = printed([] { warn(std::string(5000, 'a'), "b"); });
    CHECK(text.size() == 1024);
    CHECK(text.back() == '\n');
}

TEST_CASE("errno survives a warning", "[base][message]") {
    errno = 5;
    printed([] { warn("x"); });
    CHECK(errno == 5);
}

TEST_CASE("nothing is written into what took the place of stderr", "[base][message]") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    REQUIRE(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    CHECK(printed([&] {
              const int before = dup(STDERR_FILENO);
              dup2(ends[1], STDERR_FILENO);
              warn("to the other file");
              dup2(before, STDERR_FILENO);
              close(before);
              warn("again to stderr");
          }) == "vftrace: warning: again to stderr\n");
    char byte;
    CHECK(read(ends[0], &byte, 1) == -1);
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("stderr that was closed at start gets no words", "[base][message]") {
    const pid_t child = fork();
    if (child == 0) {
        int ends[2];
        if (pipe(ends) != 0)
            _exit(1);
        close(STDERR_FILENO);
        remember_stderr();
        dup2(ends[1], STDERR_FILENO);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        warn("x");
        char byte;
        _exit(read(ends[0], &byte, 1) == -1 ? 0 : 2);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("numbers are decimal", "[base][message]") {
    CHECK(std::string_view(Number(0)) == "0");
    CHECK(std::string_view(Number(18446744073709551615u)) == "18446744073709551615");
}

TEST_CASE("a warning that nobody can read does not end the program", "[base][message]") {
    pid_t child = fork();
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        int ends[2];
        if (pipe(ends) != 0)
            _exit(1);
        close(ends[0]);
        dup2(ends[1], STDERR_FILENO);
        remember_stderr();
        warn("x");
        sigset_t pending;
        sigpending(&pending);
        _exit(sigismember(&pending, SIGPIPE) ? 2 : 0);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}
