// SPDX-License-Identifier: BSD-3-Clause
#include "export/format.hpp"

#include "../analysis/profile_builder.hpp"
#include "exported_text.hpp"
#include "symbols/qualified_name.hpp"

#include <catch2/catch.hpp>

#include "config.h"

#ifdef HAVE_RAPIDJSON

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

namespace {

Subject json_subject() {
    analysis::Profile profile = one_rank(0);
    profile.application = "prog";
    add(profile, "main<init", 1, 100, 1000);
    add(profile, "f \"x\"<main<init", 7, 800, 900);
    add(profile, "f \"x\"<f \"x\"<main<init", 3, 100, 100);
    profile.summary.start_realtime_ns = 1'700'000'000'000'000'001;
    profile.summary.end_realtime_ns = 1'700'000'001'000'000'000;
    return {"prog", {{"all calls", std::move(profile)}}, {"a \"remark\""}, nullptr};
}

// Checks that the text has the part; both are in the message if it has not.
void check_has(const std::string& text, const std::string& part) {
    INFO(text);
    INFO(part);
    CHECK(text.find(part) != text.npos);
}

} // namespace

TEST_CASE("JSON has call paths with their callers, and functions with their outermost inclusive times", "[export]") {
    const std::string text = exported_text("json", json_subject());
    check_has(text, R"("remarks":["a \"remark\""])");
    check_has(text, R"({"id":0,"depth":0,"function":"init","calls":0,)");
    check_has(text, R"({"id":3,"parent":2,"depth":3,"function":"f \"x\"","calls":3,"exclusive_ns":100,)");
    check_has(
        text,
        R"({"function":"f \"x\"","kind":"function","module":"prog","waits":false,"calls":10,"exclusive_ns":900,"inclusive_ns":900,"call_paths":2})");
}

TEST_CASE("JSON has times of day as text and as nanoseconds", "[export]") {
    const std::string text = exported_text("json", json_subject());
    check_has(text, R"("start_time":"2023-11-14T22:13:20.000000001Z","start_time_ns":1700000000000000001,)");
    check_has(text, R"("end_time":"2023-11-14T22:13:21.000000000Z")");
}

TEST_CASE("JSON says what of the numbers is estimated", "[export]") {
    Subject subject = json_subject();
    analysis::PathNode& node = subject.parts[0].profile.nodes[2];
    node.estimated = 5;
    node.unseen = 4;
    node.unseen_error = 1;
    node.unknown = 8; // 1 % of 800
    check_has(
        exported_text("json", subject),
        R"("untimed_calls":5,"estimated_calls":4,"estimated_calls_error":1,"exclusive_uncertainty_percent":1.000,"module":"prog"})");
}

TEST_CASE("JSON has minima and maxima with their ranks where there are several", "[export]") {
    analysis::Profile both = one_rank(0), other = one_rank(1);
    add(both, "main<init", 1, 100, 100);
    add(other, "main<init", 1, 300, 300);
    CHECK(exported_text("json", {"prog", {{"rank 0", both}}, {}, nullptr}).find("_max_") == std::string::npos);
    merge(both, other);
    canonicalise(both);
    check_has(
        exported_text("json", {"prog", {{"all ranks", both}}, {}, nullptr}),
        R"("exclusive_min_ns":100,"exclusive_min_rank":0,"exclusive_max_ns":300,"exclusive_max_rank":1,"inclusive_min_ns":100,)");
}

TEST_CASE("JSON has files and lines, and the modules of qualified functions", "[export]") {
    Subject subject = json_subject();
    const std::string in_plugin = symbols::qualified("h", "plugin.so{1a2b3c4d}");
    add(subject.parts[0].profile, in_plugin + "<main<init", 1, 1, 1);
    subject.places[in_plugin] = {"/home/me/h.c", 7};
    check_has(
        exported_text("json", subject),
        R"({"function":"h","kind":"function","module":"plugin.so","file":"/home/me/h.c","line":7,"waits":false,)");
    check_has(exported_text("json", subject),
              R"("threads":0,"file":"/home/me/h.c","line":7,"kind":"function","module":"plugin.so"})");
}

TEST_CASE("JSON has messages by call path, and the matrix", "[export]") {
    Subject subject = json_subject();
    analysis::Profile& profile = subject.parts[0].profile;
    CHECK(exported_text("json", subject).find("\"messages\"") == std::string::npos);
    profile.summary.mpi = true;
    profile.messages = {{2, {3, 24, 5}, {}}};
    profile.matrix = {{{0, 1 | vfd::ForeignRank, 0, false}, {3, 24, 5}}};
    const std::string text = exported_text("json", subject);
    check_has(
        text,
        R"("messages":[{"path":2,"function":"f \"x\"","sent":{"messages":3,"bytes":24,"message_time_ns":5},"received":{"messages":0,"bytes":0,"message_time_ns":0},"in_calls_ns":900}])");
    check_has(text, R"({"from_rank":0,"to_rank":1,"to_other_job":true,"messages":3,"bytes":24,"message_time_ns":5})");
}

#endif
