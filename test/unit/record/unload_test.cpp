// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules/unload.hpp"

#include "fixture.hpp"
#include "record/threads/thread_lifetime.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {

// Shared objects for the machine that the tests are for.
class Plugins {
public:
    std::string build(const std::string& name, const std::string& flags = "") {
        std::ofstream(folder_.file("p.c"))
            << "int " << name << "(void) { return 0; } int data_" << name << "[2000] = {1};\n";
        const std::string path = folder_.file(name + ".so");
        REQUIRE(std::system((TEST_CC " -shared -fPIC " + flags + " " + folder_.file("p.c") + " -o " + path).c_str()) ==
                0);
        return path;
    }

private:
    vftr::base::TemporaryFolder folder_;
};

struct Loaded {
    void* handle;
    std::uint64_t function;
};
Loaded load(const std::string& path, const char* function) {
    void* handle = dlopen(path.c_str(), RTLD_NOW);
    REQUIRE(handle != nullptr);
    return {handle, reinterpret_cast<std::uint64_t>(dlsym(handle, function))};
}

void call(std::uint64_t function) {
    __cyg_profile_func_enter(reinterpret_cast<void*>(function), nullptr);
    __cyg_profile_func_exit(reinterpret_cast<void*>(function), nullptr);
}

std::string path_of(std::uint16_t id) {
    const vfd::ModuleRecord& record = *recorder.modules.entry(id)->record;
    return {reinterpret_cast<const char*>(&record + 1) + record.build_id_size, record.path_size};
}

// The calls of paths in this module.
std::uint64_t calls_in(const ThreadState& state, std::uint16_t module) {
    std::uint64_t calls = 0;
    for (std::uint32_t id = 0; id < state.record->node_count; ++id)
        calls += state.nodes[id].module == module ? state.nodes[id].calls : 0;
    return calls;
}

} // namespace

TEST_CASE("an object that is unloaded ends, and another at its address is another module", "[record][modules]") {
    Plugins plugins;
    const std::string flags = GENERATE("-Wl,--build-id=sha1", "-Wl,--build-id=none");
    const std::string a = plugins.build("first", flags), b = plugins.build("other", flags);
    Recording recording;
    ThreadState* state = begin_thread();
    Loaded plugin = load(a, "first");
    for (int i = 0; i < 3; ++i)
        call(plugin.function);
    const std::uint64_t place = plugin.function;
    dlclose(plugin.handle);
    modules_may_be_gone();
    const vfd::ModuleRecord& gone = *recorder.modules.entry(1)->record;
    CHECK(gone.unloaded != 0);
    plugin = load(b, "other");
    if (plugin.function != place)
        return; // the kernel has put it elsewhere
    for (int i = 0; i < 5; ++i)
        call(plugin.function);
    REQUIRE(recorder.modules.count() == 2);
    CHECK(path_of(1) == a);
    CHECK(path_of(2) == b);
    CHECK(recorder.modules.entry(2)->record->unloaded == 0);
    CHECK(calls_in(*state, 1) == 3);
    CHECK(calls_in(*state, 2) == 5);
    dlclose(plugin.handle);
}

TEST_CASE("an object that comes back a thousand times is one module with its paths once", "[record][modules]") {
    if (std::getenv("EMULATED")) // an emulator maps it elsewhere each time
        return;
    Plugins plugins;
    const std::string a = plugins.build("first"), b = plugins.build("other");
    const bool alternate = GENERATE(false, true);
    Recording recording;
    ThreadState* state = begin_thread();
    std::uint32_t nodes = 0;
    for (int i = 0; i < 1000; ++i) {
        for (const auto& [path, name] : {std::pair{a, "first"}, std::pair{b, "other"}}) {
            if (!alternate && path == b)
                continue;
            const Loaded plugin = load(path, name);
            call(plugin.function);
            dlclose(plugin.handle);
            modules_may_be_gone();
        }
        if (i == 0)
            nodes = state->record->node_count;
    }
    CHECK(recorder.modules.count() <= (alternate ? 4 : 2)); // the kernel may move them once
    CHECK(state->record->node_count <= nodes + 2);
    std::uint64_t calls = 0;
    for (std::uint16_t id = 1; id <= recorder.modules.count(); ++id)
        calls += path_of(id) == a ? calls_in(*state, id) : 0;
    CHECK(calls == 1000);
}

TEST_CASE("an object that was replaced by another without a dlclose that was seen is noticed by a new path",
          "[record][modules]") {
    Plugins plugins;
    const std::string a = plugins.build("first"), b = plugins.build("other");
    Recording recording;
    begin_thread();
    Loaded plugin = load(a, "first");
    const std::uint16_t first = recorder.modules.find(plugin.function);
    const std::uint64_t place = plugin.function;
    dlclose(plugin.handle);
    plugin = load(b, "other");
    if (plugin.function == place) {
        const std::uint16_t second = recorder.modules.find(plugin.function);
        CHECK(second != first);
        CHECK(path_of(second) == b);
        CHECK(recorder.modules.unloaded(first));
    }
    dlclose(plugin.handle);
}

TEST_CASE("other threads forget an unloaded object at their next event, also if it is the first of another one",
          "[record][modules]") {
    Plugins plugins;
    const std::string a = plugins.build("first"), b = plugins.build("other");
    Recording recording;
    Loaded plugin = load(a, "first");
    const std::uint64_t place = plugin.function;
    std::atomic<int> step{0};
    std::uint64_t in_first = 0, in_second = 0;
    std::thread other([&] {
        ThreadState* state = begin_thread();
        for (int i = 0; i < 3; ++i)
            call(place);
        step = 1;
        while (step != 2)
            std::this_thread::yield();
        for (int i = 0; i < 5; ++i)
            call(place);
        in_first = calls_in(*state, 1);
        in_second = calls_in(*state, 2);
    });
    while (step != 1)
        std::this_thread::yield();
    dlclose(plugin.handle);
    modules_may_be_gone();
    plugin = load(b, "other");
    step = 2;
    other.join();
    if (plugin.function == place) {
        CHECK(in_first == 3);
        CHECK(in_second == 5);
    }
    dlclose(plugin.handle);
}

TEST_CASE("other objects keep their paths when one is unloaded", "[record][modules]") {
    Plugins plugins;
    const std::string a = plugins.build("first"), b = plugins.build("other");
    Recording recording;
    ThreadState* state = begin_thread();
    const Loaded first = load(a, "first"), other = load(b, "other");
    for (int i = 0; i < 2; ++i) {
        call(first.function);
        call(other.function);
    }
    const std::uint32_t nodes = state->record->node_count;
    dlclose(first.handle);
    modules_may_be_gone();
    for (int i = 0; i < 2; ++i)
        call(other.function);
    CHECK(state->record->node_count == nodes);
    CHECK(calls_in(*state, recorder.modules.find(other.function)) == 4);
    dlclose(other.handle);
}

TEST_CASE("of an object without build-id it is noted which file is mapped, not which lies at its path",
          "[record][modules]") {
    Plugins plugins;
    const std::string a = plugins.build("first", "-Wl,--build-id=none"),
                      b = plugins.build("other", "-Wl,--build-id=none");
    Recording recording;
    struct stat mapped {};
    REQUIRE(stat(a.c_str(), &mapped) == 0);
    const Loaded plugin = load(a, "first");
    const bool replaced = GENERATE(false, true);
    if (replaced)
        std::filesystem::rename(b, a);
    const vfd::ModuleRecord& record = *recorder.modules.entry(recorder.modules.find(plugin.function))->record;
    CHECK(path_of(1) == a);
    CHECK(record.inode == mapped.st_ino);
    if (!replaced)
        CHECK(record.device == mapped.st_dev);
    CHECK(record.file_size == (replaced ? 0 : static_cast<std::uint64_t>(mapped.st_size)));
    CHECK((record.mtime_ns == 0) == replaced);
    dlclose(plugin.handle);
}
