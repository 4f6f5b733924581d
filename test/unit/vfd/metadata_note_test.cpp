// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/metadata_note.hpp"

#include <catch2/catch.hpp>

using namespace vftr::vfd;

TEST_CASE("What came of an expression survives the way through a note, whatever the expression holds") {
    for (const ExpressionUse& use : {ExpressionUse{"filter.exclude.functions", "^a: 3 of 4 b$", 1, 1},
                                     ExpressionUse{"filter.triggers[2] (stop)", "", 17, 40}})
        CHECK(expression_use(to_metadata_note(use)) == use);
}

TEST_CASE("Other and damaged remarks say nothing of an expression") {
    for (const char* note :
         {"", "hook calls taken out: 7", "expression ", "expression a", "expression a: ", "expression a: 1 of",
          "expression a: -1 of 2 x", "expression a: 99999999999999999999 of 2 x", "expression a: 1 of 2",
          "an expression a: 1 of 2 x", ": 1 of 2 x"})
        CHECK_FALSE(expression_use(note));
}
