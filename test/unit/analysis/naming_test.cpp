// SPDX-License-Identifier: BSD-3-Clause
#include "../vfd/image_builder.hpp"
#include "analysis/recording/naming.hpp"
#include "symbols/qualified_name.hpp"

#include <catch2/catch.hpp>
#include <sys/stat.h>

using namespace vftr;
using namespace vftr::test;
using analysis::name_options;
using analysis::Names;

namespace {

vfd::Node node(std::uint64_t key, std::uint16_t module = 0, vfd::NodeKind kind = vfd::NodeKind::Function) {
    vfd::Node n = ImageBuilder::function(0, key);
    n.module = module;
    n.kind = kind;
    return n;
}

extern "C" __attribute__((noinline, used)) void vftr_naming_test_function() {}

std::string own_path() {
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    return std::string(path, n > 0 ? static_cast<std::size_t>(n) : 0);
}

} // namespace

TEST_CASE("root and overflow have names of their own, whatever the file says about their keys") {
    ImageBuilder b;
    b.name(0, "zero");
    vfd::Image image = b.open();
    Names names(image);
    CHECK(names.of(ImageBuilder::root()) == "init");
    CHECK(names.of(node(0, 0, vfd::NodeKind::Overflow)) == "(more call paths)");
}

TEST_CASE("functions of one address in two modules are told apart") {
    ImageBuilder b;
    b.name(0x1000, "first", vfd::NodeKind::Function, 1);
    b.name(0x1000, "second", vfd::NodeKind::Function, 2);
    vfd::Image image = b.open();
    Names names(image);
    CHECK(names.of(node(0x1000, 1)) == "first");
    CHECK(names.of(node(0x1000, 2)) == "second");
}

TEST_CASE("regions are found by their key alone") {
    ImageBuilder b;
    b.name(vfd::NamedKey | 3, "solve", vfd::NodeKind::Region);
    vfd::Image image = b.open();
    Names names(image);
    CHECK(names.of(node(vfd::NamedKey | 3, 7, vfd::NodeKind::Region)) == "solve");
    CHECK(names.of(node(vfd::NamedKey | 4, 0, vfd::NodeKind::Region)) == "(name lost)");
}

TEST_CASE("what the file does not name is looked up in the modules") {
    auto address = reinterpret_cast<std::uint64_t>(&vftr_naming_test_function);
    std::uint64_t bias = 0; // of this program, as it would be recorded
    for (std::uint64_t page = address & ~std::uint64_t{4095};; page -= 4096)
        if (std::memcmp(reinterpret_cast<const void*>(page), "\177ELF", 4) == 0) {
            auto* header = reinterpret_cast<const std::uint16_t*>(page);
            bias = header[8] == 3 ? page : 0; // ET_DYN
            break;
        }
    vfd::ModuleRecord record{};
    std::string path = own_path();
    record.id = 1;
    record.path_size = static_cast<std::uint16_t>(path.size());
    record.start = address & ~std::uint64_t{0xffffff};
    record.end = record.start + 0x2000000;
    record.bias = bias;
    struct stat file {};
    REQUIRE(stat(path.c_str(), &file) == 0);
    record.device = file.st_dev;
    record.inode = file.st_ino;
    record.file_size = static_cast<std::uint64_t>(file.st_size);
    record.mtime_ns = static_cast<std::uint64_t>(file.st_mtim.tv_sec) * 1'000'000'000 +
                      static_cast<std::uint64_t>(file.st_mtim.tv_nsec);
    Bytes bytes;
    put(bytes, record);
    put_string(bytes, path);
    ImageBuilder b;
    b.segment(vfd::SegmentKind::Modules, 0, 0, bytes);
    vfd::Image image = b.open();
    Names names(image);
    // It is not the executable that the header names.
    const std::string object = path.substr(path.rfind('/') + 1);
    for (const vfd::Node& function : {node(address, 1), node(address)}) {
        const auto parts = symbols::parse_qualified(names.of(function));
        CHECK(parts.name == "vftr_naming_test_function");
        CHECK(parts.qualifier.starts_with(object + "{"));
    }
}

TEST_CASE("functions of libraries are qualified by these") {
    ImageBuilder b;
    b.module(1, 0x400000, 0x500000, "/usr/bin/app", "12345678")
        .module(2, 0x600000, 0x700000, "/x/liba.so", "ABCDEFGH")
        .module(3, 0x800000, 0x900000, "/y/liba.so", "ABCDEFGI");
    for (const std::uint16_t module : {1, 2, 3})
        b.name(0x200000u * (1u + module) + 1, "init (a.c)", vfd::NodeKind::Function, module);
    b.name(0x600002, "twice()", vfd::NodeKind::Function, 2, vfd::NameOfAllObjects);
    b.name(vfd::NamedKey | 3, "init", vfd::NodeKind::Region, 2);
    const vfd::Image image = b.open();
    Names names(image);
    CHECK(names.of(node(0x400001, 1)) == "init (a.c)");
    CHECK(names.of(node(0x600001, 2)) == symbols::qualified("init (a.c)", "liba.so{41424344}"));
    CHECK(names.of(node(0x800001, 3)) == names.of(node(0x600001, 2))); // the first digits are the same
    CHECK(names.of(node(0x600002, 2)) == "twice()");
    CHECK(names.of(node(vfd::NamedKey | 3, 2, vfd::NodeKind::Region)) == "init");
}

TEST_CASE("a recorded name of a construct keeps its qualifier") {
    const std::string name = symbols::qualified("omp parallel init:4", "/x/a.c");
    ImageBuilder b;
    b.name(0x600001, name, vfd::NodeKind::OpenMp, 1)
        .name(0x600002, symbols::qualified("omp parallel\n", "/x\n/a.c"), vfd::NodeKind::OpenMp, 1);
    const vfd::Image image = b.open();
    Names names(image);
    CHECK(names.of(node(0x600001, 1, vfd::NodeKind::OpenMp)) == name);
    CHECK(names.of(node(0x600002, 1, vfd::NodeKind::OpenMp)) == symbols::qualified("omp parallel?", "/x?/a.c"));
}

TEST_CASE("an address without symbol or module is still told from others") {
    ImageBuilder b;
    b.module(1, 0x400000, 0x500000, "/no/such/libfoo.so");
    vfd::Image image = b.open();
    Names names(image);
    CHECK(names.of(node(0x400123, 1)) == "libfoo.so+0x123");
    CHECK(names.of(node(0x7777)) == "0x7777");
}

TEST_CASE("a name cannot break a line") {
    ImageBuilder b;
    b.name(1, "a\nb\tc\x7f").name(2, "");
    vfd::Image image = b.open();
    Names names(image);
    CHECK(names.of(node(1)) == "a?b?c?");
    CHECK(names.of(node(2)) == "(no name)");
}

TEST_CASE("functions are named as the configuration of the run wants it") {
    ImageBuilder with, without, broken;
    with.config("{\"demangle_cxx\": false, \"strip_module_names\": true}");
    broken.config("{\"demangle_cxx\": ");
    CHECK_FALSE(name_options(with.open()).demangle_cxx);
    CHECK(name_options(with.open()).strip_module_names);
    CHECK(name_options(without.open()).demangle_cxx);
    CHECK(name_options(broken.open()).demangle_cxx);
    CHECK_FALSE(name_options(broken.open()).strip_module_names);
}

// Issue: OpenMP regions are named by function and line.
TEST_CASE("OpenMP constructs are named by directive, function and line, and the name can be taken along") {
    const auto key = [](vfd::Construct construct, std::uint64_t address) {
        return address | static_cast<std::uint64_t>(construct) << vfd::ConstructShift;
    };
    const auto inside = reinterpret_cast<std::uint64_t>(&vftr_naming_test_function) + 1;
    const auto region = key(vfd::Construct::Parallel, inside), barrier = key(vfd::Construct::ImplicitBarrier, inside);
    std::vector<vfd::Node> nodes{ImageBuilder::root(), node(region, 1, vfd::NodeKind::OpenMp),
                                 node(barrier, 1, vfd::NodeKind::OpenMp)};
    ImageBuilder b;
    b.thread(0, nodes).thread(1, nodes);
    b.name(barrier, "omp implicit barrier given:1", vfd::NodeKind::OpenMp, 1);
    const vfd::Image image = b.open();
    const std::vector<std::byte> more = analysis::construct_names(image);
    Names names(image);
    CHECK(names.of(nodes[1]).starts_with("omp parallel "));
    CHECK(names.of(nodes[2]) == "omp implicit barrier given:1");

    ImageBuilder elsewhere;
    elsewhere.thread(0, nodes).segment(vfd::SegmentKind::Names, 0, 0, more);
    const vfd::Image moved = elsewhere.open();
    REQUIRE(moved.names().size() == 1);
    CHECK(Names(moved).of(nodes[1]) == names.of(nodes[1]));
    CHECK(analysis::construct_names(vfd::Image(ImageBuilder().open())).empty());
    CHECK(Names(moved).of(node(key(static_cast<vfd::Construct>(63), 5), 0, vfd::NodeKind::OpenMp)) ==
          "omp construct 0x5");
}
