// SPDX-License-Identifier: BSD-3-Clause
//
// What make has every file of unit_tests begin with (src/precompiled.am): Catch2's header alone takes more than half of
// the time of a small test.
#ifndef VFTR_TEST_UNIT_PRECOMPILED_HPP
#define VFTR_TEST_UNIT_PRECOMPILED_HPP

#include "../../src/precompiled.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#endif
