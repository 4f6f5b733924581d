// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/library_search.hpp"
#include "test/unit/symbols/fixture.hpp"

#include <catch2/catch.hpp>

using namespace vftr::cli;
using namespace vftr::symbols;
using vftr::symbols::test::Fixture;
using vftr::symbols::test::read_bytes;

namespace {

Linkage linkage_of_file(const std::string& path) {
    std::string reason;
    auto file = ElfFile::open(path, reason);
    INFO(reason);
    REQUIRE(file);
    return linkage_of(*file);
}

// A dynamic linker that searches in a folder of the test.
class Searched : public Fixture {
public:
    Searched() {
        rules.path = path("linker");
        rules.soname = "linker.so";
        rules.folders = {path("default/")};
        rules.library_folder = "lib/own";
        rules.platform = "this";
    }
    // Compiles an empty object; `flags` are the linker's.
    bool make(const std::string& file, const std::string& flags = "") const {
        return run("mkdir -p \"$(dirname " + file + ")\" && gcc -nostdlib -x c /dev/null -o " + file + " -shared " +
                   flags);
    }
    // The files that are found, by their paths in the folder and in their order.
    std::string found(const std::string& program, const SearchEnvironment& environment = {}) {
        const std::string file = path(program);
        result = search_libraries(file, linkage_of_file(file), rules, environment);
        std::string files;
        for (const FoundLibrary& library : result.found)
            files += (files.empty() ? "" : " ") + library.path.substr(path("").size());
        return files;
    }
    LinkerRules rules;
    LibrarySearch result;
};

const std::string Needs = "-Wl,--no-as-needed ";

} // namespace

TEST_CASE("folders are searched in the order of ld.so", "[cli]") {
    Searched in;
    for (const std::string folder : {"rpath", "runpath", "environment", "default"})
        if (!in.make(folder + "/liba.so", "-Wl,-soname,liba.so"))
            return;
    const std::string search = Needs + "-Lrpath -la -Wl,-rpath,";
    REQUIRE(in.make("older", search + in.path("rpath") + " -Wl,--disable-new-dtags"));
    REQUIRE(in.make("newer", search + in.path("runpath") + " -Wl,--enable-new-dtags"));
    const SearchEnvironment environment{in.path("absent") + ";" + in.path("environment"), "", false};
    REQUIRE(in.found("older", environment) == "rpath/liba.so");
    REQUIRE(in.found("newer", environment) == "environment/liba.so");
    REQUIRE(in.found("newer") == "runpath/liba.so");
    REQUIRE(in.run("rm -r runpath"));
    REQUIRE(in.found("newer") == "default/liba.so");
    REQUIRE(in.found("newer", {in.path("environment"), "", true}) == "default/liba.so");
    REQUIRE(in.make("closed", Needs + "-Lrpath -la -Wl,-z,nodefaultlib"));
    REQUIRE(in.found("closed").empty());
    REQUIRE(in.result.hindrance->kind == Hindrance::Nowhere);
    REQUIRE(in.result.hindrance->what == "liba.so: cannot open shared object file: No such file or directory");
}

TEST_CASE("an older run path counts for what libraries need, a newer one does not", "[cli]") {
    Searched in;
    if (!in.make("deep/libb.so", "-Wl,-soname,libb.so") ||
        !in.make("deep/liba.so", Needs + "-Wl,-soname,liba.so -Ldeep -lb"))
        return;
    const std::string flags = Needs + "-Ldeep -la -Wl,-rpath,'$ORIGIN/deep' ";
    REQUIRE(in.make("older", flags + "-Wl,--disable-new-dtags"));
    REQUIRE(in.make("newer", flags + "-Wl,--enable-new-dtags"));
    REQUIRE(in.found("older") == "deep/liba.so deep/libb.so");
    REQUIRE(in.found("newer") == "deep/liba.so");
    REQUIRE(in.result.hindrance);
    // Of a set-user-ID program that others can move elsewhere.
    REQUIRE(in.found("older", {"", "", true}).empty());
}

TEST_CASE("names in run paths are replaced", "[cli]") {
    Searched in;
    if (!in.make("lib/own/liba.so", "-Wl,-soname,liba.so") || !in.make("of_this/libb.so", "-Wl,-soname,libb.so"))
        return;
    REQUIRE(in.make("program",
                    Needs + "-Llib/own -la -Lof_this -lb -Wl,-rpath,'${ORIGIN}/$LIB:$ORIGIN/of_$PLATFORM:$ORIGINAL'"));
    REQUIRE(in.found("program") == "lib/own/liba.so of_this/libb.so");
    REQUIRE(in.run("mkdir links && ln -s ../program links/program"));
    REQUIRE(in.found("links/program") == "lib/own/liba.so of_this/libb.so");
}

TEST_CASE("libraries stand in the order of the search for symbols", "[cli]") {
    Searched in;
    if (!in.make("default/libc.so", "-Wl,-soname,libc.so") ||
        !in.make("default/liba.so", Needs + "-Wl,-soname,liba.so -Ldefault -lc") ||
        !in.make("default/libb.so", "-Wl,-soname,libb.so") || !in.make("first.so", Needs + "-Ldefault -lb"))
        return;
    REQUIRE(in.make("program", Needs + "-Ldefault -la -lb"));
    REQUIRE(in.found("program") == "default/liba.so default/libb.so default/libc.so");
    const std::string first = in.path("first.so"), absent = in.path("absent.so");
    REQUIRE(in.found("program", {"", absent + ":" + first, false}) ==
            "first.so default/liba.so default/libb.so default/libc.so");
    REQUIRE(in.result.not_preloaded.size() == 1);
    REQUIRE(in.result.not_preloaded[0].first == "LD_PRELOAD");
    REQUIRE(in.result.not_preloaded[0].second.starts_with(absent + ": "));
    REQUIRE(in.found("program", {"", first, true}) == "default/liba.so default/libb.so default/libc.so");
    // One file of two names is loaded once.
    REQUIRE(in.run("ln default/libb.so default/libtwin.so"));
    REQUIRE(in.found("program", {"", "libtwin.so", false}) == "default/libtwin.so default/liba.so default/libc.so");
    // What the system preloads.
    in.rules.preload = in.write("preload", "# " + absent + "\n" + first + "\n");
    REQUIRE(in.found("program", {"", "", true}) == "first.so default/liba.so default/libb.so default/libc.so");
    REQUIRE(in.result.not_preloaded.empty());
}

TEST_CASE("a library for another machine is passed by, and a variant for this one preferred", "[cli]") {
    Searched in;
    if (!in.make("default/liba.so", "-Wl,-soname,liba.so"))
        return;
    std::string other = read_bytes(in.path("default/liba.so"));
    other[18] = '\x2b'; // e_machine
    other[19] = '\0';
    REQUIRE(in.run("mkdir -p other default/best"));
    in.write("other/liba.so", other);
    REQUIRE(in.make("program", Needs + "-Ldefault -la -Wl,-rpath,'$ORIGIN/other'"));
    REQUIRE(in.found("program") == "default/liba.so");
    in.rules.variants = {"none/", "best/"};
    REQUIRE(in.make("default/best/liba.so", "-Wl,-soname,liba.so"));
    REQUIRE(in.found("program") == "default/best/liba.so");
    REQUIRE(in.run("rm -r default"));
    REQUIRE(in.found("program").empty());
    REQUIRE(in.result.hindrance->kind == Hindrance::NoLibrary);
    REQUIRE(in.result.hindrance->what.find("other/liba.so: it is for another machine") != std::string::npos);
    in.write("other/liba.so", "text");
    REQUIRE(in.found("program").empty());
    REQUIRE(in.result.hindrance->kind == Hindrance::NoLibrary);
}

TEST_CASE("a search ends though libraries need each other, or are damaged", "[cli]") {
    Searched in;
    if (!in.make("default/libb.so", "-Wl,-soname,libb.so") ||
        !in.make("default/liba.so", Needs + "-Wl,-soname,liba.so -Ldefault -lb") ||
        !in.make("default/libb.so", Needs + "-Wl,-soname,libb.so -Ldefault -la"))
        return;
    REQUIRE(in.make("program", Needs + "-Ldefault -la"));
    REQUIRE(in.found("program") == "default/liba.so default/libb.so");
    const std::string whole = read_bytes(in.path("default/liba.so"));
    for (std::size_t size = 0; size < whole.size(); size += 64) {
        in.write("default/liba.so", whole.substr(0, size));
        in.found("program");
        REQUIRE(in.result.found.size() <= 2);
    }
    std::string damaged = whole;
    for (std::size_t at = 0; at < whole.size(); at += 7) {
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        in.write("default/liba.so", damaged);
        in.found("program");
        REQUIRE(in.result.found.size() <= 2);
    }
}

// The dynamic linker says of this program, which we may run, what it would load.
TEST_CASE("the search finds what the dynamic linker finds", "[cli]") {
    Fixture fixture;
    const Linkage linkage = linkage_of_file("/proc/self/exe");
    const auto rules = linker_rules(linkage.interpreter);
    char self[4096] = "";
    if (!rules || ::readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
        return;
    REQUIRE_FALSE(linker_rules(self));
    REQUIRE_FALSE(linker_rules("/"));
    REQUIRE_FALSE(linker_rules(fixture.path("absent")));
    const auto of_environment = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value ? value : "");
    };
    const LibrarySearch search = search_libraries(
        self, linkage, *rules, {of_environment("LD_LIBRARY_PATH"), of_environment("LD_PRELOAD"), false});
    REQUIRE_FALSE(search.hindrance);
    std::string ours;
    for (const FoundLibrary& library : search.found)
        ours += library.path + '\n';
    REQUIRE(fixture.run("LD_TRACE_LOADED_OBJECTS=1 '" + std::string(self) +
                        "' | grep -o '/[^ ]* (0x' | sed 's/ (0x$//' >" + fixture.path("list")));
    REQUIRE(ours == read_bytes(fixture.path("list")));
}
