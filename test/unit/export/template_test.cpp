// SPDX-License-Identifier: BSD-3-Clause
//
// The template for formats does what it says.
#include "../analysis/profile_builder.hpp"
#include "../analysis/recorded_program.hpp"
#include "exported_text.hpp"
#include "write_template.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

TEST_CASE("the template for formats writes call paths, and calls of a timeline", "[export]") {
    analysis::Profile profile = one_rank(0);
    add(profile, "main<init", 1, 100, 1000);
    add(profile, "f<main<init", 7, 900, 900);
    Subject subject{"prog", {{"all calls", std::move(profile)}}, {"a remark"}, nullptr};
    subject.places["f"] = {"/src/a.c", 42};
    CHECK(text_by(write_template, subject) ==
          "# a remark.\n# all calls\n0 init 0 0\n1 main 1 100\n2 f 7 900 /src/a.c:42\n");
    CHECK(find_format("template") == nullptr);

    const RecordedProgram recorded({program(nested_calls())});
    subject.timeline = &recorded.run;
    const std::string text = text_by(write_template, subject);
    CHECK(text.starts_with("# a remark.\n2000 3000 0 0 zeta\n5000 8000 0 0 deep\n"));
}
