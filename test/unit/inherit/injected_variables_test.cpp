// SPDX-License-Identifier: BSD-3-Clause
#include "inherit/injected_variables.hpp"

#include "base/environment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <vector>

using namespace vftr::inherit;

namespace {

using Texts = std::vector<std::string>;

// What is left of an environment, to which the marker of `ours` is added.
struct TakenOut {
    TakenOut(Texts entries, const std::vector<std::pair<std::string, Injected>>& ours) {
        std::string memory(InjectedList::bytes(ours.size()), '#');
        InjectedList list(memory.data());
        for (const auto& [entry, how] : ours)
            list.add(entry.c_str(), how);
        if (list.entry())
            entries.push_back(list.entry());
        std::vector<char*> pointers;
        for (std::string& entry : entries)
            pointers.push_back(entry.data());
        pointers.push_back(nullptr);
        std::vector<char*> same = pointers;
        remove_injected_variables(pointers.data(), same.data());
        CHECK(pointers == same);
        for (std::size_t i = 0; pointers[i]; ++i) {
            left.emplace_back(pointers[i]);
            if (std::none_of(entries.begin(), entries.end(),
                             [&](const std::string& entry) { return entry.data() == pointers[i]; }))
                std::free(pointers[i]);
        }
        filled = pointers.back() == nullptr && pointers[left.size()] == nullptr;
        take_over_kept();
    }
    // A process keeps the entries until its end; here many tests share one process.
    void take_over_kept() {
        static char* none[] = {nullptr};
        char* const* entries = vftr::base::injected_entries();
        vftr::base::keep_injected_entries(none);
        for (char* const* entry = entries; *entry; ++entry) {
            kept.emplace_back(*entry);
            std::free(*entry);
        }
        if (entries != before)
            std::free(const_cast<char**>(entries));
    }
    char* const* before = vftr::base::injected_entries();
    Texts left, kept;
    bool filled;
};

} // namespace

TEST_CASE("what was handed on: it alone is taken out, and kept", "[follow][injected]") {
    const TakenOut all({"A=1", "VFTR_PARENT=1.2.3.", "VFTR_X=1", "LD_PRELOAD=/us.so", "B=2"},
                       {{"VFTR_PARENT=1.2.3.", Injected::Whole}, {"LD_PRELOAD=/us.so", Injected::Whole}});
    CHECK(all.left == Texts{"A=1", "VFTR_X=1", "B=2"});
    CHECK(all.kept == Texts{"VFTR_PARENT=1.2.3.", "LD_PRELOAD=/us.so"});
    CHECK(all.filled);
}

TEST_CASE("what was handed on: an entry that somebody else has set since stays", "[follow][injected]") {
    const TakenOut set({"VFTR_CONFIG=/mine.json", "VFTR_PARENT=1.2.3."},
                       {{"VFTR_CONFIG=/c.json", Injected::Whole}, {"VFTR_PARENT=1.2.3.", Injected::Whole}});
    CHECK(set.left == Texts{"VFTR_CONFIG=/mine.json"});
    CHECK(set.kept == Texts{"VFTR_PARENT=1.2.3."});
}

TEST_CASE("what was handed on: of the program's own LD_PRELOAD only our library at the end goes",
          "[follow][injected]") {
    for (auto [entry, left] : {std::pair{"LD_PRELOAD=/a.so:/b.so:/us.so", "LD_PRELOAD=/a.so:/b.so"},
                               {"LD_PRELOAD= /a.so : :/us.so", "LD_PRELOAD= /a.so : "},
                               {"LD_PRELOAD=::/us.so", "LD_PRELOAD=:"},
                               {"LD_PRELOAD=/us.so", "LD_PRELOAD="}})
        CHECK(TakenOut({"A=1", entry}, {{entry, Injected::Last}}).left == Texts{"A=1", left});
}

TEST_CASE("what was handed on: nothing is taken out where nobody says so", "[follow][injected]") {
    const Texts given{"VFTR_PARENT=1.2.3.", "LD_PRELOAD=/us.so"};
    CHECK(TakenOut(given, {}).left == given);
    CHECK(TakenOut({"VFTR_PARENT=1.2.3.", "VFTR_HANDED_ON=0123456789abcdef,+0123456789abcdef,=0123456789abcdef"}, {})
              .left == Texts{"VFTR_PARENT=1.2.3."});
}

// Issue: VFTR_HANDED_ON that somebody else has set is taken away from the program's environment.
TEST_CASE("what was handed on: a variable of that name which is none of ours stays, and ours counts beside it",
          "[follow][injected]") {
    for (const char* text : {"", "mine", ",+,12,+0123456789abcde,", "0123456789abcdef,", ",0123456789abcdef",
                             "0123456789abcdef0", "++0123456789abcdef", "0123456789ABCDEF"}) {
        const std::string mine = std::string("VFTR_HANDED_ON=") + text;
        CHECK_FALSE(is_marker(mine.c_str()));
        CHECK(TakenOut({"VFTR_PARENT=1.2.3.", mine}, {}).left == Texts{"VFTR_PARENT=1.2.3.", mine});
        CHECK(TakenOut({"VFTR_PARENT=1.2.3.", mine}, {{"VFTR_PARENT=1.2.3.", Injected::Whole}}).left == Texts{mine});
    }
    CHECK_FALSE(is_marker("VFTR_HANDED_ONE=0123456789abcdef"));
}

TEST_CASE("what was handed on: an entry that cannot be ours is never named", "[follow][injected]") {
    const TakenOut other({"HOME=/root"}, {{"HOME=/root", Injected::Whole}});
    CHECK(other.left == Texts{"HOME=/root"});
    CHECK(injected(nullptr, "VFTR_X=1") == Injected::Not);
}

TEST_CASE("what was handed on: programs that send their environment elsewhere are known by name",
          "[follow][injected]") {
    for (const char* name : {"mpirun", "mpirun.openmpi", "mpiexec.hydra", "srun", "vftr"})
        CHECK(sends_its_environment(name));
    for (const char* name : {"", "sh", "mpirunner", "python3"})
        CHECK_FALSE(sends_its_environment(name));
    CHECK_FALSE(sends_its_environment(nullptr));
}

// Issue: a set-user-ID program that becomes root fully hands the caller's VFTR_* variables on
TEST_CASE("all variables of vftrace are taken out of an environment that nobody trusts", "[inherit]") {
    std::string entries[] = {"VFTR_CONFIG=/x", "A=b", "VFTR_HANDED_ON=other", "XVFTR_CONFIG=c", "VFTR_", "VFTR=d"};
    std::vector<char*> pointers;
    for (std::string& entry : entries)
        pointers.push_back(entry.data());
    pointers.push_back(nullptr);
    std::vector<char*> same = pointers;
    remove_all_variables(pointers.data(), same.data());
    CHECK(pointers == same);
    CHECK(pointers == std::vector<char*>{entries[1].data(), entries[3].data(), entries[5].data(), nullptr, nullptr,
                                         nullptr, nullptr});
    CHECK(*vftr::base::injected_entries() == nullptr); // nothing of them is kept
    remove_all_variables(nullptr, nullptr);
}
