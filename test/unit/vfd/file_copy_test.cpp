// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/file_copy.hpp"

#include "image_builder.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace vftr;
using test::ImageBuilder;

namespace {

struct File {
    explicit File(const test::Bytes& bytes) {
        char name[] = "/tmp/vftr_unit_XXXXXX";
        ::close(mkstemp(name));
        path = name;
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    ~File() { std::remove(path.c_str()); }
    std::string path;
};

ImageBuilder recording() {
    ImageBuilder builder;
    builder.thread(0, {ImageBuilder::root(), ImageBuilder::function(0, 0x10), ImageBuilder::function(1, 0x20)}, 2)
        .empty_page()
        .events(0, test::EventEncoder(1000).enter(1100, 1).leave(1200))
        .name(0x10, "main")
        .config("{}");
    return builder;
}

} // namespace

TEST_CASE("a copied recording has everything but its events", "[vfd][file_copy]") {
    const File file(recording().bytes());
    const vfd::FileCopy copy(file.path);
    std::filesystem::resize_file(file.path, 0); // what has been read stays
    const vfd::Image image = copy.image();
    CHECK(image.header().size == 1);
    REQUIRE(image.threads().size() == 1);
    CHECK(image.threads()[0].node_count == 3);
    CHECK(image.threads()[0].node(2).key == 0x20);
    CHECK(image.threads()[0].events.empty());
    REQUIRE(image.names().size() == 1);
    CHECK(image.names()[0].name == "main");
    CHECK(image.config_text() == "{}");
    CHECK(copy.events().segments == 1);
    CHECK(copy.events().packed == 0);
    CHECK(copy.events().bytes > 0);
}

TEST_CASE("a file that is cut off, no recording or not there is an error", "[vfd][file_copy]") {
    const File file(recording().bytes());
    const auto size = std::filesystem::file_size(file.path);
    for (std::uintmax_t cut : {std::uintmax_t{0}, std::uintmax_t{100}, size - 1}) {
        std::filesystem::resize_file(file.path, cut);
        CHECK_THROWS_AS(vfd::FileCopy(file.path), vfd::Error);
    }
    CHECK_THROWS_AS(vfd::FileCopy("/tmp"), vfd::Error);
    CHECK_THROWS_AS(vfd::FileCopy("/nowhere/x.vfd"), vfd::Error);
}
