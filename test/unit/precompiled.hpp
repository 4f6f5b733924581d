// SPDX-License-Identifier: BSD-3-Clause
//
// What nearly all unit tests include, compiled once: Catch2's header alone takes more than half of the time of a small test. Make builds it
// and has every file of unit_tests begin with it (test/room.am); where the compiler cannot use what was built, it reads this text.
#ifndef VFTR_TEST_UNIT_PRECOMPILED_HPP
#define VFTR_TEST_UNIT_PRECOMPILED_HPP

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#endif
