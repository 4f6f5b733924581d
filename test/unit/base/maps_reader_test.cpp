// SPDX-License-Identifier: BSD-3-Clause
#include "base/maps_reader.hpp"

#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <vector>

using namespace vftr;

namespace {

std::vector<std::string> paths_in(const std::string& text, std::size_t buffer_size) {
    const base::TemporaryFolder folder;
    std::ofstream(folder.file("maps")) << text;
    std::vector<char> buffer(buffer_size);
    base::MapsReader reader(folder.file("maps").c_str(), buffer);
    std::vector<std::string> paths;
    for (base::MapsLine line; reader.next(line);)
        paths.emplace_back(line.path);
    return paths;
}

} // namespace

TEST_CASE("maps are read through a buffer of any size", "[maps]") {
    const std::string begin = "1000-2000 r-xp 0 08:01 7 ";
    const std::string text = begin + "/one\njunk\n" + begin + "/" + std::string(500, 'x') + "\n" + begin + "/three\n" +
                             begin + "\n" + begin + "/last";
    for (std::size_t size = begin.size() + 6; size < 700; ++size) {
        const auto paths = paths_in(text, size);
        REQUIRE(paths.size() == 5);
        CHECK(paths[0] == "/one");
        CHECK(paths[1] == ("/" + std::string(500, 'x')).substr(0, size - begin.size()));
        CHECK(paths[2] == "/three");
        CHECK(paths[3] == "");
        CHECK(paths[4] == "/last");
    }
}

TEST_CASE("maps that are not there have no lines", "[maps]") {
    char buffer[base::MapsLineWithoutPath];
    base::MapsReader reader("/nowhere/maps", buffer);
    base::MapsLine line;
    CHECK_FALSE(reader.next(line));
}

TEST_CASE("a small buffer holds what is mapped where", "[maps]") {
    char buffer[base::MapsLineWithoutPath];
    const auto here = reinterpret_cast<std::uint64_t>(buffer), code = reinterpret_cast<std::uint64_t>(&paths_in);
    int stacks = 0, codes = 0;
    base::MapsReader reader(base::OwnMaps, buffer);
    for (base::MapsLine line; reader.next(line);) {
        stacks += line.holds(here) && !line.executable;
        codes += line.holds(code) && line.executable;
    }
    CHECK(stacks == 1);
    CHECK(codes == 1);
}
