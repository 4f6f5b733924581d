// SPDX-License-Identifier: BSD-3-Clause
#include "follow/path_search.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

using vftr::follow::search_path;

namespace {

struct Search {
    Search(const char* path, const std::string& file, std::map<std::string, int> errors = {}) {
        const char* before = std::getenv("PATH");
        std::string kept = before ? before : "";
        path ? setenv("PATH", path, 1) : unsetenv("PATH");
        result = search_path(file.c_str(), [&](const char* candidate) {
            tried.emplace_back(candidate);
            auto found = errors.find(candidate);
            return found == errors.end() ? ENOENT : found->second;
        });
        before ? setenv("PATH", kept.c_str(), 1) : unsetenv("PATH");
    }
    int result;
    std::vector<std::string> tried;
};
using Tried = std::vector<std::string>;

} // namespace

TEST_CASE("a program is looked for in every directory of PATH in turn", "[follow][path]") {
    Search missing("/a:/b/c:/d", "x");
    CHECK(missing.result == ENOENT);
    CHECK(missing.tried == Tried{"/a/x", "/b/c/x", "/d/x"});
    Search found("/a:/b:/c", "x", {{"/b/x", 0}});
    CHECK(found.result == 0);
    CHECK(found.tried == Tried{"/a/x", "/b/x"});
}

TEST_CASE("a name with a slash and no name at all are not looked for", "[follow][path]") {
    Search slash("/a", "./x", {{"./x", EPERM}});
    CHECK(slash.result == EPERM);
    CHECK(slash.tried == Tried{"./x"});
    Search empty("/a", "");
    CHECK(empty.result == ENOENT);
    CHECK(empty.tried.empty());
    Search tooLong("/a", std::string(300, 'x'));
    CHECK(tooLong.result == ENAMETOOLONG);
    CHECK(tooLong.tried.empty());
}

TEST_CASE("empty entries of PATH are the working directory, and without PATH there is a default", "[follow][path]") {
    CHECK(Search(":/a:", "x").tried == Tried{"x", "/a/x", "x"});
    CHECK(Search("", "x").tried == Tried{"x"});
    CHECK(Search(nullptr, "x").tried == Tried{"/bin/x", "/usr/bin/x"});
}

TEST_CASE("what may not be executed is passed over but remembered", "[follow][path]") {
    Search later("/a:/b", "x", {{"/a/x", EACCES}, {"/b/x", 0}});
    CHECK(later.result == 0);
    Search never("/a:/b", "x", {{"/a/x", EACCES}});
    CHECK(never.result == EACCES);
    CHECK(never.tried.size() == 2);
    for (int error : {ENOTDIR, ESTALE, ENODEV, ETIMEDOUT})
        CHECK(Search("/a:/b", "x", {{"/a/x", error}}).result == ENOENT);
    Search other("/a:/b", "x", {{"/a/x", E2BIG}});
    CHECK(other.result == E2BIG);
    CHECK(other.tried.size() == 1);
}

TEST_CASE("a directory too long to be one is left out", "[follow][path]") {
    CHECK(Search((std::string(5000, 'a') + ":/b").c_str(), "x").tried == Tried{"/b/x"});
}
