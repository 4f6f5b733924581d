// SPDX-License-Identifier: BSD-3-Clause
#include "base/whole_io.hpp"

#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>

using namespace vftr;

TEST_CASE("what a pipe takes in parts is written whole", "[io]") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const std::string text(300000, 'x'); // more than a pipe holds
    std::string got;
    std::thread reader([&] {
        char block[1000];
        for (ssize_t n; (n = read(ends[0], block, sizeof block)) > 0;)
            got.append(block, static_cast<std::size_t>(n));
    });
    CHECK(base::write_all(ends[1], text.data(), text.size()) == 0);
    close(ends[1]);
    reader.join();
    close(ends[0]);
    CHECK(got == text);
}

TEST_CASE("what cannot be written is told", "[io]") {
    CHECK(base::write_all(-1, "x", 1) == EBADF);
    CHECK(base::write_all(-1, "x", 0) == 0);
}

TEST_CASE("a file is read from where it is asked for, as far as it goes", "[io]") {
    const base::TemporaryFolder folder;
    const int file = open(folder.file("f").c_str(), O_RDWR | O_CREAT, 0600);
    REQUIRE(file >= 0);
    REQUIRE(base::write_all(file, "abcdef", 6) == 0);
    char text[10] = {};
    CHECK(base::read_at(file, text, 3, 2) == 3);
    CHECK(std::strcmp(text, "cde") == 0);
    CHECK(base::read_at(file, text, sizeof text, 4) == 2);
    CHECK(base::read_at(file, text, sizeof text, 6) == 0);
    close(file);
    CHECK(base::read_at(-1, text, 1, 0) == -1);
}
