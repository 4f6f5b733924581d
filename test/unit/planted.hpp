// SPDX-License-Identifier: BSD-3-Clause
//
// What somebody else has put where a temporary file of ours is to be, in a folder that others can write to: a symbolic
// link to a file of theirs, another name of it, or a FIFO. A test that plants it runs once for each.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <utility>

namespace vftr::test {

class Planted {
public:
    // victim: a file that this makes.
    Planted(const std::string& where, std::string victim) : victim_(std::move(victim)) {
        std::ofstream(victim_) << Precious;
        switch (GENERATE(0, 1, 2)) {
        case 0:
            std::filesystem::create_symlink(victim_, where);
            break;
        case 1:
            std::filesystem::create_hard_link(victim_, where);
            break;
        default:
            REQUIRE(::mkfifo(where.c_str(), 0644) == 0);
        }
    }
    bool victim_is_whole() const {
        std::ifstream file(victim_);
        return std::string(std::istreambuf_iterator<char>(file), {}) == Precious;
    }

private:
    static constexpr const char* Precious = "precious";
    std::string victim_;
};

} // namespace vftr::test
