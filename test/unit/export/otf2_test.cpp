// SPDX-License-Identifier: BSD-3-Clause
#include "export/format.hpp"
#include "export/otf2/communicators.hpp"
#include "export/otf2/mpi.hpp"
#include "export/otf2/regions.hpp"

#include "../analysis/recorded_program.hpp"
#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <otf2/otf2.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

namespace {

namespace fs = std::filesystem;

enum MpiNode : std::uint32_t { MpiMain = 1, Isend, Irecv, Wait, Bcast, Put, Ibcast };

// A rank that calls MPI functions in main.
ImageBuilder mpi_rank(std::int32_t rank, const EventEncoder& events) {
    ImageBuilder b;
    b.header.flags = vfd::FlagSampling | vfd::FlagAllEvents | vfd::FlagMpi;
    b.header.rank = rank;
    b.header.size = 4;
    b.header.pid = 100 + static_cast<std::uint32_t>(rank);
    b.name(10, "main");
    std::vector<vfd::Node> nodes = {ImageBuilder::root(), ImageBuilder::function(Root, 10)};
    for (const char* name : {"MPI_Isend", "MPI_Irecv", "MPI_Wait", "MPI_Bcast", "MPI_Put", "MPI_Ibcast"}) {
        const std::uint64_t key = vfd::NamedKey | nodes.size();
        b.name(key, name, vfd::NodeKind::Mpi);
        nodes.push_back(ImageBuilder::function(MpiMain, key));
        nodes.back().kind = vfd::NodeKind::Mpi;
    }
    // 1: world, 2: the ranks 3 and 1, 3: the ranks 0 and 2
    b.group(1, {{0, 1, 4}}).group(2, {{3, -2, 2}}).group(3, {{0, 2, 2}});
    b.thread(0, nodes).events(0, events);
    return b;
}

// The events of an archive as lines.
struct Read {
    std::string lines;
    std::uint64_t locations = 0;
    std::string source_lines; // of the regions
};

void add(void* read, OTF2_LocationRef location, OTF2_TimeStamp ns, const std::string& what) {
    static_cast<Read*>(read)->lines += std::to_string(location) + ' ' + std::to_string(ns / 1000) + ' ' + what + '\n';
}
std::string numbers(std::initializer_list<std::uint64_t> all) {
    std::string text;
    for (const std::uint64_t number : all)
        text += ' ' + std::to_string(number);
    return text;
}

OTF2_CallbackCode take_location(void* read, OTF2_LocationRef, OTF2_StringRef, OTF2_LocationType, std::uint64_t,
                                OTF2_LocationGroupRef) {
    ++static_cast<Read*>(read)->locations;
    return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode take_region(void* read, OTF2_RegionRef, OTF2_StringRef, OTF2_StringRef, OTF2_StringRef,
                              OTF2_RegionRole, OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef, std::uint32_t line,
                              std::uint32_t) {
    static_cast<Read*>(read)->source_lines += numbers({line});
    return OTF2_CALLBACK_SUCCESS;
}
#define EVENT(name, ...)                                                                                               \
    OTF2_CallbackCode take_##name(OTF2_LocationRef location, OTF2_TimeStamp ns, std::uint64_t, void* read,             \
                                  OTF2_AttributeList* __VA_OPT__(, ) __VA_ARGS__)
EVENT(enter, OTF2_RegionRef) {
    add(read, location, ns, "enter");
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(leave, OTF2_RegionRef) {
    add(read, location, ns, "leave");
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(isend, std::uint32_t to, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
    add(read, location, ns, "isend" + numbers({to, comm, tag, bytes, request}));
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(isend_complete, std::uint64_t request) {
    add(read, location, ns, "isend complete" + numbers({request}));
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(irecv_request, std::uint64_t request) {
    add(read, location, ns, "irecv request" + numbers({request}));
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(irecv, std::uint32_t from, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
    add(read, location, ns, "irecv" + numbers({from, comm, tag, bytes, request}));
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(collective_begin) {
    add(read, location, ns, "collective begin");
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(collective_end, OTF2_CollectiveOp operation, OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
      std::uint64_t received) {
    add(read, location, ns, "collective end" + numbers({operation, comm, root, sent, received}));
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(put, OTF2_RmaWinRef, std::uint32_t remote, std::uint64_t bytes, std::uint64_t) {
    add(read, location, ns, "put" + numbers({remote, bytes}));
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(window, OTF2_RmaWinRef) {
    add(read, location, ns, "window");
    return OTF2_CALLBACK_SUCCESS;
}
EVENT(no_window, OTF2_RmaWinRef) {
    add(read, location, ns, "no window");
    return OTF2_CALLBACK_SUCCESS;
}
#undef EVENT

Read read_archive(const std::string& folder) {
    Read read;
    OTF2_Reader* reader = OTF2_Reader_Open((folder + "/traces.otf2").c_str());
    REQUIRE(reader);
    REQUIRE(OTF2_Reader_SetSerialCollectiveCallbacks(reader) == OTF2_SUCCESS);
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks* of_definitions = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(of_definitions, take_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(of_definitions, take_region);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, of_definitions, &read);
    std::uint64_t count = 0;
    REQUIRE(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) == OTF2_SUCCESS);
    for (std::uint64_t id = 0; id < read.locations; ++id)
        OTF2_Reader_SelectLocation(reader, id);
    REQUIRE(OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS);
    OTF2_EvtReaderCallbacks* of_events = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(of_events, take_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(of_events, take_leave);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(of_events, take_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(of_events, take_isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(of_events, take_irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(of_events, take_irecv);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(of_events, take_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(of_events, take_collective_end);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(of_events, take_put);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(of_events, take_window);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(of_events, take_no_window);
    for (std::uint64_t id = 0; id < read.locations; ++id) {
        OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, id);
        REQUIRE(OTF2_Reader_RegisterEvtCallbacks(reader, events, of_events, &read) == OTF2_SUCCESS);
        REQUIRE(OTF2_Reader_ReadAllLocalEvents(reader, events, &count) == OTF2_SUCCESS);
        OTF2_Reader_CloseEvtReader(reader, events);
    }
    OTF2_EvtReaderCallbacks_Delete(of_events);
    OTF2_GlobalDefReaderCallbacks_Delete(of_definitions);
    OTF2_Reader_CloseEvtFiles(reader);
    REQUIRE(OTF2_Reader_Close(reader) == OTF2_SUCCESS);
    return read;
}

Read written(const RecordedProgram& recorded) {
    const base::TemporaryFolder folder;
    Subject subject{"prog", {}, {"a \"remark\""}, nullptr};
    subject.timeline = &recorded.run;
    subject.places["alpha"] = {"alpha.c", 12};
    find_format("otf2")->write_folder(subject, {}, folder.path());
    return read_archive(folder.path());
}

} // namespace

TEST_CASE("MPI functions are known to OTF2 by their names", "[export]") {
    CHECK(otf2_mpi_function("MPI_Bcast").collective == OTF2_COLLECTIVE_OP_BCAST);
    CHECK(otf2_mpi_function("MPI_Bcast_c").rooted);
    CHECK(otf2_mpi_function("MPI_Ireduce_scatter_block").collective == OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK);
    CHECK(otf2_mpi_function("MPI_Ireduce_scatter_block").starts);
    CHECK(otf2_mpi_function("MPI_Irecv").starts);
    CHECK(otf2_mpi_function("MPI_Isendrecv_replace").starts);
    CHECK(otf2_mpi_function("MPI_Startall").starts);
    CHECK_FALSE(otf2_mpi_function("MPI_Sendrecv").starts);
    CHECK(otf2_mpi_function("MPI_Get_c").role == OTF2_REGION_ROLE_RMA);
    CHECK(otf2_mpi_function("MPI_Rget").starts);
    for (const char* other : {"MPI_Get_count", "MPI_Init", "MPI_I", "MPI_", "MPI_Info_get", "main", "", "MPI_Recv_init",
                              "MPI_Test_cancelled", "MPI_Request_free"})
        CHECK(otf2_mpi_function(other).role == OTF2_REGION_ROLE_FUNCTION);
    for (const char* makes :
         {"MPI_Win_create_c", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_create_dynamic"})
        CHECK(otf2_mpi_function(makes).windows == 1);
    CHECK(otf2_mpi_function("MPI_Win_free").windows == -1);
    for (const char* other : {"MPI_Win_create_keyval", "MPI_Win_free_keyval", "MPI_Win_fence", "MPI_Put"})
        CHECK(otf2_mpi_function(other).windows == 0);
    CHECK(otf2_mpi_function("MPI_Waitall").role == OTF2_REGION_ROLE_POINT2POINT);
    CHECK_FALSE(otf2_mpi_function("MPI_Waitall").collective);
}

TEST_CASE("an archive has its events in the order of time, and partners as their places in communicators", "[export]") {
    EventEncoder e(us(0));
    e.enter(us(1), MpiMain).enter(us(2), Irecv).leave(us(3)).enter(us(4), Isend).leave(us(5)).enter(us(6), Wait);
    e.message(us(7), {us(4), Isend, 1, 80, 0, 9, vfd::Direction::Send, vfd::Span::Rank, -1, 0, 77});
    e.message(us(8), {us(2), Irecv, 1, 40, 0, 9, vfd::Direction::Receive, vfd::Span::Rank, -1, 0, 77});
    e.leave(us(9)).enter(us(10), Bcast);
    e.message(us(11), {us(10), Bcast, 2, 16, 0, -1, vfd::Direction::Send, vfd::Span::Group, -1, 0, 0});
    e.collective(us(10), us(11), Bcast, 2, 0, 77);
    e.leave(us(12)).enter(us(13), Put);
    e.message(us(14), {us(13), Put, 0, 24, 0, -1, vfd::Direction::Send, vfd::Span::Rank, -1, 0, 0});
    e.leave(us(14)).enter(us(15), Bcast).leave(us(16)).leave(us(20));
    const Read read = written(RecordedProgram({mpi_rank(3, e)}));
    CHECK(read.locations == 4); // of the ranks 0 to 2, there is no timeline
    const std::string root_end = std::to_string(OTF2_COLLECTIVE_ROOT_NONE);
    CHECK(read.lines.starts_with("0 0 enter\n0 1 enter\n"
                                 "0 2 enter\n0 2 irecv request 0\n0 3 leave\n"
                                 "0 4 enter\n0 4 isend 1 1 9 80 1\n0 5 leave\n"
                                 "0 6 enter\n0 7 isend complete 1\n0 8 irecv 1 1 9 40 0\n0 9 leave\n"
                                 "0 10 enter\n0 10 collective begin\n0 11 collective end 1 1 0 32 0\n0 12 leave\n"
                                 "0 13 enter\n0 13 window\n0 13 put 0 24\n0 14 leave\n"
                                 "0 15 enter\n0 16 leave\n0 20 leave\n"));
    CHECK(read.lines.find("no window") != std::string::npos); // at the end, as nothing shows that it is freed
}

TEST_CASE("a message of a collective call counts where it has the time of its end", "[export]") {
    EventEncoder e(us(0));
    e.enter(us(1), MpiMain).enter(us(2), Bcast);
    e.collective(us(2), us(4), Bcast, 1, 2);
    e.message(us(4), {us(4), Bcast, 2, 16, 0, -1, vfd::Direction::Receive, vfd::Span::Rank, -1, 0, 0});
    e.leave(us(5)).leave(us(20));
    CHECK(written(RecordedProgram({mpi_rank(3, e)})).lines.find("0 4 collective end 1 0 2 0 16\n") !=
          std::string::npos);
}

TEST_CASE("calls of a killed process end, and a collective call that has not ended is a call only", "[export]") {
    EventEncoder e(us(0));
    e.enter(us(1), MpiMain).enter(us(2), Irecv).leave(us(3)).enter(us(4), Bcast);
    ImageBuilder killed = mpi_rank(0, e);
    killed.unsealed();
    std::string lines = written(RecordedProgram({std::move(killed)})).lines;
    CHECK(lines.starts_with("0 0 enter\n0 1 enter\n0 2 enter\n0 3 leave\n0 4 enter\n"));
    std::size_t leaves = 0;
    for (std::size_t at = lines.find("leave"); at != std::string::npos; at = lines.find("leave", at + 1))
        ++leaves;
    CHECK(leaves == 4);
    CHECK(lines.find("collective") == std::string::npos);
}

TEST_CASE("communicators are their numbers and members", "[export]") {
    EventEncoder of_1(us(0)), of_0(us(0));
    // The number 5 is that of two communicators, 6 of one between the ranks 3 and 1 and the ranks 0 and 2, 7 is one of
    // which only messages are known.
    of_0.enter(us(1), MpiMain).enter(us(2), Bcast).collective(us(2), us(3), Bcast, 3, 1, 5).leave(us(3));
    of_0.enter(us(4), Bcast).collective(us(4), us(5), Bcast, 2, 1, 6).leave(us(5)).enter(us(6), Isend);
    of_0.message(us(7), {us(6), Isend, 2, 8, 0, 1, vfd::Direction::Send, vfd::Span::Rank, -1, 0, 7}).leave(us(7));
    of_0.leave(us(20));
    of_1.enter(us(1), MpiMain).enter(us(2), Bcast).collective(us(2), us(3), Bcast, 2, 1, 5).leave(us(3));
    of_1.enter(us(4), Bcast).collective(us(4), us(5), Bcast, 3, -1, 6).leave(us(5)).leave(us(20));
    const RecordedProgram recorded({mpi_rank(0, of_0), mpi_rank(1, of_1)});
    Subject subject{"prog", {}, {}, nullptr};
    subject.timeline = &recorded.run;
    const Otf2Regions regions(subject);
    const Otf2Communicators communicators(recorded.run, regions);
    CHECK(communicators.ranks() == 4);
    CHECK_FALSE(communicators.has_window());

    const auto pair = [&](std::uint32_t own, std::uint32_t peer, std::uint32_t number) {
        const auto found = communicators.partner(own, peer, number);
        REQUIRE(found);
        return std::pair(found->communicator, found->rank);
    };
    CHECK(pair(0, 3, 0) == std::pair(0u, 3u));
    CHECK(pair(0, 2, 5).second == 1);
    CHECK(pair(1, 3, 5).second == 0);
    CHECK(pair(0, 2, 5).first != pair(1, 3, 5).first);
    CHECK(pair(0, 1, 6).first == pair(1, 0, 6).first);   // both sides are one communicator,
    CHECK(pair(0, 1, 6).second != pair(1, 0, 6).second); // in which each rank has a place of its own
    CHECK(pair(0, 2, 6).second != pair(0, 0, 6).second);
    CHECK(pair(0, 2, 7).second == 2);
    CHECK(pair(0, 2, 7).first != 0);
    CHECK_FALSE(communicators.partner(0, vfd::ForeignRank | 1, 0));
    CHECK_FALSE(communicators.partner(0, 4, 0));
}

TEST_CASE("regions have their places in the source", "[export]") {
    // init, main, alpha, deep and zeta, in the order of the call tree
    CHECK(written(RecordedProgram({program(nested_calls())})).source_lines == " 0 0 12 0 0");
}

TEST_CASE("a folder that cannot be written is one exception", "[export]") {
    const RecordedProgram recorded({program(nested_calls())});
    Subject subject{"prog", {}, {}, nullptr};
    subject.timeline = &recorded.run;
    CHECK_THROWS_AS(find_format("otf2")->write_folder(subject, {}, "/proc/no/such/folder"), std::runtime_error);
}
