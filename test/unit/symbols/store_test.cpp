// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/store.hpp"

#include "../planted.hpp"
#include "fixture.hpp"
#include "symbols/claimed_file.hpp"
#include "symbols/identity.hpp"
#include "symbols/stored_symbols.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace vftr::symbols;
using test::Fixture;
using Result = SymbolStore::Result;

namespace {

std::vector<std::string> files_in(const std::string& folder) {
    std::vector<std::string> names;
    if (DIR* directory = opendir(folder.c_str())) {
        while (const dirent* entry = readdir(directory))
            if (entry->d_name[0] != '.')
                names.emplace_back(entry->d_name);
        closedir(directory);
    }
    std::ranges::sort(names);
    return names;
}

void build(const Fixture& fixture, const std::string& name = "p", const std::string& flags = "") {
    fixture.write("p.c", test::c_program);
    REQUIRE(fixture.run("gcc -O0 " + flags + " p.c -o '" + name + "'"));
}

// The name of the function in the middle, as the store alone tells it.
std::string stored_name(const std::string& store, const Module& module, std::uint64_t address) {
    const auto stored = StoredSymbols::open(store, module);
    const auto found = stored ? stored->find(address + 1) : std::nullopt;
    return found ? std::string(found->name) : "";
}

void overwrite(const std::string& path, std::size_t offset, const std::string& bytes) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file << bytes;
}

} // namespace

TEST_CASE("the store has every function of an object, once, under its key", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const std::string folder = fixture.path("store");
    const Module module = fixture.module("p");
    SymbolStore store(folder);
    CHECK(store.put(module) == Result::Written);
    CHECK(store.put(module) == Result::There);
    CHECK(files_in(folder) == std::vector{module_key(module) + "-p.sym"});
    const auto functions = fixture.functions("p");
    for (const std::string name : {"visible_", "hidden_helper", "main", "_start"})
        CHECK(stored_name(folder, module, functions.at(name)) == name);
    CHECK(stored_name(folder, module, functions.at("__twin")) == "twin");
    CHECK(stored_name(folder, module, 0) == "");
    CHECK(stored_name(folder, module, ~0ull - 1) == "");
    const auto stored = StoredSymbols::open(folder, module);
    REQUIRE(stored);
    CHECK(stored->complete());
    CHECK(stored->key() == module_key(module));
    CHECK(stored->path() == module.path);
}

TEST_CASE("names come from the store where the program is not any more", "[symbols][store]") {
    const Fixture fixture;
    build(fixture, "p", GENERATE("", "-Wl,--build-id=none"));
    const Module module = fixture.module("p");
    const auto functions = fixture.functions("p");
    SymbolStore(fixture.path("store")).put(module);
    REQUIRE(fixture.run("rm p"));
    const SymbolTable table(module, {fixture.path("store"), 0});
    CHECK(table.usable());
    CHECK(table.find(functions.at("hidden_helper")) == "hidden_helper");
    CHECK(table.find(functions.at("main")) == "main");
    CHECK_FALSE(SymbolTable(module).usable());
}

TEST_CASE("what the store has of a stripped object is completed from a better file", "[symbols][store]") {
    const Fixture fixture;
    build(fixture, "full", "-rdynamic");
    const Module module = fixture.module("full");
    const auto functions = fixture.functions("full");
    REQUIRE(fixture.run("cp full kept && strip -s full"));
    SymbolStore(fixture.path("store")).put(module);
    CHECK(stored_name(fixture.path("store"), module, functions.at("visible_")) == "visible_");
    CHECK(stored_name(fixture.path("store"), module, functions.at("hidden_helper")) == "");
    REQUIRE(fixture.run("mv kept full"));
    CHECK(SymbolTable(module, {fixture.path("store"), 0}).find(functions.at("hidden_helper")) == "hidden_helper");
}

TEST_CASE("the bytes of the store do not depend on the run", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const Module module = fixture.module("p");
    SymbolStore(fixture.path("a")).put(module);
    SymbolStore(fixture.path("b")).put(module);
    const std::string name = "/" + module_key(module) + "-p.sym";
    CHECK(test::read_bytes(fixture.path("a") + name) == test::read_bytes(fixture.path("b") + name));
}

TEST_CASE("one object under two names has one file", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    REQUIRE(fixture.run("cp p other"));
    const Module module = fixture.module("p"), other = fixture.module("other");
    SymbolStore store(fixture.path("store"));
    CHECK(store.put(module) == Result::Written);
    CHECK(store.put(other) == Result::There);
    CHECK(files_in(fixture.path("store")).size() == 1);
    CHECK(stored_name(fixture.path("store"), other, fixture.functions("p").at("main")) == "main");
}

TEST_CASE("the key of a file without build-id tells files at one path apart", "[symbols][store]") {
    Module module;
    module.path = "/x/p";
    CHECK(module_key(module) == ""); // nothing is known of it
    module.device = 1, module.inode = 2, module.file_size = 3, module.mtime_ns = 4;
    const std::string key = module_key(module);
    CHECK(key.size() == 33);
    CHECK(key[0] == 'n');
    CHECK(module_key(module) == key);
    for (const auto member : {&Module::device, &Module::inode, &Module::file_size, &Module::mtime_ns}) {
        Module other = module;
        ++(other.*member);
        CHECK(module_key(other) != key);
    }
    module.path = "[vdso]";
    CHECK(module_key(module) == "");
    module.build_id = {0xab, 0x01};
    CHECK(module_key(module) == "ab01");
}

TEST_CASE("file names in the store are readable whatever the object's is", "[symbols][store]") {
    CHECK(readable_name("/usr/lib/libstdc++.so.6.0.30") == "libstdc++.so.6.0.30");
    CHECK(readable_name("/x/my prog\n\xff(deleted)") == "my_prog___deleted_");
    CHECK(readable_name("/x/" + std::string(255, 'a')) == std::string(48, 'a'));
    const Fixture fixture;
    const std::string name(255, 'a');
    build(fixture, name);
    const Module module = fixture.module(name);
    CHECK(SymbolStore(fixture.path("store")).put(module) == Result::Written);
    CHECK(StoredSymbols::open(fixture.path("store"), module));
}

TEST_CASE("eight processes at once leave one whole file and nothing else", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const Module module = fixture.module("p");
    const std::string folder = fixture.path("store");
    pid_t children[8];
    for (pid_t& child : children)
        if ((child = fork()) == 0)
            _exit(SymbolStore(folder).put(module) == Result::Failed);
    for (const pid_t child : children) {
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
    CHECK(files_in(folder) == std::vector{module_key(module) + "-p.sym"});
    CHECK(stored_name(folder, module, fixture.functions("p").at("main")) == "main");
}

TEST_CASE("a file that another process writes is left to it, an abandoned one is taken over", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    REQUIRE(fixture.run("mkdir store && echo half > store/0123456789abcdef.tmp"));
    const Module module = fixture.module("p");
    const std::string temporary = fixture.path("store/") + module_key(module) + ".tmp";
    const int fd = open(temporary.c_str(), O_RDWR | O_CREAT, 0644);
    REQUIRE(flock(fd, LOCK_EX) == 0);
    SymbolStore store(fixture.path("store"));
    CHECK(store.put(module) == Result::Busy);
    CHECK(store.put_or_wait(module, std::chrono::steady_clock::now()) == Result::Busy);
    REQUIRE(write(fd, "half", 4) == 4);
    std::thread killed([fd] {
        usleep(20000);
        close(fd); // as when its writer is killed
    });
    CHECK(store.put_or_wait(module, std::chrono::steady_clock::now() + std::chrono::seconds(60)) == Result::Written);
    killed.join();
    CHECK(files_in(fixture.path("store")) == std::vector{module_key(module) + "-p.sym"});
}

TEST_CASE("a damaged file is replaced, and never believed", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const Module module = fixture.module("p");
    const std::string folder = fixture.path("store"), path = folder + "/" + module_key(module) + "-p.sym";
    const auto address = fixture.functions("p").at("main");
    SymbolStore store(folder);
    REQUIRE(store.put(module) == Result::Written);
    const std::string whole = test::read_bytes(path);
    for (const std::size_t size : {std::size_t{0}, std::size_t{10}, sizeof(StoreHeader), whole.size() - 1}) {
        fixture.write(path.substr(fixture.path("").size()), whole.substr(0, size));
        CHECK_FALSE(StoredSymbols::open(folder, module));
        CHECK(SymbolTable(module, {folder, 0}).find(address) == "main"); // from the program
        CHECK(store.put(module) == Result::Written);
        CHECK(test::read_bytes(path) == whole);
    }
    // Any eight bytes of the header and of the first functions may be anything.
    for (const char byte : {'\xff', '\x7f', '\0'})
        for (std::size_t at = 0; at < std::min<std::size_t>(whole.size(), 1024); at += 4) {
            overwrite(path, at, std::string(8, byte));
            stored_name(folder, module, address);
            SymbolTable(module, {folder, 0}).find(~0ull);
            fixture.write(path.substr(fixture.path("").size()), whole);
        }
}

// Issue: a file with a valid header and a hole (its sibling: a file of symbols)
TEST_CASE("a file of symbols that claims more than it holds takes neither time nor memory", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const Module module = fixture.module("p");
    const std::string folder = fixture.path("store"), path = folder + "/" + module_key(module) + "-p.sym";
    REQUIRE(SymbolStore(folder).put(module) == Result::Written);
    const std::string whole = test::read_bytes(path);
    StoreHeader header;
    std::memcpy(&header, whole.data(), sizeof header);
    const auto write = [&](std::uint64_t size, const StoredFunction* functions, std::size_t count) {
        header.file_size = size;
        std::string bytes = whole;
        std::memcpy(bytes.data(), &header, sizeof header);
        if (count != 0)
            bytes.replace(header.functions_offset, std::string::npos,
                          std::string(reinterpret_cast<const char*>(functions), count * sizeof *functions));
        fixture.write(path.substr(fixture.path("").size()), bytes);
        REQUIRE(::truncate(path.c_str(), static_cast<off_t>(size)) == 0);
    };
    // As many functions as the format can count, in a hole.
    header.functions = NoFunction - 1;
    header.names_offset = header.functions_offset + header.functions * sizeof(StoredFunction);
    header.names_size = 1 << 30;
    write(std::uint64_t{500} << 30, nullptr, 0);
    CHECK(stored_name(folder, module, 0x1000).empty());
    CHECK(StoredSymbols::open(folder, module)->size() == NoFunction - 1);
    // Names of a hole.
    std::vector<StoredFunction> functions(2000);
    for (std::size_t i = 0; i < functions.size(); ++i)
        functions[i] = {
            .start = i * 16, .name = 0, .name_size = 1 << 20, .size = 16, .enclosing = NoFunction, .flags = 0};
    header.functions = functions.size();
    header.names_offset = header.functions_offset + functions.size() * sizeof(StoredFunction);
    write(std::uint64_t{500} << 30, functions.data(), functions.size());
    CHECK(stored_name(folder, module, 17).empty());
    // The same bytes again and again.
    header.names_size = 1 << 20;
    write(header.names_offset + header.names_size, functions.data(), functions.size());
    overwrite(path, header.names_offset, std::string(header.names_size, 'x'));
    const auto stored = StoredSymbols::open(folder, module);
    REQUIRE(stored);
    std::size_t named = 0;
    for (const StoredFunction& function : functions)
        named += stored->find(function.start).has_value();
    CHECK(named == 256);
}

// Issue: the symbol store is believed in folders that others can write
TEST_CASE("a file that others can write, or that another user has written, gives no names", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const std::string folder = fixture.path("store");
    const Module module = fixture.module("p");
    const auto functions = fixture.functions("p");
    REQUIRE(SymbolStore(folder).put(module) == Result::Written);
    const std::string file = folder + "/" + module_key(module) + "-p.sym";
    CHECK(stored_name(folder, module, functions.at("main")) == "main");
    const mode_t mode = GENERATE(0664, 0646);
    REQUIRE(chmod(file.c_str(), mode) == 0);
    CHECK(stored_name(folder, module, functions.at("main")) == "");
    CHECK(SymbolTable(module, {folder, 0}).find(functions.at("main")) == "main"); // of the object itself
    CHECK(SymbolStore(folder).put(module) == Result::Written);
    CHECK(stored_name(folder, module, functions.at("main")) == "main");
    if (geteuid() == 0) {
        REQUIRE(chown(file.c_str(), 65534, 65534) == 0);
        CHECK(stored_name(folder, module, functions.at("main")) == "");
    }
}

// Issue: a link or FIFO planted in a shared folder overwrites another file or hangs the program
TEST_CASE("what somebody else has put in the place of a temporary file is not written to", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const std::string folder = fixture.path("store");
    const Module module = fixture.module("p");
    REQUIRE(mkdir(folder.c_str(), 0755) == 0);
    const vftr::test::Planted planted(folder + "/" + module_key(module) + ".tmp", fixture.path("victim"));
    CHECK(SymbolStore(folder).put(module) == Result::Written);
    CHECK(planted.victim_is_whole());
    CHECK(stored_name(folder, module, fixture.functions("p").at("main")) == "main");
}

// Issue: a store that is another user's link is followed, and every *.tmp in the link's target is deleted
TEST_CASE("only files with names of the store's own are its temporary files", "[symbols][store]") {
    const std::string key = "0123456789abcdef";
    for (const std::string& name : {key + ".tmp", "n" + key + key + ".tmp", key + ".12.tmp", key + ".12.3.tmp"})
        CHECK(is_temporary_of_store(name));
    for (const std::string& name :
         {std::string("notes.tmp"), std::string(".tmp"), std::string("tmp"), std::string("0123.tmp"), key, key + ".sym",
          key + "x.tmp", "x" + key + ".tmp", "nn" + key + ".tmp", key + "..tmp", key + ".12.3.4.tmp", key + ".a.tmp",
          key + ".tmp.tmp", key + "-p.tmp", "." + key + ".tmp", "0123456789ABCDEF" + key + ".tmp "})
        CHECK_FALSE(is_temporary_of_store(name));
}

TEST_CASE("what is not an abandoned file of the store stays", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const Module module = fixture.module("p");
    REQUIRE(fixture.run("mkdir real && ln -s real store && cd real && touch notes.tmp 0123456789abcdef.tmp "
                        "1123456789abcdef.tmp 2123456789abcdef.tmp && ln 2123456789abcdef.tmp another"));
    const int held = open(fixture.path("real/1123456789abcdef.tmp").c_str(), O_RDWR);
    REQUIRE(flock(held, LOCK_EX) == 0);
    CHECK(SymbolStore(fixture.path("store")).put(module) == Result::Written); // the link is the user's own
    close(held);
    CHECK(files_in(fixture.path("real")) == [&] {
        std::vector<std::string> names{"1123456789abcdef.tmp", "2123456789abcdef.tmp", "another", "notes.tmp",
                                       module_key(module) + "-p.sym"};
        std::ranges::sort(names);
        return names;
    }());
}

// What root finds that another user has locked is left to him.
TEST_CASE("a temporary file that another user holds is neither written to nor removed", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const Module module = fixture.module("p");
    const std::string temporary = module_key(module) + ".tmp";
    REQUIRE(mkdir(fixture.path("store").c_str(), 0755) == 0);
    const int held = open(fixture.path("store/" + temporary).c_str(), O_RDWR | O_CREAT, 0644);
    if (geteuid() != 0 || fchown(held, 65534, 65534) != 0)
        return;
    REQUIRE(flock(held, LOCK_EX) == 0);
    REQUIRE(write(held, "half", 4) == 4);
    CHECK(SymbolStore(fixture.path("store")).put(module) == Result::Written);
    CHECK(test::read_bytes(fixture.path("store/" + temporary)) == "half");
    close(held);
}

TEST_CASE("a store that cannot be written says where and why", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    SymbolStore store(fixture.path("missing/store"));
    CHECK(store.put(fixture.module("p")) == Result::Failed);
    CHECK(store.error() == ENOENT);
    CHECK(store.failed_path() == fixture.path("missing/store"));
    Module gone = fixture.module("p");
    gone.path = fixture.path("gone");
    CHECK(SymbolStore(fixture.path("none")).put(gone) == Result::Unknown);
    CHECK(files_in(fixture.path("none")).empty());
}

// Issue: at the end of a program of a million symbols of which ten were called: time and memory must follow what was
// called
TEST_CASE("an object that is larger than the store takes is left out, unless it is there", "[symbols][store]") {
    const Fixture fixture;
    build(fixture);
    const Module module = fixture.module("p");
    const std::string folder = fixture.path("store");
    CHECK(SymbolStore(folder, 100).put(module) == Result::Large);
    CHECK(files_in(folder).empty());
    CHECK(SymbolStore(folder, 1 << 20).put(module) == Result::Written);
    CHECK(SymbolStore(folder, 100).put(module) == Result::There);
}

TEST_CASE("the store of a recording is beside it", "[symbols][store]") {
    CHECK(store_beside("/a/b/x_0.vfd") == "/a/b/vftrace_symbols");
    CHECK(store_beside("x_0.vfd") == "vftrace_symbols");
}
