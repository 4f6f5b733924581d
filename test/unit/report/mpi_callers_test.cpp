// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.hpp"
#include "report/waits.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::test;

namespace {

using Rows = std::vector<std::string>;

// Sends a message of one byte each call.
void add_mpi(analysis::Profile& profile, const std::string& path, std::uint64_t calls, std::uint64_t ns) {
    add(profile, path, calls, ns, ns);
    profile.nodes[path_index(profile, path)].kind = analysis::NodeKind::Mpi;
    add_sent(profile, path, 0, {calls, calls, ns});
}

analysis::Profile job() {
    analysis::Profile profile = one_rank(0);
    profile.summary.mpi = true;
    profile.world_size = 1;
    add(profile, "init", 1, 0, 100 * Ms);
    add(profile, "main<init", 1, 60 * Ms, 100 * Ms);
    return profile;
}

// Function, caller.
Rows callers(analysis::Profile profile) {
    canonicalise(profile);
    const std::string table = section_of(log_of(profile, {}), "Communication profile");
    const Rows functions = column(table, 6), names = column(table, 7);
    Rows rows;
    for (std::size_t i = 0; i < functions.size(); ++i)
        rows.push_back(functions[i] + " " + names[i]);
    return rows;
}
std::string notes(analysis::Profile profile) {
    canonicalise(profile);
    const std::string table = section_of(log_of(profile, {}), "Communication profile");
    const std::size_t at = table.find("Caller: ");
    return at == table.npos ? "" : table.substr(at);
}

} // namespace

TEST_CASE("The caller of MPI is the first that is not named after the call", "[communication]") {
    analysis::Profile profile = job();
    add_mpi(profile, "MPI_Waitall<hypre_MPI_Waitall<matvec<main<init", 10, 5 * Ms);
    add_mpi(profile, "MPI_Waitall<hypre_MPI_Waitall<relax<main<init", 10, 4 * Ms);
    add_mpi(profile, "MPI_Isend<tools::mpi_isend_<Comm::mpi_isend(double*, int)<relax<main<init", 10, 3 * Ms);
    add_mpi(profile, "MPI_Isend<main<init", 10, 2 * Ms);
    add_mpi(profile, "MPI_Send<about(MPI_Send*)<main<init", 10, 1 * Ms);
    CHECK(callers(profile) == Rows{"MPI_Waitall matvec", "MPI_Waitall relax", "MPI_Isend relax", "MPI_Isend main",
                                   "MPI_Send about(MPI_Send*)"});
    CHECK(
        notes(profile) ==
        "Caller: the first that is no wrapper of MPI; not shown: Comm::mpi_isend(double*, int), hypre_MPI_Waitall, tools::mpi_isend_\n");
    // The runtime profile is of call paths as they are.
    canonicalise(profile);
    const std::string table = section_of(log_of(profile, {}), "Runtime profile");
    CHECK(column(table, 5)[1] == "hypre_MPI_Waitall<matvec");
}

TEST_CASE("The caller of MPI is the first that does not just pass on to it", "[communication]") {
    analysis::Profile profile = job();
    add(profile, "finish<matvec<main<init", 10, 10 * 999, 5 * Ms);
    add_mpi(profile, "MPI_Waitall<finish<matvec<main<init", 8, 5 * Ms);
    add_mpi(profile, "MPI_Wait<finish<matvec<main<init", 2, 4 * Ms);
    analysis::Profile once = profile;
    add(profile, "finish<relax<main<init", 3, 1, 3 * Ms);
    add_mpi(profile, "MPI_Waitall<finish<relax<main<init", 3, 3 * Ms);
    CHECK(callers(profile) == Rows{"MPI_Waitall matvec", "MPI_Wait matvec", "MPI_Waitall relax"});
    CHECK(notes(profile) == "Caller: the first that is no wrapper of MPI; not shown: finish\n");

    // Of one caller it is a part.
    CHECK(callers(once) == Rows{"MPI_Waitall finish", "MPI_Wait finish"});
    CHECK(notes(once).empty());
    // What makes more than one call, calls others too, or takes time itself does more than pass on.
    analysis::Profile more = profile;
    add_mpi(more, "MPI_Irecv<finish<relax<main<init", 1, 1 * Ms);
    CHECK(callers(more) == Rows{"MPI_Waitall finish", "MPI_Wait finish", "MPI_Waitall finish", "MPI_Irecv finish"});
    more = profile;
    add(more, "pack<finish<relax<main<init", 3, 1, 1);
    CHECK(callers(more) == Rows{"MPI_Waitall finish", "MPI_Wait finish", "MPI_Waitall finish"});
    more = profile;
    add(more, "finish<relax<main<init", 0, 1 * Ms, 3 * Ms);
    CHECK(callers(more) == Rows{"MPI_Waitall finish", "MPI_Wait finish", "MPI_Waitall finish"});
}

// Issue: "In tables of wrappers (`MPI_Waitall | hypre_MPI_Waitall` five times) the first caller that is no wrapper is
// shown."
TEST_CASE("A wrapper that is called once or twice is one although its first call takes long", "[communication]") {
    const auto called_by_two = [](std::uint64_t first, std::uint64_t second) { // ns
        analysis::Profile profile = job();
        add(profile, "finish<matvec<main<init", 1, first, 5 * Ms);
        add_mpi(profile, "MPI_Waitall<finish<matvec<main<init", 1, 4 * Ms);
        add(profile, "finish<relax<main<init", 2, second, 3 * Ms);
        add_mpi(profile, "MPI_Waitall<finish<relax<main<init", 2, 3 * Ms);
        return profile;
    };
    const Rows behind = {"MPI_Waitall matvec", "MPI_Waitall relax"},
               itself = {"MPI_Waitall finish", "MPI_Waitall finish"};
    CHECK(callers(called_by_two(24'000, 2'000)) == behind);
    CHECK(callers(called_by_two(900, 25'000)) == behind); // another rank's first call
    CHECK(callers(called_by_two(4'000, 5'000)) == behind);
    // It does something itself.
    CHECK(callers(called_by_two(10'000, 20'000)) == itself);
    CHECK(callers(called_by_two(40'000, 1'000)) == itself);
    CHECK(callers(called_by_two(1'000, 40'000)) == itself);
    // A mean of many calls tells enough.
    analysis::Profile often = called_by_two(40'000, 1'000);
    add(often, "finish<relax<main<init", 100, 1'000, 3 * Ms);
    add_mpi(often, "MPI_Waitall<finish<relax<main<init", 100, 3 * Ms);
    CHECK(callers(often) == behind);
}

TEST_CASE("The callers of waits are no wrappers either", "[waits]") {
    analysis::Profile profile = job();
    add_mpi(profile, "MPI_Barrier<hypre_MPI_Barrier<relax<main<init", 10, 5 * Ms);
    canonicalise(profile);
    analysis::Waits waits;
    waits.clocks_known = true;
    const std::uint32_t path = static_cast<std::uint32_t>(profile.nodes.size()) - 1;
    REQUIRE(analysis::call_path(profile, path).starts_with("MPI_Barrier<"));
    waits.sums = {{path, analysis::WaitState::Collective, 2, 1 * Ms, 1 * Ms, 3, Ms / 2, 1}};
    waits.late = {{path, 1, 50, 3, Ms / 2}};
    const std::string text = report::make_waits(profile, waits, 0);
    const std::string note = "\nCaller: the first that is no wrapper of MPI; not shown: hypre_MPI_Barrier\n";
    CHECK(text.find("MPI_Barrier |  relax | ") != text.npos);
    CHECK(text.find("MPI_Barrier |  relax | ") != text.rfind("MPI_Barrier |  relax | "));
    CHECK(text.find(note) != text.npos);
    CHECK(text.find(note) != text.rfind(note));
}
