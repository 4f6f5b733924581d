// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.hpp"

#include "report/findings/finding.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace vftr;
using namespace vftr::test;
using analysis::Activity;

namespace {

void set(analysis::Profile& profile, Activity activity, std::uint64_t ms) {
    profile.breakdown.times[static_cast<std::size_t>(activity)] = analysis::of_one_rank(ms * Ms, profile.first_rank);
}

void set_kind(analysis::Profile& profile, std::string_view path, analysis::NodeKind kind) {
    profile.nodes[path_index(profile, path)].kind = kind;
}

std::vector<report::Finding> found_in(const analysis::Profile& profile, const analysis::Waits* waits = nullptr) {
    const report::ShownNames names(profile);
    return report::findings(report::Evidence(profile, names, waits, 60));
}

// The texts of a rule, those with most time first.
std::vector<std::string> texts_of(std::string_view rule, const analysis::Profile& profile,
                                  const analysis::Waits* waits = nullptr) {
    std::vector<std::string> texts;
    for (const report::Finding& finding : found_in(profile, waits))
        if (finding.rule->name == rule)
            texts.push_back(finding.text);
    return texts;
}

using Texts = std::vector<std::string>;

analysis::Profile computing(std::uint64_t ms) {
    analysis::Profile profile = one_rank(0);
    set(profile, Activity::Computation, ms);
    return profile;
}

// Rank 0 works 100 ms in relax, rank 1 as long as said; what is left of a second is MPI_Recv below exchange.
analysis::Profile two_ranks(std::uint64_t ms_of_rank_1) {
    analysis::Profile all;
    for (std::int32_t rank = 0; rank < 2; ++rank) {
        const std::uint64_t work = rank == 0 ? 100 : ms_of_rank_1;
        analysis::Profile one = one_rank(rank);
        one.summary.mpi = true;
        add(one, "relax<step<main<init", 10, work * Ms, work * Ms);
        add(one, "MPI_Recv<exchange<step<main<init", 10, (1000 - work) * Ms, (1000 - work) * Ms);
        set_kind(one, "MPI_Recv<exchange<step<main<init", analysis::NodeKind::Mpi);
        set(one, Activity::Computation, work);
        set(one, Activity::PointToPoint, 1000 - work);
        merge(all, one);
    }
    canonicalise(all);
    return all;
}

} // namespace

TEST_CASE("findings: of hot code without hooks nobody knows the number of calls") {
    analysis::Profile profile = computing(1000);
    const std::string path = "[libm.so.6] exp<step<main<init";
    add(profile, path, 0, 600 * Ms, 600 * Ms);
    set_kind(profile, path, analysis::NodeKind::Unhooked);
    CHECK(texts_of("hot_function", profile) == Texts{"[libm.so.6] exp takes 600.0 ms by itself, below step"});
}

TEST_CASE("findings: hot functions are those with most exclusive time, over their call paths") {
    analysis::Profile profile = computing(1000);
    add(profile, "solve<step<main<init", 3000000, 400 * Ms, 400 * Ms);
    add(profile, "solve<main<init", 1, 200 * Ms, 200 * Ms);
    add(profile, "once<main<init", 1, 60 * Ms, 60 * Ms);
    add(profile, "small<main<init", 1, 40 * Ms, 40 * Ms);
    CHECK(texts_of("hot_function", profile) ==
          Texts{"solve takes 600.0 ms by itself, in 3.0 million calls, most of it below step",
                "once takes 60.0 ms by itself, in 1 call, below main"});
    const auto all = found_in(profile);
    CHECK(all.front().share == Approx(0.6));
    CHECK(all.front().node == path_index(profile, "solve<step<main<init"));
}

TEST_CASE("findings: a time that is known to no more than half of itself is none") {
    analysis::Profile profile = computing(1000);
    add(profile, "solve<main<init", 1, 400 * Ms, 400 * Ms);
    CHECK(texts_of("hot_function", profile).size() == 1);
    profile.nodes[path_index(profile, "solve<main<init")].unknown = 210 * Ms;
    CHECK(texts_of("hot_function", profile).empty());
}

TEST_CASE("findings: functions of MPI and waits are not hot functions") {
    analysis::Profile profile = computing(1000);
    for (const char* path : {"MPI_Wait<main<init", "omp barrier<main<init", "paused<main<init"})
        add(profile, path, 1, 300 * Ms, 300 * Ms);
    set_kind(profile, "MPI_Wait<main<init", analysis::NodeKind::Mpi);
    set_kind(profile, "omp barrier<main<init", analysis::NodeKind::OpenMp);
    set_kind(profile, "paused<main<init", analysis::NodeKind::Pause);
    CHECK(texts_of("hot_function", profile).empty());
}

TEST_CASE("findings: a rank that works longer than the others is named, with what all lose") {
    const analysis::Profile uneven = two_ranks(900);
    CHECK(
        texts_of("load_imbalance", uneven) ==
        Texts{"rank 1 works 900.0 ms in relax below step, the ranks on average 500.0 ms: the others may wait for it"});
    const auto all = found_in(uneven);
    const auto found = std::ranges::find(all, "load_imbalance", [](const auto& one) { return one.rule->name; });
    CHECK(found->share == Approx(0.4));
    CHECK(found->rank == 1);
    CHECK(texts_of("load_imbalance", two_ranks(110)).empty());
    CHECK(texts_of("load_imbalance", computing(1000)).empty());
}

TEST_CASE("findings: what only some ranks can call says nothing about ranks with another program") {
    analysis::Profile all;
    for (std::int32_t rank = 0; rank < 2; ++rank) {
        analysis::Profile one = one_rank(rank);
        add(one, rank == 0 ? "work<reader<init" : "work<solver<init", 1, 900 * Ms, 900 * Ms);
        set(one, Activity::Computation, 900);
        merge(all, one);
    }
    canonicalise(all);
    CHECK(texts_of("load_imbalance", all).size() == 2);
    all.applications.resize(2);
    CHECK(texts_of("load_imbalance", all).empty());
}

TEST_CASE("findings: the waits that mpi.show_sync_time tells apart are no work") {
    analysis::Profile all = two_ranks(900);
    const std::uint32_t call = index_at(all, "MPI_Recv<exchange<step<main<init"),
                        sync = index_at(all, "relax<step<main<init");
    all.nodes[sync].parent = call;
    all.nodes[sync].kind = analysis::NodeKind::Region;
    CHECK(texts_of("load_imbalance", all).empty());
    CHECK(texts_of("hot_function", all).empty());
}

TEST_CASE("findings: much time in MPI is told with its path and with the rank that has least of it") {
    CHECK(
        texts_of("communication", two_ranks(900)) ==
        Texts{"MPI takes 1.00 s of all ranks, most of it MPI_Recv below exchange: 1.00 s, of rank 1 only 100.0 ms; it "
              "follows from the load imbalance in relax below step"});
    CHECK(texts_of("communication", two_ranks(110)) ==
          Texts{"MPI takes 1.79 s of all ranks, most of it MPI_Recv below exchange: 1.79 s"});
    analysis::Profile little = two_ranks(900);
    little.breakdown.times[static_cast<std::size_t>(Activity::PointToPoint)].sum = 90 * Ms;
    CHECK(texts_of("communication", little).empty());
}

TEST_CASE("findings: wait states say for whom ranks wait, where timelines tell") {
    const analysis::Profile profile = two_ranks(900);
    const std::uint32_t path = index_at(profile, "MPI_Recv<exchange<step<main<init");
    analysis::Waits waits;
    waits.sums = {{path, analysis::WaitState::LateSender, 10, 800 * Ms, 800 * Ms, 0, 700 * Ms, 1},
                  {path, analysis::WaitState::EarlyExit, 10, 900 * Ms, 800 * Ms, 0, 0, 0}};
    CHECK(texts_of("wait_state", profile, &waits) ==
          Texts{"ranks wait 800.0 ms in MPI_Recv below exchange (late sender, 10 waits), 700.0 ms of it for rank 1; it "
                "follows from the load imbalance in relax below step"});
    CHECK(texts_of("wait_state", profile).empty());
}

TEST_CASE("findings: a cause is told before what follows from it") {
    const auto rules_of = [](const std::vector<report::Finding>& all) {
        Texts rules;
        for (const report::Finding& one : all)
            rules.emplace_back(one.rule->name);
        return rules;
    };
    // The imbalance of 800 ms has less time than MPI with 1.00 s.
    CHECK(rules_of(found_in(two_ranks(900))) == Texts{"hot_function", "load_imbalance", "communication"});
    analysis::Profile other = two_ranks(900); // rank 0 has least of MPI: not for the one that works longest
    const std::uint32_t path = index_at(other, "MPI_Recv<exchange<step<main<init");
    other.extremes[path].exclusive = {100 * Ms, 900 * Ms, 0, 1};
    CHECK(texts_of("communication", other) ==
          Texts{"MPI takes 1.00 s of all ranks, most of it MPI_Recv below exchange: 1.00 s, of rank 0 only 100.0 ms"});
    analysis::Profile little = two_ranks(900);
    for (analysis::PathNode& node : little.nodes)
        if (node.kind == analysis::NodeKind::Mpi)
            node.exclusive *= 2;
    little.breakdown.times[static_cast<std::size_t>(Activity::PointToPoint)].sum = 1700 * Ms;
    CHECK(texts_of("communication", little)
              .front()
              .ends_with("; a part of it follows from the load imbalance in relax below step"));
}

TEST_CASE("findings: ranks that communicate on different paths wait for the one that works longest") {
    analysis::Profile profile = two_ranks(900);
    profile.nodes[index_at(profile, "MPI_Recv<exchange<step<main<init")].ranks = 1;
    CHECK(texts_of("communication", profile) ==
          Texts{"MPI takes 1.00 s of all ranks, most of it MPI_Recv below exchange: 1.00 s"});
    profile.breakdown.outside_mpi = {1000 * Ms, {100 * Ms, 900 * Ms, 0, 1}};
    CHECK(
        texts_of("communication", profile) ==
        Texts{"MPI takes 1.00 s of all ranks, most of it MPI_Recv below exchange: 1.00 s; rank 1 is outside of MPI for "
              "900.0 ms, the ranks on average for 500.0 ms; it follows from the load imbalance in relax below step"});
    profile.breakdown.outside_mpi = {1000 * Ms, {400 * Ms, 600 * Ms, 0, 1}};
    CHECK(texts_of("communication", profile).front().ends_with("1.00 s"));
    analysis::RankStat& no_core = profile.breakdown.times[static_cast<std::size_t>(Activity::NoCore)];
    no_core = {400 * Ms, {0, 400 * Ms, 1, 0}};
    CHECK(texts_of("communication", profile).front().ends_with("1.00 s"));
    no_core = {400 * Ms, {0, 400 * Ms, 0, 1}};
    CHECK(
        texts_of("communication", profile)
            .front()
            .ends_with("; it follows from the load imbalance in relax below step and the waits of rank 1 for a core"));
}

TEST_CASE("findings: many small messages, where they take time") {
    const auto sending = [](std::uint64_t messages, std::uint64_t bytes) {
        analysis::Profile profile = computing(1000);
        add(profile, "MPI_Send<halo<main<init", messages, 50 * Ms, 50 * Ms);
        set_kind(profile, "MPI_Send<halo<main<init", analysis::NodeKind::Mpi);
        add_sent(profile, "MPI_Send<halo<main<init", 1, {messages, messages * bytes, 50 * Ms});
        return texts_of("small_messages", profile);
    };
    CHECK(sending(200000, 8) == Texts{"MPI_Send below halo sends 200000 messages of 8 B on average in 50.0 ms"});
    CHECK(sending(200000, 4096).empty());
    CHECK(sending(500, 8).empty());
}

TEST_CASE("findings: idle threads of OpenMP, with what the program does meanwhile") {
    analysis::Profile profile = computing(1000);
    add(profile, "setup<main<init", 1, 600 * Ms, 600 * Ms);
    add(profile, "omp parallel<main<init", 1, 0, 700 * Ms);
    set_kind(profile, "omp parallel<main<init", analysis::NodeKind::OpenMp);
    add(profile, "work<omp parallel<main<init", 1, 700 * Ms, 700 * Ms);
    CHECK(texts_of("serial_part", profile).empty());
    set(profile, Activity::OpenMpIdle, 500);
    CHECK(texts_of("serial_part", profile) ==
          Texts{"threads of OpenMP have nothing to do for 500.0 ms outside of parallel regions, where most time is in "
                "setup below main: 600.0 ms"});
}

TEST_CASE("findings: regions whose threads wait, and whether they are uneven") {
    analysis::Profile profile = computing(1000);
    add(profile, "omp parallel<main<init", 1, 0, 700 * Ms);
    set_kind(profile, "omp parallel<main<init", analysis::NodeKind::OpenMp);
    const std::uint32_t node = path_index(profile, "omp parallel<main<init");
    profile.regions = {{node, 4, 100 * Ms, 400 * Ms, 200 * Ms, 100 * Ms, 50 * Ms}};
    CHECK(texts_of("openmp_waiting", profile) ==
          Texts{"threads wait 200.0 ms in the region omp parallel below main, 50.0 % of their time there; the busiest "
                "works 100 % more than they do on average"});
    profile.regions = {{node, 4, 100 * Ms, 400 * Ms, 40 * Ms, 90 * Ms, 90 * Ms}};
    CHECK(texts_of("openmp_waiting", profile).empty());
}

TEST_CASE("findings: functions whose hooks take a part of the run that matters") {
    analysis::Profile profile = computing(900);
    set(profile, Activity::Overhead, 100);
    add(profile, "get<main<init", 20000000, 30 * Ms, 30 * Ms);
    profile.nodes[path_index(profile, "get<main<init")].overhead = 90 * Ms;
    CHECK(
        texts_of("costly_hooks", profile) ==
        Texts{"recording get costs 90.0 ms in 20.0 million calls, which do 30.0 ms of work: a filter can leave it out "
              "(vftr filter suggest)"});
    profile.nodes[path_index(profile, "get<main<init")].overhead = 40 * Ms;
    CHECK(texts_of("costly_hooks", profile).empty());
}

TEST_CASE("findings: hooks that make the program another one come before all others") {
    analysis::Profile profile = computing(900);
    profile.summary.cpu = 900 * Ms;
    profile.summary.times.sum.hook_overhead = 301 * Ms;
    profile.summary.times.sum.hook_uncertainty = 100 * Ms;
    add(profile, "solve(int)<main<init", 20, 500 * Ms, 500 * Ms);
    add(profile, "get(int)<main<init", 20000000, 30 * Ms, 30 * Ms);
    profile.nodes[path_index(profile, "get(int)<main<init")].overhead = 301 * Ms;
    CHECK(
        texts_of("hooks", profile) ==
        Texts{
            "hooks took 301.0 ms of 900.0 ms CPU time, which is known to 33 %: this is not a profile of the program as it is without them; "
            "build it with vftr c++ (or the flags of vftr flags g++); if it is, leave out the functions that vftr filter "
            "suggest names"});
    CHECK(found_in(profile).front().rule->name == "hooks");
    profile.summary.cpu_without_samples = 800 * Ms;
    CHECK(texts_of("hooks", profile)
              .front()
              .find("known to 33 %, as there were too few CPU samples to tell (vftr doctor): this is not") !=
          std::string::npos);
    profile.summary.times.sum.hook_uncertainty = 10 * Ms; // by samples
    CHECK(texts_of("hooks", profile).front().starts_with("hooks took 301.0 ms of 900.0 ms CPU time: this is not"));
    profile.nodes[path_index(profile, "get(int)<main<init")].overhead = 299 * Ms;
    CHECK(texts_of("hooks", profile).empty());
}

TEST_CASE("findings: hooks that leave most of the largest functions unknown") {
    analysis::Profile profile = computing(900);
    profile.summary.cpu = 900 * Ms;
    const auto with = [&](int uncertain) {
        for (int i = 0; i < 12; ++i) {
            const std::string path = "f" + std::to_string(i) + "<main<init";
            add(profile, path, 1000, (100 - static_cast<std::uint64_t>(i)) * Ms, 10 * Ms);
            analysis::PathNode& node = profile.nodes[path_index(profile, path)];
            node.overhead = Ms;
            node.unknown = i < uncertain ? 31 * Ms : 0;
        }
        return texts_of("hooks", profile);
    };
    CHECK(with(5).empty());
    CHECK(
        with(6) ==
        Texts{
            "hooks leave the times of 6 of the ten largest functions known to 30 % at best: this is not a profile of the "
            "program as it is without them; build it with vftr cc or fc (or the flags of vftr flags gcc); if it is, leave "
            "out the functions that vftr filter suggest names"});
}

TEST_CASE("findings: threads that are blocked, and threads that wait for a core") {
    analysis::Profile profile = computing(900);
    CHECK(found_in(profile).empty());
    set(profile, Activity::Blocked, 200);
    set(profile, Activity::NoCore, 100);
    CHECK(texts_of("blocked", profile) ==
          Texts{"threads are blocked for 200.0 ms: by input and output, on locks or asleep"});
    CHECK(texts_of("no_core", profile) ==
          Texts{"threads wait 100.0 ms for a core: there are more of them than cores, or other programs run beside"});
}

TEST_CASE("the log begins with what matters, below what ran") {
    analysis::Profile profile = computing(1000);
    add(profile, "solve<main<init", 2, 600 * Ms, 600 * Ms);
    const std::string log = log_of(profile, {});
    const std::string line = "\nWhat matters (in percent of the time of all threads; findings overlap)\n"
                             " 60.0 %  Hot function:   solve takes 600.0 ms by itself, in 2 calls, below main\n\n";
    CHECK(log.find(line) != std::string::npos);
    CHECK(log.find("\nEnd Date:") < log.find(line));
    CHECK(log.find(line) < log.find("\nNr. of MPI ranks:"));
    config::Config config;
    config.findings_show = false;
    CHECK(log_of(profile, config).find("What matters") == std::string::npos);
    CHECK(log_of(computing(1000), {}).find("What matters") == std::string::npos);
}
