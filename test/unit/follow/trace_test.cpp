// SPDX-License-Identifier: BSD-3-Clause
#include "follow/trace.hpp"

#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace vftr::follow;

namespace {

struct TraceFolder : vftr::base::TemporaryFolder {
    std::string file() const { return TemporaryFolder::file("trace.csv"); }
    std::string contents() const {
        std::ifstream stream(file(), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
};

const TraceRow Row{"exec-failed", "/bin/prog", true, "ok", false, "appended", -1, ENOENT};
const std::string Header =
    "time,event,path,pid,checkpoint_enabled,checkpoint_result,chain_enabled,ld_preload_action,exec_result,errno\n";

} // namespace

TEST_CASE("a row of the exec trace, with the header where the file is empty", "[follow][trace]") {
    TraceFolder folder;
    errno = 77;
    trace(folder.file().c_str(), Row);
    trace(folder.file().c_str(), Row);
    CHECK(errno == 77);
    std::string row =
        "[0-9]+\\.[0-9]{9},exec-failed,/bin/prog," + std::to_string(getpid()) + ",true,ok,false,appended,-1,2\n";
    CHECK(std::regex_match(folder.contents(), std::regex(Header + row + row)));
}

TEST_CASE("paths in the exec trace are quoted where CSV needs it, however long", "[follow][trace]") {
    TraceFolder folder;
    TraceRow row = Row;
    row.path = "/a,b \"c\"\nd";
    trace(folder.file().c_str(), row);
    CHECK(folder.contents().find(",\"/a,b \"\"c\"\"\nd\",") != std::string::npos);
    std::string quotes(5000, '"');
    row.path = quotes.c_str();
    trace(folder.file().c_str(), row);
    CHECK(folder.contents().find(",\"" + quotes + quotes + "\"," + std::to_string(getpid()) +
                                 ",true,ok,false,appended,-1,2\n") != std::string::npos);
    row.path = nullptr;
    trace(folder.file().c_str(), row);
    CHECK(folder.contents().find(",exec-failed,," + std::to_string(getpid())) != std::string::npos);
}

TEST_CASE("the exec trace waits for nobody: a FIFO, a locked file and what is no file get no row", "[follow][trace]") {
    TraceFolder folder;
    SECTION("a FIFO that nobody reads") {
        REQUIRE(::mkfifo(folder.file().c_str(), 0600) == 0);
        trace(folder.file().c_str(), Row);
    }
    SECTION("a FIFO that somebody may read, full or not") {
        REQUIRE(::mkfifo(folder.file().c_str(), 0600) == 0);
        int reader = ::open(folder.file().c_str(), O_RDONLY | O_NONBLOCK);
        trace(folder.file().c_str(), Row);
        char byte;
        CHECK(::read(reader, &byte, 1) == 0);
        ::close(reader);
    }
    SECTION("a locked file") {
        int holder = ::open(folder.file().c_str(), O_RDWR | O_CREAT, 0600);
        REQUIRE(::flock(holder, LOCK_EX) == 0);
        trace(folder.file().c_str(), Row);
        CHECK(folder.contents().empty());
        ::close(holder);
        trace(folder.file().c_str(), Row);
        CHECK(folder.contents().starts_with(Header));
    }
    SECTION("a directory, a missing one, no path") {
        trace(folder.path().c_str(), Row);
        trace((folder.path() + "/missing/trace.csv").c_str(), Row);
        trace(nullptr, Row);
        trace("", Row);
        CHECK(std::filesystem::is_empty(folder.path()));
    }
}

TEST_CASE("the exec trace leaves no descriptor open", "[follow][trace]") {
    TraceFolder folder;
    int before = ::dup(0);
    ::close(before);
    trace(folder.file().c_str(), Row);
    int after = ::dup(0);
    ::close(after);
    CHECK(before == after);
}
