// SPDX-License-Identifier: BSD-3-Clause
#include "../record/fixture.hpp"
#include "follow/exec.hpp"
#include "follow/mark.hpp"
#include "follow/process_role.hpp"
#include "vfd/format.hpp"

#include <cerrno>
#include <thread>
#include <unistd.h>

using namespace vftr;
using namespace vftr::follow;
using record::recorder;
using vfd::FileState;

namespace {

struct OwnRecording : record::test::Recording {
    OwnRecording() { header().pid = static_cast<std::uint32_t>(getpid()); }
    static vfd::FileHeader& header() { return recorder.writer.header(); }
};

} // namespace

TEST_CASE("an exec is marked, and a failed one leaves no mark", "[follow][mark]") {
    OwnRecording recording;
    vfd::FileHeader& header = recording.header();
    REQUIRE(process_role() == ProcessRole::Recorded);
    REQUIRE(mark_executed());
    CHECK(header.state == FileState::Executed);
    CHECK(header.end.ticks != 0);
    CHECK(header.end.realtime_ns >= header.start.realtime_ns);
    undo_executed();
    CHECK(header.state == FileState::Open);
    CHECK(header.end.ticks == 0);
    CHECK(header.end.realtime_ns == 0);
}

TEST_CASE("of several threads that execute, the last that fails undoes the mark", "[follow][mark]") {
    OwnRecording recording;
    REQUIRE(mark_executed());
    std::thread([] { REQUIRE(mark_executed()); }).join();
    undo_executed();
    CHECK(recording.header().state == FileState::Executed);
    undo_executed();
    CHECK(recording.header().state == FileState::Open);
}

TEST_CASE("a recording that has ended is not marked", "[follow][mark]") {
    OwnRecording recording;
    recorder.phase = record::Phase::Ended;
    recording.header().state = FileState::Sealed;
    recording.header().end.ticks = 5;
    CHECK_FALSE(mark_executed());
    mark_exited(3);
    CHECK(recording.header().state == FileState::Sealed);
    CHECK(recording.header().end.ticks == 5);
}

TEST_CASE("the memory of another process is not marked", "[follow][mark]") {
    OwnRecording recording;
    recording.header().pid = 1;
    CHECK(process_role() == ProcessRole::Borrowed);
    mark_exited(3);
    CHECK(recording.header().state == FileState::Open);
    CHECK(recording.header().flags == 0);
    char program[] = "/nonexistent/program";
    char* arguments[] = {program, nullptr};
    CHECK(execute({Way::Path, program, arguments, arguments + 1}) == -1);
    CHECK(recording.header().state == FileState::Open);
}

TEST_CASE("_exit's mark has the status as the parent sees it", "[follow][mark]") {
    OwnRecording recording;
    mark_exited(0x1ff);
    CHECK(recording.header().state == FileState::Exited);
    CHECK(recording.header().exit_status == 0xff);
    CHECK((recording.header().flags & vfd::FlagExitStatus) != 0);
    CHECK(recording.header().end.ticks != 0);
}

TEST_CASE("a failed exec gives the kernel's errno, and a thread's guard is as before", "[follow][exec]") {
    OwnRecording recording;
    record::test::Thread thread;
    thread.enter(0x10, 0x9000);
    char program[] = "/nonexistent/program";
    char* arguments[] = {program, nullptr};
    for (Way way : {Way::Path, Way::Search, Way::Relative, Way::Call, Way::CallAt}) {
        errno = 0;
        CHECK(execute({way, program, arguments, arguments + 1}) == -1);
        CHECK((errno == ENOENT || errno == ENOSYS)); // qemu-user has no execveat
    }
    errno = 0;
    CHECK(execute({Way::Descriptor, nullptr, arguments, arguments + 1, -1}) == -1);
    CHECK((errno == EINVAL || errno == EBADF));
    CHECK(recording.header().state == FileState::Open);
    CHECK(thread.state().guard == record::GuardReady);
    thread.leave(0x10, 0x9000);
    thread.end();
}
