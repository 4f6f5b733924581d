// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: triggers: start/stop recording at a function's nth call.
#include "filter/triggers.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using filter::Triggers;
using record::TriggerAction;

TEST_CASE("A trigger acts at the nth call and at no other") {
    Triggers triggers({{"f", 3, "stop"}});
    CHECK(triggers.any());
    CHECK_FALSE(triggers.begins_stopped());
    const std::uint32_t first[] = {0};
    for (int call = 1; call <= 5; ++call)
        CHECK(triggers.called(first) == (call == 3 ? TriggerAction::Stop : TriggerAction::None));
}

TEST_CASE("Triggers of one function count apart") {
    Triggers triggers({{"f", 2, "start"}, {"f", 4, "stop"}});
    CHECK(triggers.begins_stopped());
    const std::uint32_t both[] = {0, 1};
    CHECK(triggers.called(both) == TriggerAction::None);
    CHECK(triggers.called(both) == TriggerAction::Start);
    CHECK(triggers.called(both) == TriggerAction::None);
    CHECK(triggers.called(both) == TriggerAction::Stop);
}

TEST_CASE("The calls of a trigger are known up to the one at which it acts") {
    Triggers triggers({{"f", 2, "start"}, {"g", 4, "stop"}});
    const std::uint32_t both[] = {0, 1};
    for (int call = 0; call < 3; ++call)
        triggers.called(both);
    CHECK(triggers.calls_so_far() == std::vector<vfd::ExpressionUse>{{"filter.triggers[0] (start)", "f", 2, 2},
                                                                     {"filter.triggers[1] (stop)", "g", 3, 4}});
}

TEST_CASE("Only where the first trigger is a start does the recording begin stopped") {
    CHECK_FALSE(Triggers({}).begins_stopped());
    CHECK_FALSE(Triggers({{"f", 1, "stop"}, {"f", 2, "start"}}).begins_stopped());
    CHECK(Triggers({{"f", 1, "start"}, {"f", 2, "stop"}}).begins_stopped());
}
