// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

#include <gnu/libc-version.h>
#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {
void here() {}
std::uint64_t address(void (*function)()) { return reinterpret_cast<std::uint64_t>(function); }
std::uint64_t in_libc() {
    return reinterpret_cast<std::uint64_t>(&gnu_get_libc_version);
} // which no sanitizer stands before
} // namespace

TEST_CASE("the executable is found by an address in it", "[record][modules]") {
    Recording recording;
    std::uint16_t id = recorder.modules.find(address(here));
    REQUIRE(id != 0);
    CHECK(recorder.modules.find(address(here) + 1) == id);
    CHECK(recorder.modules.count() == 1);
    vfd::Image image = vfd::Image::open(recording.path());
    REQUIRE(image.modules().size() == 1);
    const vfd::ModuleView& module = image.modules()[0];
    CHECK(module.path == std::filesystem::read_symlink("/proc/self/exe").string());
    CHECK(module.record->start <= address(here));
    CHECK(module.record->end > address(here));
}

TEST_CASE("a shared object is found with its build-id and absolute path", "[record][modules]") {
    Recording recording;
    std::uint16_t id = recorder.modules.find(in_libc());
    const ModuleEntry* entry = recorder.modules.entry(id);
    REQUIRE(entry);
    const vfd::ModuleRecord& record = *entry->record;
    const char* text = reinterpret_cast<const char*>(&record + 1);
    std::string path(text + record.build_id_size, record.path_size);
    CHECK(path.find("/lib") != std::string::npos);
    CHECK(path.find(".so") != std::string::npos);
    CHECK(path.front() == '/');
    CHECK(record.build_id_size == 20);
    CHECK(entry->bias <= entry->start);
}

TEST_CASE("an address in no object belongs to no module", "[record][modules]") {
    Recording recording;
    CHECK(recorder.modules.find(0x10) == 0);
    CHECK(recorder.modules.entry(0) == nullptr);
    CHECK(recorder.modules.entry(1) == nullptr);
}

TEST_CASE("threads that see a module first at the same time make one record", "[record][modules]") {
    Recording recording;
    std::vector<std::thread> threads;
    std::atomic<std::uint32_t> ids{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&ids] { ids += recorder.modules.find(in_libc()); });
    for (std::thread& thread : threads)
        thread.join();
    CHECK(ids == 4);
    CHECK(recorder.modules.count() == 1);
}
