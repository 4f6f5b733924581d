// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/writer.hpp"

#include "base/temporary_folder.hpp"
#include "vfd/image.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace vftr::vfd;

namespace {

struct File {
    std::string path(const char* name = "a.tmpvfd") const { return folder.file(name); }
    vftr::base::TemporaryFolder folder;
};

} // namespace

TEST_CASE("segments are in the file as soon as they are there", "[vfd][writer]") {
    File file;
    auto writer = std::make_unique<Writer>();
    REQUIRE(writer->create(file.path().c_str()) == 0);
    SegmentHeader* segment = writer->allocate(SegmentKind::Config, 0, 0, 10000);
    REQUIRE(segment);
    std::memcpy(payload<char>(segment), "hello", 5);
    segment->used = 5;
    Image image = Image::open(file.path());
    CHECK(image.config_text() == "hello");
    CHECK(std::filesystem::file_size(file.path()) == writer->header().file_end);
}

TEST_CASE("a file that exists is not overwritten", "[vfd][writer]") {
    File file;
    auto first = std::make_unique<Writer>(), second = std::make_unique<Writer>();
    REQUIRE(first->create(file.path().c_str()) == 0);
    CHECK(second->create(file.path().c_str()) == EEXIST);
    CHECK(second->lost());
    CHECK_FALSE(second->created());
    CHECK(second->allocate(SegmentKind::Config, 0, 0, 10) != nullptr); // in memory
    CHECK(second->allocate(SegmentKind::Events, 0, 0, 10) == nullptr);
    second->remove();
    CHECK(std::filesystem::exists(file.path()));
}

TEST_CASE("a path that is too long is an error", "[vfd][writer]") {
    auto writer = std::make_unique<Writer>();
    CHECK(writer->create(("/tmp/" + std::string(5000, 'x')).c_str()) == ENAMETOOLONG);
    CHECK(writer->allocate(SegmentKind::Config, 0, 0, 10) != nullptr);
}

TEST_CASE("the file grows under its new name", "[vfd][writer]") {
    File file;
    auto writer = std::make_unique<Writer>();
    REQUIRE(writer->create(file.path().c_str()) == 0);
    REQUIRE(writer->rename(file.path("b.vfd").c_str()) == 0);
    REQUIRE(writer->allocate(SegmentKind::Config, 0, 0, 10));
    CHECK_FALSE(writer->lost());
    REQUIRE(writer->rename(file.path("c.vfd").c_str()) == 0);
    REQUIRE(writer->allocate(SegmentKind::Config, 0, 1, 10));
    CHECK_FALSE(writer->lost());
    CHECK(Image::open(file.path("c.vfd")).segments().size() == 2);
}

TEST_CASE("another file in its place is not touched", "[vfd][writer]") {
    File file;
    auto writer = std::make_unique<Writer>();
    REQUIRE(writer->create(file.path().c_str()) == 0);
    std::filesystem::remove(file.path());
    auto other = std::make_unique<Writer>();
    REQUIRE(other->create(file.path().c_str()) == 0);
    auto size = std::filesystem::file_size(file.path());
    CHECK(writer->allocate(SegmentKind::Config, 0, 0, 100000) != nullptr);
    CHECK(writer->lost());
    CHECK(std::filesystem::file_size(file.path()) == size);
}

TEST_CASE("segments are found again after others were retired, beyond the number of entries", "[vfd][writer]") {
    File file;
    auto writer = std::make_unique<Writer>();
    REQUIRE(writer->create(file.path().c_str()) == 0);
    SegmentHeader* kept = writer->allocate(SegmentKind::Config, 0, 0, 10);
    writer->remove(); // go on in memory: faster
    unsigned failed = 0;
    for (int i = 0; i < 70000; ++i)
        if (SegmentHeader* segment = writer->allocate(SegmentKind::Stack, 0, 0, 10))
            writer->retire(segment);
        else
            ++failed;
    CHECK(failed == 0);
    std::set<const SegmentHeader*> seen;
    Writer::Reading reading(*writer);
    writer->for_each([&](const SegmentHeader& s, const std::byte*) { seen.insert(&s); });
    CHECK(seen == std::set<const SegmentHeader*>{kept});
}

TEST_CASE("what a reader sees stays mapped while it reads", "[vfd][writer]") {
    File file;
    auto writer = std::make_unique<Writer>();
    REQUIRE(writer->create(file.path().c_str()) == 0);
    std::atomic<bool> stop{false};
    std::thread owner([&] {
        for (std::uint32_t i = 0; !stop; ++i)
            if (SegmentHeader* segment = writer->allocate(SegmentKind::Stack, 7, i, 100))
                writer->retire(segment);
    });
    std::uint64_t wrong = 0;
    for (int i = 0; i < 2000; ++i) {
        Writer::Reading reading(*writer);
        writer->for_each([&](const SegmentHeader& s, const std::byte* payload) {
            wrong += s.thread != 7 || payload != reinterpret_cast<const std::byte*>(&s) + sizeof s;
        });
    }
    stop = true;
    owner.join();
    CHECK(wrong == 0);
}

TEST_CASE("threads that allocate at once get segments of their own", "[vfd][writer]") {
    File file;
    auto writer = std::make_unique<Writer>();
    REQUIRE(writer->create(file.path().c_str()) == 0);
    std::vector<std::thread> threads;
    std::atomic<unsigned> failed{0};
    for (std::uint32_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::uint32_t i = 0; i < 50; ++i) {
                SegmentHeader* s = writer->allocate(SegmentKind::Config, t, i, 5000);
                if (!s) {
                    ++failed;
                    continue;
                }
                std::memset(payload<char>(s), static_cast<int>('a' + t), 5000);
                s->used = 5000;
            }
        });
    for (int i = 0; i < 20; ++i) // MPI_Init meanwhile
        CHECK(writer->rename(file.path(i % 2 ? "b" : "c").c_str()) == 0);
    for (std::thread& thread : threads)
        thread.join();
    CHECK(failed == 0);
    CHECK_FALSE(writer->lost());
    Image image = Image::open(file.path("b"));
    CHECK(image.segments().size() == 200);
    unsigned wrong = 0;
    for (const Segment& segment : image.segments())
        for (std::byte byte : segment.payload)
            wrong += byte != static_cast<std::byte>('a' + segment.header->thread);
    CHECK(wrong == 0);
}

TEST_CASE("a file size limit is no signal: the rest stays in memory", "[vfd][writer]") {
    File file;
    auto writer = std::make_unique<Writer>();
    REQUIRE(writer->create(file.path().c_str()) == 0);
    rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit{8192, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    SegmentHeader* segment = writer->allocate(SegmentKind::Config, 0, 0, 100000);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(segment != nullptr);
    CHECK(writer->lost());
    CHECK((writer->header().flags & FlagFileLost) != 0);
    CHECK(std::filesystem::file_size(file.path()) <= 8192);
}
