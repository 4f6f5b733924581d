// SPDX-License-Identifier: BSD-3-Clause
#include "base/errno_preserved.hpp"

#include <catch2/catch.hpp>

using namespace vftr;

TEST_CASE("errno is what it was when the object began", "[errno]") {
    errno = EINTR;
    {
        const base::ErrnoPreserved preserved;
        errno = ENOMEM;
    }
    CHECK(errno == EINTR);
}

TEST_CASE("errno is what it was before the work", "[errno]") {
    errno = EINTR;
    const int given = base::preserving_errno([] { return errno = ENOMEM; });
    CHECK(errno == EINTR);
    CHECK(given == ENOMEM);
    base::preserving_errno([] { errno = ENOMEM; });
    CHECK(errno == EINTR);
}
