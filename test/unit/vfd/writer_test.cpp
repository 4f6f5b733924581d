// SPDX-License-Identifier: BSD-3-Clause
//
// What the real writer leaves on disk, as the reader sees it. The writer is a large object with the
// life of a process, so it is made on the heap.
#include "vfd/writer.hpp"

#include "base/temporary_folder.hpp"
#include "vfd/image.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vftr;
using vfd::SegmentKind;

namespace {

// Writes `text` as the payload and publishes it.
void fill(vfd::SegmentHeader* segment, const std::string& text) {
    std::memcpy(vfd::payload<char>(segment), text.data(), text.size());
    segment->used = text.size();
}

// Runs `body` in a child process; its exit code.
template <class Body>
int in_child(Body body) {
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), 2); // where the writer's warning goes
        _exit(body());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

TEST_CASE("a reader sees what a writer wrote, before and after the file is moved and sealed") {
    base::TemporaryFolder directory;
    auto writer = std::make_unique<vfd::Writer>();
    REQUIRE(writer->create(directory.file("a.tmpvfd").c_str()) == 0);
    vfd::SegmentHeader* config = writer->allocate(SegmentKind::Config, 0, 0, 100);
    REQUIRE(config);
    fill(config, "{\"off\": false}");
    {
        vfd::Image image = vfd::Image::open(directory.file("a.tmpvfd"));
        CHECK_FALSE(image.closed());
        CHECK(image.header().rank == -1);
        CHECK(image.config_text() == "{\"off\": false}");
    }
    REQUIRE(writer->rename(directory.file("a_0.vfd").c_str()) == 0);
    CHECK(access(directory.file("a.tmpvfd").c_str(), F_OK) != 0);
    vfd::SegmentHeader* large = writer->allocate(SegmentKind::Profile, 0, 0, 300'000);
    REQUIRE(large);
    fill(large, std::string(300'000, 'x'));
    writer->header().state = vfd::FileState::Sealed;
    vfd::Image image = vfd::Image::open(directory.file("a_0.vfd"));
    CHECK(image.closed());
    CHECK(image.segments().size() == 2);
    CHECK(image.profile_bytes().size() == 300'000);
    CHECK(image.profile_bytes().back() == std::byte{'x'});
}

TEST_CASE("a retired segment stays in the file, a discarded one is free") {
    base::TemporaryFolder directory;
    auto writer = std::make_unique<vfd::Writer>();
    REQUIRE(writer->create(directory.file("a").c_str()) == 0);
    vfd::SegmentHeader* first = writer->allocate(SegmentKind::Config, 0, 0, 10);
    vfd::SegmentHeader* second = writer->allocate(SegmentKind::Profile, 0, 0, 10);
    REQUIRE((first && second));
    fill(first, "{}");
    fill(second, "gone");
    writer->retire(first);
    vfd::Writer::discard(second);
    int mapped = 0;
    writer->for_each([&](const vfd::SegmentHeader&, const std::byte*) { ++mapped; });
    CHECK(mapped == 1);
    vfd::Image image = vfd::Image::open(directory.file("a"));
    CHECK(image.config_text() == "{}");
    CHECK(image.profile_bytes().empty());
}

namespace {

// Whether the file system gives back the middle of a file.
bool has_holes(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "w+");
    const bool works = file && fallocate(fileno(file), 0, 0, 1 << 16) == 0 &&
                       fallocate(fileno(file), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 15) == 0;
    if (file)
        std::fclose(file);
    return works;
}

struct stat status_of(const std::string& path) {
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status;
}

} // namespace

TEST_CASE("what a complete segment does not use goes: off the end of the file, out of its middle") {
    constexpr std::size_t Large = 1 << 20;
    base::TemporaryFolder directory;
    const std::string path = directory.file("a");
    auto writer = std::make_unique<vfd::Writer>();
    REQUIRE(writer->create(path.c_str()) == 0);
    vfd::SegmentHeader* first = writer->allocate(SegmentKind::Events, 0, 0, Large);
    vfd::SegmentHeader* living = writer->allocate(SegmentKind::Events, 1, 0, Large);
    vfd::SegmentHeader* last = writer->allocate(SegmentKind::Events, 2, 0, Large);
    REQUIRE((first && living && last));
    fill(first, "first");
    fill(living, "living");
    fill(last, "last");
    const auto size = status_of(path).st_size;
    CHECK(writer->end_growth());
    CHECK_FALSE(writer->allocate(SegmentKind::Events, 3, 0, 10)); // there is nothing more
    writer->retire_cut(first);
    CHECK(status_of(path).st_size == size);
    writer->retire_cut(last);
    CHECK(status_of(path).st_size < size - static_cast<off_t>(Large) + 8192);
    CHECK(static_cast<off_t>(writer->header().file_end) == status_of(path).st_size);
    writer->trim_tails(100'000);
    if (has_holes(directory.file("b"))) {
        const std::uint64_t blocks = static_cast<std::uint64_t>(status_of(path).st_blocks) * 512;
        CHECK(blocks < 200'000);
        CHECK(blocks > 100'000);
    }
    std::memset(vfd::payload<char>(living) + Large / 2, 'x', 10); // a late thread
    writer->header().state = vfd::FileState::Sealed;
    const vfd::Image image = vfd::Image::open(path);
    std::string texts;
    for (const vfd::Segment& segment : image.segments())
        texts += std::string(reinterpret_cast<const char*>(segment.payload.data()), segment.payload.size()) + ' ';
    CHECK(texts == "first living last ");
}

TEST_CASE("an existing file is left alone") {
    base::TemporaryFolder directory;
    auto first = std::make_unique<vfd::Writer>(), second = std::make_unique<vfd::Writer>();
    REQUIRE(first->create(directory.file("a").c_str()) == 0);
    CHECK(second->create(directory.file("a").c_str()) == EEXIST);
    CHECK(second->lost());
    CHECK_FALSE(second->created());
    second->remove();
    CHECK(access(directory.file("a").c_str(), F_OK) == 0);
}

TEST_CASE("a file that may not grow keeps what it has, and the rest stays in memory") {
    base::TemporaryFolder directory;
    std::string path = directory.file("a");
    int code = in_child([&] {
        auto writer = std::make_unique<vfd::Writer>();
        rlimit limit{64 * 1024, 64 * 1024};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || writer->create(path.c_str()) != 0)
            return 1;
        fill(writer->allocate(SegmentKind::Config, 0, 0, 10), "{}");
        vfd::SegmentHeader* beyond = writer->allocate(SegmentKind::Profile, 0, 0, 1 << 20);
        if (!beyond || !writer->lost())
            return 2;
        fill(beyond, "in memory");
        if (writer->allocate(SegmentKind::Events, 0, 0, 100))
            return 3; // events need no memory where they cannot be kept
        return writer->header().flags & vfd::FlagFileLost ? 0 : 4;
    });
    CHECK(code == 0);
    vfd::Image image = vfd::Image::open(path);
    CHECK(image.header().flags & vfd::FlagFileLost);
    CHECK(image.config_text() == "{}");
    CHECK(image.profile_bytes().empty());
}

TEST_CASE("a file that cannot begin leaves nothing behind") {
    base::TemporaryFolder directory;
    std::string path = directory.file("a");
    int code = in_child([&] {
        auto writer = std::make_unique<vfd::Writer>();
        rlimit limit{100, 100};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            return 1;
        if (writer->create(path.c_str()) != EFBIG || !writer->lost())
            return 2;
        return writer->allocate(SegmentKind::Config, 0, 0, 10) ? 0 : 3;
    });
    CHECK(code == 0);
    CHECK(access(path.c_str(), F_OK) != 0);
}

TEST_CASE("a file that was replaced is not written to") {
    base::TemporaryFolder directory;
    std::string path = directory.file("a");
    int code = in_child([&] {
        auto writer = std::make_unique<vfd::Writer>();
        if (writer->create(path.c_str()) != 0 || unlink(path.c_str()) != 0)
            return 1;
        std::FILE* other = std::fopen(path.c_str(), "w");
        std::fputs("something else", other);
        std::fclose(other);
        return writer->allocate(SegmentKind::Config, 0, 0, 10) && writer->lost() ? 0 : 2;
    });
    CHECK(code == 0);
    std::FILE* other = std::fopen(path.c_str(), "r");
    char text[100] = {};
    CHECK(std::fread(text, 1, sizeof text, other) == 14);
    std::fclose(other);
}

// Issue: A live recording to which somebody appends bytes: SIGSEGV.
TEST_CASE("bytes that somebody appends to a recording do not become records") {
    base::TemporaryFolder directory;
    const std::string path = directory.file("a.tmpvfd");
    auto writer = std::make_unique<vfd::Writer>();
    REQUIRE(writer->create(path.c_str()) == 0);
    {
        std::ofstream file(path, std::ios::app | std::ios::binary);
        file << std::string(50'000, 'x');
    }
    for (std::size_t bytes : {100, 30'000, 300'000}) {
        vfd::SegmentHeader* segment = writer->allocate(SegmentKind::Profile, 0, 0, bytes);
        REQUIRE(segment);
        const char* payload = vfd::payload<char>(segment);
        CHECK(std::count(payload, payload + bytes, '\0') == static_cast<std::ptrdiff_t>(bytes));
        std::memset(vfd::payload<char>(segment), 'y', bytes); // which the next one must not take away
        segment->used = bytes;
    }
    vfd::Image image = vfd::Image::open(path);
    CHECK(image.header().file_end > 330'000);
}

// Issue: RLIMIT_NOFILE=0 (sshd's sandbox): lost though the descriptor is open, also at a normal end.
TEST_CASE("a recording grows where no descriptor may be opened any more") {
    base::TemporaryFolder directory;
    const std::string path = directory.file("a.tmpvfd");
    const int code = in_child([&] {
        auto writer = std::make_unique<vfd::Writer>();
        const rlimit none{0, 0};
        if (writer->create(path.c_str()) != 0 || setrlimit(RLIMIT_NOFILE, &none) != 0)
            return 1;
        vfd::SegmentHeader* large = writer->allocate(SegmentKind::Config, 0, 0, 300'000);
        if (!large || writer->lost())
            return 2;
        fill(large, std::string(300'000, 'x'));
        return 0;
    });
    REQUIRE(code == 0);
    CHECK(vfd::Image::open(path).config_text() == std::string(300'000, 'x'));
}
