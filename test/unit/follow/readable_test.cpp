// SPDX-License-Identifier: BSD-3-Clause
#include "follow/readable.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace vftr::follow;

namespace {

// Two pages of which only the first is there.
struct Edge {
    static constexpr std::size_t Size = 4096;
    Edge()
        : begin(static_cast<char*>(
              mmap(nullptr, 65536 + Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        REQUIRE(begin != MAP_FAILED);
        end = begin + 65536; // of whole pages, however large they are
        munmap(end, Size);
    }
    ~Edge() { munmap(begin, 65536); }
    char *begin, *end;
};

bool kernel_tells() {
    char here = 0;
    return OwnMemory().bytes(&here, 1) != Readable::Unknown; // qemu-user does not
}

char* const bad = reinterpret_cast<char*>(16);

} // namespace

TEST_CASE("what can be read is told from what cannot", "[follow][readable]") {
    if (!kernel_tells())
        return;
    Edge edge;
    OwnMemory memory;
    CHECK(memory.bytes(edge.begin, 65536) == Readable::Yes);
    CHECK(memory.bytes(edge.begin, 65537) == Readable::No);
    CHECK(memory.bytes(edge.end - 1, 1) == Readable::Yes);
    CHECK(memory.bytes(edge.end - 1, 2) == Readable::No);
    CHECK(memory.bytes(edge.end, 0) == Readable::Yes);
    CHECK(memory.bytes(nullptr, 1) == Readable::No);
    CHECK(memory.bytes(bad, 1) == Readable::No);
    CHECK(memory.bytes(reinterpret_cast<void*>(~std::uintptr_t{0}), 1) == Readable::No);
    CHECK(memory.bytes(reinterpret_cast<void*>(~std::uintptr_t{0} - 1), 8) == Readable::No);
}

TEST_CASE("a text is readable up to its end", "[follow][readable]") {
    if (!kernel_tells())
        return;
    Edge edge;
    OwnMemory memory;
    CHECK(memory.text("") == Readable::Yes);
    CHECK(memory.text(nullptr) == Readable::No);
    CHECK(memory.text(bad) == Readable::No);
    std::memset(edge.begin, 'x', 65536);
    CHECK(memory.text(edge.begin) == Readable::No);
    edge.end[-1] = '\0';
    CHECK(memory.text(edge.begin) == Readable::Yes);
    CHECK(memory.text(edge.end - 1) == Readable::Yes);
    CHECK(memory.text(edge.end) == Readable::No);
}

TEST_CASE("a text longer than the kernel takes is for the kernel to refuse", "[follow][readable]") {
    if (!kernel_tells())
        return;
    const std::size_t longest = 32 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); // with its end
    CHECK(OwnMemory().text(std::string(longest - 1, 'x').c_str()) == Readable::Yes);
    CHECK(OwnMemory().text(std::string(longest, 'x').c_str()) == Readable::No);
    CHECK(OwnMemory().text(std::string(3 * longest, 'x').c_str()) == Readable::No);
}

TEST_CASE("a list is readable with all its texts and its end", "[follow][readable]") {
    if (!kernel_tells())
        return;
    Edge edge;
    OwnMemory memory;
    char text[] = "text";
    char *good[] = {text, text, nullptr}, *empty[] = {nullptr}, *with_bad[] = {text, bad, nullptr};
    CHECK(memory.list(nullptr) == Readable::Yes);
    CHECK(memory.list(empty) == Readable::Yes);
    CHECK(memory.list(good) == Readable::Yes);
    CHECK(memory.list(with_bad) == Readable::No);
    auto** last = reinterpret_cast<char**>(edge.end) - 2;
    last[0] = text;
    last[1] = text;
    CHECK(memory.list(last) == Readable::No);
    last[1] = nullptr;
    CHECK(memory.list(last) == Readable::Yes);
    CHECK(memory.list(reinterpret_cast<char**>(bad)) == Readable::No);
}

TEST_CASE("thousands of texts on many pages are all looked at", "[follow][readable]") {
    if (!kernel_tells())
        return;
    std::vector<std::string> texts(5000, std::string(300, 'x'));
    std::vector<char*> list;
    for (std::string& text : texts)
        list.push_back(text.data());
    list.push_back(nullptr);
    CHECK(OwnMemory().list(list.data()) == Readable::Yes);
    list[4999] = bad;
    CHECK(OwnMemory().list(list.data()) == Readable::No);
}
