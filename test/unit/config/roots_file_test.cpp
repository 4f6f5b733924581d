// SPDX-License-Identifier: BSD-3-Clause
#include "config/roots_file.hpp"

#include "base/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace vftr::config;

namespace {

// FOLDER/above/vftrace/secure.json, which is root's.
class Planted {
public:
    Planted() {
        REQUIRE(::chmod(folder_.path().c_str(), 0755) == 0);
        for (const std::string& folder : {above(), inner()}) {
            REQUIRE(::mkdir(folder.c_str(), 0755) == 0);
            REQUIRE(::chmod(folder.c_str(), 0755) == 0);
        }
        std::ofstream(file()) << "{}";
        REQUIRE(::chmod(file().c_str(), 0644) == 0);
    }
    std::string at(const std::string& name) const { return folder_.file(name); }
    std::string above() const { return at("above"); }
    std::string inner() const { return at("above/vftrace"); }
    std::string file() const { return at("above/vftrace/secure.json"); }
    // The reason, "good" or "absent".
    static std::string said(const std::string& path) {
        std::string reason;
        switch (check_roots_file(path, reason)) {
        case RootsFile::Absent:
            return "absent";
        case RootsFile::Good:
            return "good";
        case RootsFile::Refused:
            break;
        }
        return reason;
    }
    std::string said() const { return said(file()); }

private:
    vftr::base::TemporaryFolder folder_;
};

} // namespace

TEST_CASE("a file that is not root's is refused for programs with foreign rights", "[config]") {
    const Planted planted;
    if (::geteuid() == 0)
        REQUIRE(::chown(planted.file().c_str(), 65534, 65534) == 0);
    CHECK(planted.said().ends_with(" does not belong to root"));
    CHECK(Planted::said(planted.at("above/vftrace/none.json")) == "absent");
    CHECK(Planted::said(planted.at("none/vftrace/secure.json")) == "absent");
}

// Issue: secure.json is believed though it is a hard link, or in a folder that others can write to
TEST_CASE("only root can have decided what programs with foreign rights read", "[config]") {
    const Planted planted;
    if (planted.said() != "good") // an ordinary user, or a machine whose /tmp is not root's
        return;
    const std::string file = planted.file(), inner = planted.inner(), above = planted.above();
    const auto with_mode = [&](const std::string& path, mode_t mode) {
        struct stat before {};
        REQUIRE(::stat(path.c_str(), &before) == 0);
        REQUIRE(::chmod(path.c_str(), mode) == 0);
        const std::string said = planted.said();
        REQUIRE(::chmod(path.c_str(), before.st_mode & 07777) == 0);
        return said;
    };
    const std::string written = " can be written by others than root";
    CHECK(with_mode(file, 0664) == file + written);
    CHECK(with_mode(file, 0602) == file + written);
    CHECK(with_mode(inner, 0775) == inner + written);
    CHECK(with_mode(inner, 01777) == inner + written);
    CHECK(with_mode(above, 0757) == above + written);
    CHECK(with_mode(above, 01777) == "good");
    REQUIRE(::chown(above.c_str(), 65534, 0) == 0);
    CHECK(planted.said() == above + " does not belong to root");
    CHECK(with_mode(above, 01777) == above + " does not belong to root");
    REQUIRE(::chown(above.c_str(), 0, 0) == 0);

    REQUIRE(::link(file.c_str(), planted.at("second").c_str()) == 0);
    CHECK(planted.said() == file + " has another name (a hard link)");
    REQUIRE(::unlink(planted.at("second").c_str()) == 0);
    CHECK(planted.said() == "good");

    REQUIRE(::symlink("./above/../above", planted.at("link").c_str()) == 0);
    CHECK(Planted::said(planted.at("link/vftrace/secure.json")) == "good");
    REQUIRE(::chmod(above.c_str(), 0777) == 0);
    CHECK(Planted::said(planted.at("link/vftrace/secure.json")).ends_with(written));
    REQUIRE(::chmod(above.c_str(), 0755) == 0);
    REQUIRE(::lchown(planted.at("link").c_str(), 65534, 65534) == 0);
    CHECK(Planted::said(planted.at("link/vftrace/secure.json")) ==
          planted.at("link") + " is a symbolic link of another user than root");
    REQUIRE(::symlink(inner.c_str(), planted.at("vftrace").c_str()) == 0);
    CHECK(Planted::said(planted.at("vftrace/secure.json")) == planted.at("vftrace") + " is a symbolic link");
    REQUIRE(::symlink(file.c_str(), planted.at("secure.json").c_str()) == 0);
    CHECK(Planted::said(planted.at("secure.json")) == planted.at("secure.json") + " is a symbolic link");
    CHECK(Planted::said(inner) == inner + " is no regular file");
    REQUIRE(::symlink("turns", planted.at("turns").c_str()) == 0);
    CHECK(Planted::said(planted.at("turns/vftrace/secure.json")) == "absent");
}
