// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"
#include "record/hot/decision_update.hpp"
#include "record/hot/filter_decisions.hpp"

using namespace vftr;
using namespace vftr::record;
using namespace vftr::record::test;

namespace {

constexpr std::uint64_t F = 0x10, G = 0x20, H = 0x30;

std::vector<std::uint64_t> asked;
std::uint8_t excluded_if_asked(std::uint64_t function, std::uint16_t) {
    asked.push_back(function);
    return DecisionExcluded;
}

} // namespace

TEST_CASE("when a decision changes a thread looks at the paths of that function alone") {
    Recording recording;
    Thread thread;
    for (const std::uint64_t outer : {F, H}) {
        thread.enter(outer, 0x9000);
        thread.enter(G, 0x8000);
        thread.leave(G, 0x8000);
        thread.leave(outer, 0x9000);
    }
    recorder.settings.decision_before = excluded_if_asked;
    asked.clear();
    const std::uint64_t seen = thread.state().decisions_seen = recorder.decision_changes.count();
    decision_has_changed(G);
    follow_decisions(thread.state(), base::read_ticks());
    CHECK(asked == std::vector<std::uint64_t>{G, G});
    CHECK(thread.state().decisions_seen == seen + 1);
    for (std::uint32_t id = 1; id < thread.node_count(); ++id)
        CHECK((thread.node(id).countdown == vfd::CountdownUnrecorded) == (thread.node(id).key == G));
    decision_has_changed(ChangedFunctions::Any);
    follow_decisions(thread.state(), base::read_ticks());
    CHECK(asked.size() == 2 + 4);
}

TEST_CASE("a thread is told of the functions whose decisions have changed since it looked, and of no other") {
    ChangedFunctions changes;
    CHECK(changes.count() == 0);
    CHECK_FALSE(changes.may_have(0x1000, 0, 0, 0));
    changes.add(0x1000);
    changes.add(0x2000);
    CHECK(changes.count() == 2);
    CHECK(changes.may_have(0x1000, 0, 0, 2));
    CHECK(changes.may_have(0x2000, 0, 0, 2));
    CHECK_FALSE(changes.may_have(0x3000, 0, 0, 2));
    CHECK_FALSE(changes.may_have(0x1000, 0, 1, 2));
    CHECK_FALSE(changes.may_have(0x2000, 0, 0, 1));
    changes.add(ChangedFunctions::Any);
    CHECK(changes.may_have(0x3000, 0, 2, 3));
    changes.add(ChangedFunctions::all_of(7));
    CHECK(changes.may_have(0x3000, 7, 3, 4));
    CHECK_FALSE(changes.may_have(0x3000, 8, 3, 4));
    CHECK_FALSE(changes.may_have(0x3000, 0, 3, 4));
    CHECK_FALSE(changes.may_have(0x3000, 0, 0, 2));
}

TEST_CASE("of more changes than are kept any function may be one") {
    ChangedFunctions changes;
    for (std::uint64_t i = 1; i <= 3 * ChangedFunctions::Kept; ++i)
        changes.add(i * 16);
    const std::uint32_t count = changes.count();
    CHECK_FALSE(changes.may_have(1, 0, count - ChangedFunctions::Kept, count));
    CHECK(changes.may_have(1, 0, count - ChangedFunctions::Kept - 1, count));
    CHECK(changes.may_have(1, 0, 0, count));
    CHECK(changes.may_have(1, 0, 0, 1)); // overwritten
    CHECK(changes.may_have(count * 16, 0, count - 1, count));
}
