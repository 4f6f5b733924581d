// SPDX-License-Identifier: BSD-3-Clause
#include "inherit/environment.hpp"

#include "base/environment.hpp"
#include "base/temporary_folder.hpp"
#include "inherit/injected_variables.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <vector>

using namespace vftr::inherit;

namespace {

// An environment, or nothing at all.
struct Entries {
    Entries(std::initializer_list<std::string> entries) : texts(entries) { list(); }
    explicit Entries(std::vector<std::string> entries) : texts(std::move(entries)) { list(); }
    void list() {
        for (std::string& text : texts)
            pointers.push_back(text.data());
        pointers.push_back(nullptr);
    }
    std::vector<std::string> texts;
    std::vector<char*> pointers;
    char* const* get() const { return pointers.data(); }
};

std::vector<std::string> texts_of(char* const* environment) {
    std::vector<std::string> texts;
    for (; environment && *environment; ++environment)
        texts.emplace_back(*environment);
    return texts;
}

using Texts = std::vector<std::string>;

struct Result {
    Texts entries; // but for VFTR_HANDED_ON
    std::string action;
    bool same; // the original one
    std::string marker;
    Injected injected(const char* entry) const {
        return vftr::inherit::injected(marker.empty() ? nullptr : marker.c_str(), entry);
    }
};

Result make(const InheritedEnvironment& inherited, char* const* original, const Entries& own,
            std::string_view parent = "") {
    std::size_t bytes = scratch_needed(inherited, original, own.get(), parent);
    std::vector<char*> scratch(bytes / sizeof(char*) + 1);
    Plan plan = child_environment(inherited, original, own.get(), parent, scratch.data(), bytes);
    Result result{texts_of(plan.environment), plan.action, plan.environment == original, {}};
    if (const char* value = marker_in(plan.environment)) {
        result.marker = value;
        CHECK(std::erase(result.entries, std::string(InjectedListVariable) + "=" + value) == 1);
    }
    return result;
}
Result make(const InheritedEnvironment& inherited, const Entries& original, const Entries& own,
            std::string_view parent = "") {
    return make(inherited, original.get(), own, parent);
}

// A library at a real path, and other names for it.
struct Library {
    Library() {
        path = home + "/libvftrace.so.2.0.0";
        link = home + "/libvftrace.so";
        hard = home + "/other.so";
        std::ofstream(path) << "library";
        std::filesystem::create_symlink(path, link);
        std::filesystem::create_hard_link(path, hard);
        struct stat status;
        ::stat(path.c_str(), &status);
        inherited.follow = inherited.propagate = inherited.preloaded = true;
        inherited.library = path.c_str();
        inherited.library_device = status.st_dev;
        inherited.library_inode = status.st_ino;
    }
    vftr::base::TemporaryFolder folder;
    const std::string home = std::filesystem::canonical(folder.path());
    std::string path, link, hard;
    InheritedEnvironment inherited;
};

InheritedEnvironment linked() {
    InheritedEnvironment inherited;
    inherited.follow = inherited.propagate = true;
    return inherited;
}

} // namespace

TEST_CASE("the child's environment: without following it is the program's own", "[follow][environment]") {
    Library library;
    Entries own{"LD_PRELOAD=" + library.path, "VFTR_X=1"}, child{"A=1"};
    library.inherited.follow = false;
    Result result = make(library.inherited, child, own, "1.2.3.");
    CHECK(result.same);
    CHECK(result.action == "disabled");
    CHECK(scratch_needed(library.inherited, child.get(), own.get(), "1.2.3.") == 0);
    library.inherited.follow = library.inherited.secure = true;
    result = make(library.inherited, child, own, "1.2.3.");
    CHECK(result.same);
    CHECK(result.action == "secure-skip");
}

TEST_CASE("the child's environment: VFTR_OFF for the child is respected", "[follow][environment]") {
    Library library;
    Entries own{"VFTR_X=1"};
    for (const char* off : {"VFTR_OFF=1", "VFTR_OFF=Yes"}) {
        Result result = make(library.inherited, Entries{off}, own, "1.2.3.");
        CHECK(result.same);
        CHECK(result.action == "disabled");
    }
    CHECK(make(library.inherited, Entries{"VFTR_OFF=0"}, own).action == "appended");
}

TEST_CASE("the child's environment: an empty one, or none, gets us and what is set for us", "[follow][environment]") {
    Library library;
    Entries own{"HOME=/root", "VFTR_CONFIG=/c.json",      "LD_LIBRARY_PATH=/lib/a",
                "VFTR_OFF=0", "VFTR_CONFIG=/second.json", "VFTR_odd"};
    Texts expected{"LD_PRELOAD=" + library.path, "LD_LIBRARY_PATH=/lib/a", "VFTR_PARENT=1.2.3.", "VFTR_CONFIG=/c.json",
                   "VFTR_OFF=0"};
    for (Result result :
         {make(library.inherited, Entries{}, own, "1.2.3."), make(library.inherited, nullptr, own, "1.2.3.")}) {
        CHECK(result.entries == expected);
        CHECK(result.action == "appended");
    }
}

TEST_CASE("the child's environment: what it sets itself wins", "[follow][environment]") {
    Entries own{"VFTR_CONFIG=/c.json", "VFTR_EXEC_CHAIN=1", "VFTR_NEW=", "VFTR_PARENT=1.1.1."};
    Result result = make(linked(), Entries{"VFTR_CONFIG=/other.json", "A=1", "VFTR_EXEC_CHAIN="}, own);
    CHECK(result.entries ==
          Texts{"VFTR_CONFIG=/other.json", "A=1", "VFTR_EXEC_CHAIN=", "VFTR_NEW=", "VFTR_PARENT=1.1.1."});
    CHECK(result.action == "unchanged");
}

TEST_CASE("the child's environment: without processes.propagate_env only the parent is passed on",
          "[follow][environment]") {
    InheritedEnvironment inherited = linked();
    inherited.propagate = false;
    inherited.output_directory = "/results";
    Entries own{"VFTR_CONFIG=/c.json", "VFTR_PARENT=1.1.1."};
    CHECK(make(inherited, Entries{"A=1"}, own).entries == Texts{"A=1", "VFTR_PARENT=1.1.1."});
    CHECK(make(inherited, Entries{"A=1"}, own, "2.2.2.").entries == Texts{"A=1", "VFTR_PARENT=2.2.2."});
}

TEST_CASE("the child's environment: a process that has cleared its own one still passes its parent on",
          "[follow][environment]") {
    InheritedEnvironment inherited;
    inherited.follow = true;
    inherited.parent_as_given = "12.34.0.";
    const Entries cleared{}, told{"VFTR_PARENT=56.78.1."};
    REQUIRE(make(inherited, cleared, cleared).entries == Texts{"VFTR_PARENT=12.34.0."});
    REQUIRE(make(inherited, told, cleared).entries == Texts{"VFTR_PARENT=56.78.1."});
    REQUIRE(make(inherited, cleared, told).entries == Texts{"VFTR_PARENT=56.78.1."});
    REQUIRE(make(inherited, cleared, cleared, "90.12.0.").entries == Texts{"VFTR_PARENT=90.12.0."});
}

TEST_CASE("the child's environment: what we add is marked, what the program says is not",
          "[follow][environment][injected]") {
    Library library;
    library.inherited.output_directory = "/results";
    Entries own{"VFTR_CONFIG=/c.json", "VFTR_X=1"};
    Result result = make(library.inherited, Entries{"VFTR_X=2", "LD_PRELOAD=/a.so"}, own, "1.2.3.");
    for (const char* ours : {"VFTR_PARENT=1.2.3.", "VFTR_CONFIG=/c.json", "VFTR_OUTPUT_DIRECTORY=/results"})
        CHECK(result.injected(ours) == Injected::Whole);
    CHECK(result.injected("VFTR_X=2") == Injected::Not);
    CHECK(result.injected(("LD_PRELOAD=/a.so:" + library.path).c_str()) == Injected::Last);
    CHECK(make(library.inherited, Entries{}, own).injected(("LD_PRELOAD=" + library.path).c_str()) == Injected::Whole);
    // One that passes it on as it got it: what was ours is still, and what it has set itself is its own.
    Entries passed{"VFTR_PARENT=1.2.3.", "VFTR_CONFIG=/mine.json", "VFTR_HANDED_ON=" + result.marker};
    Result again = make(library.inherited, passed, Entries{}, "4.5.6.");
    CHECK(again.injected("VFTR_PARENT=4.5.6.") == Injected::Whole);
    CHECK(again.injected("VFTR_CONFIG=/mine.json") == Injected::Not);
    Entries foreign{"VFTR_HANDED_ON=mine", "VFTR_PARENT=1.2.3.", "VFTR_HANDED_ON=" + result.marker};
    again = make(library.inherited, foreign, Entries{}, "4.5.6.");
    CHECK(again.injected("VFTR_PARENT=4.5.6.") == Injected::Whole);
    CHECK(again.entries.front() == "VFTR_HANDED_ON=mine");
}

TEST_CASE("the child's environment: the process's own one passes unchanged where all is said",
          "[follow][environment]") {
    Entries own{"VFTR_PARENT=1.2.3.", "VFTR_CONFIG=/c.json", "VFTR_PARENT=9.9.9."};
    CHECK(make(linked(), own, own, "1.2.3.").same);
    CHECK(make(linked(), own, own).same);
    CHECK(make(linked(), own, own, "1.2.4.").entries == Texts{"VFTR_PARENT=1.2.4.", "VFTR_CONFIG=/c.json"});
}

TEST_CASE("the child's environment: results go to the same folder, unless the child says otherwise",
          "[follow][environment]") {
    InheritedEnvironment inherited = linked();
    inherited.output_directory = "/work/results";
    inherited.output_as_given = "results";
    inherited.config = "/work/c.json";
    inherited.config_as_given = "c.json";
    Entries own{"VFTR_CONFIG=c.json", "VFTR_OUTPUT_DIRECTORY=results"};
    CHECK(make(inherited, own, own).entries ==
          Texts{"VFTR_CONFIG=/work/c.json", "VFTR_OUTPUT_DIRECTORY=/work/results"});
    CHECK(make(inherited, Entries{}, own).entries ==
          Texts{"VFTR_CONFIG=/work/c.json", "VFTR_OUTPUT_DIRECTORY=/work/results"});
    Entries elsewhere{"VFTR_CONFIG=/mine.json", "VFTR_OUTPUT_DIRECTORY=/mine"};
    CHECK(make(inherited, elsewhere, own).same);
    Entries own_config{"VFTR_CONFIG=/mine.json"};
    inherited.output_as_given = nullptr;
    CHECK(make(inherited, own_config, Entries{"VFTR_CONFIG=c.json"}).same);
    CHECK(make(inherited, Entries{"VFTR_CONFIG=c.json"}, Entries{}).entries ==
          Texts{"VFTR_CONFIG=/work/c.json", "VFTR_OUTPUT_DIRECTORY=/work/results"});
}

// Issue: a daemon loses everything, silently: paths that were named by a relative path are looked for elsewhere.
TEST_CASE("the child's environment: what this process got by a relative path becomes absolute",
          "[follow][environment]") {
    InheritedEnvironment inherited = linked();
    inherited.output_directory = "/work/results";
    inherited.output_as_given = "results";
    inherited.trace_path = "/work/trace.csv";
    inherited.trace_as_given = "trace.csv";
    Entries own{"VFTR_EXEC_TRACE_PATH=trace.csv", "VFTR_OUTPUT_DIRECTORY=results"};
    const Texts absolute{"VFTR_EXEC_TRACE_PATH=/work/trace.csv", "VFTR_OUTPUT_DIRECTORY=/work/results"};
    CHECK(make(inherited, own, own).entries == absolute);
    CHECK(make(inherited, Entries{}, own).entries ==
          Texts{"VFTR_OUTPUT_DIRECTORY=/work/results", "VFTR_EXEC_TRACE_PATH=/work/trace.csv"});
    CHECK(make(inherited, Entries{"VFTR_EXEC_TRACE_PATH=mine", "VFTR_OUTPUT_DIRECTORY=mine"}, own).same);
    // With a configuration of its own the child gets the variables as they are there, and nothing else.
    CHECK(
        make(inherited, Entries{"VFTR_CONFIG=/mine.json"}, own).entries ==
        Texts{"VFTR_CONFIG=/mine.json", "VFTR_OUTPUT_DIRECTORY=/work/results", "VFTR_EXEC_TRACE_PATH=/work/trace.csv"});
    inherited.output_as_given = inherited.trace_as_given = nullptr; // named in the configuration
    CHECK(make(inherited, Entries{"VFTR_CONFIG=/mine.json"}, Entries{}).same);
    CHECK(make(inherited, Entries{}, Entries{}).entries ==
          Texts{"VFTR_OUTPUT_DIRECTORY=/work/results", "VFTR_EXEC_TRACE_PATH=/work/trace.csv"});
    inherited.propagate = false;
    CHECK(make(inherited, own, own).same);
}

// Acceptance case 8
// Issue: a child's LD_PRELOAD is reordered, so that AddressSanitizer, which was first in it, ends the child.
TEST_CASE("the child's LD_PRELOAD: the order is the program's, we are in it once, at the end where it has not named us",
          "[follow][environment]") {
    Library library;
    const std::string us = library.path;
    struct Case {
        Texts child;
        Texts expected;
        const char* action;
    };
    const Texts alone{"LD_PRELOAD=" + us};
    for (const Case& c : {
             Case{{"LD_PRELOAD=" + us}, alone, "present"},
             Case{{"LD_PRELOAD=" + us + ":/a.so /b.so"}, {"LD_PRELOAD=" + us + ":/a.so /b.so"}, "present"},
             Case{{"LD_PRELOAD=/a.so:" + us}, {"LD_PRELOAD=/a.so:" + us}, "present"},
             Case{{"LD_PRELOAD= /a.so::" + us + " /b.so:"}, {"LD_PRELOAD= /a.so::" + us + " /b.so:"}, "present"},
             Case{{"LD_PRELOAD=/a.so " + library.link + " /b.so"}, {"LD_PRELOAD=/a.so:" + us + ":/b.so"}, "present"},
             Case{{"LD_PRELOAD=/a.so"}, {"LD_PRELOAD=/a.so:" + us}, "appended"},
             Case{{"LD_PRELOAD= /a.so  /b.so: "}, {"LD_PRELOAD= /a.so  /b.so: :" + us}, "appended"},
             Case{{"LD_PRELOAD="}, alone, "appended"},
             Case{{"LD_PRELOAD=: "}, {"LD_PRELOAD=: :" + us}, "appended"},
             Case{{"X=1", "LD_PRELOAD=/a.so:" + library.link + " " + library.hard + " /b.so:" + us + ":/c.so", "Y=2"},
                  {"X=1", "LD_PRELOAD=/a.so:" + us + ":/b.so:/c.so", "Y=2"},
                  "present"},
             // The dynamic linker takes such a name for one file.
             Case{{"LD_PRELOAD=/a.so\t" + us}, {"LD_PRELOAD=/a.so\t" + us + ":" + us}, "appended"},
             Case{{"LD_PRELOAD=libvftrace.so:libvftrace.so.2:libvftrace.so.2.0.0:libvftrace_x.so:libm.so"},
                  {"LD_PRELOAD=" + us + ":libvftrace_x.so:libm.so"},
                  "present"},
             Case{{"LD_PRELOAD=/a.so", "X=1", "LD_PRELOAD=/b.so:/a.so", "Y=1"},
                  {"LD_PRELOAD=/a.so:/b.so:/a.so:" + us, "X=1", "Y=1"},
                  "appended"},
             Case{{"LD_PRELOAD=/a.so", "LD_PRELOAD=/b.so:" + us + ":/c.so"},
                  {"LD_PRELOAD=/a.so:/b.so:" + us + ":/c.so"},
                  "present"},
             Case{{"LD_PRELOAD", "LD_PRELOAD=/a.so", "LD_PRELOAD"},
                  {"LD_PRELOAD", "LD_PRELOAD=/a.so:" + us, "LD_PRELOAD"},
                  "appended"},
             Case{{"LD_PRELOADED=1", "LD_PRELOAD=" + library.home + "/../" +
                                         std::filesystem::path(library.home).filename().string() + "/libvftrace.so"},
                  {"LD_PRELOADED=1", "LD_PRELOAD=" + us},
                  "present"},
         }) {
        Result result = make(library.inherited, Entries(c.child), Entries{});
        INFO(c.child[0]);
        CHECK(result.entries == c.expected);
        CHECK(result.action == c.action);
    }
}

TEST_CASE("the child's LD_PRELOAD: a replaced library is known by its path, a missing one is not added",
          "[follow][environment]") {
    Library library;
    std::filesystem::remove(library.path);
    std::ofstream(library.path) << "another";
    CHECK(make(library.inherited, Entries{"LD_PRELOAD=" + library.link + ":" + library.hard}, Entries{}).entries ==
          Texts{"LD_PRELOAD=" + library.path});
    std::filesystem::remove(library.path);
    Result result = make(library.inherited, Entries{"LD_PRELOAD=/a.so"}, Entries{});
    CHECK(result.same);
    CHECK(result.action == "unchanged");
}

TEST_CASE("the child's LD_LIBRARY_PATH is ours only where we are new there and it has none", "[follow][environment]") {
    Library library;
    Entries own{"LD_LIBRARY_PATH=/lib/a"};
    CHECK(make(library.inherited, Entries{"LD_LIBRARY_PATH="}, own).entries ==
          Texts{"LD_LIBRARY_PATH=", "LD_PRELOAD=" + library.path});
    CHECK(make(library.inherited, Entries{"LD_PRELOAD=" + library.path}, own).same);
    CHECK(make(linked(), Entries{"A=1"}, own).same);
}

TEST_CASE("the child's environment: where the scratch is too small, it is the program's own", "[follow][environment]") {
    Library library;
    Entries own{"VFTR_CONFIG=/c.json", "LD_LIBRARY_PATH=/lib"}, child{"A=1", "LD_PRELOAD=/a.so"};
    std::vector<char*> scratch(1000);
    std::size_t needed = scratch_needed(library.inherited, child.get(), own.get(), "1.2.3.");
    REQUIRE(needed <= scratch.size() * sizeof(char*));
    bool fits = false;
    for (std::size_t bytes = 0; bytes <= needed; ++bytes) {
        Plan plan = child_environment(library.inherited, child.get(), own.get(), "1.2.3.", scratch.data(), bytes);
        bool failed = std::string(plan.action) == "failed";
        CHECK(failed == (plan.environment == child.get()));
        CHECK((failed || texts_of(plan.environment).size() == 6));
        CHECK((!fits || !failed)); // more room never hurts
        fits = !failed;
    }
    CHECK(fits);
}

TEST_CASE("the child's environment: tens of thousands of entries, and one longer than the kernel takes",
          "[follow][environment]") {
    Library library;
    Texts many;
    for (int i = 0; i < 33000; ++i)
        many.push_back("V" + std::to_string(i) + "=" + std::to_string(i));
    Entries own{"VFTR_CONFIG=/c.json"};
    Result result = make(library.inherited, Entries(many), own, "1.2.3.");
    many.insert(many.end(), {"LD_PRELOAD=" + library.path, "VFTR_PARENT=1.2.3.", "VFTR_CONFIG=/c.json"});
    CHECK(result.entries == many);
    Entries longest{"LD_PRELOAD=/" + std::string(131040, 'a')};
    result = make(library.inherited, longest, own);
    CHECK(result.same);
    CHECK(result.action == "failed");
}
