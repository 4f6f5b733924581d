// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/own_name.hpp"

#include <catch2/catch.hpp>

using vftr::cli::OwnName;

TEST_CASE("a command has the prefix and suffix of the installed vftr", "[own_name]") {
    const OwnName name = OwnName::of_file("/opt/bin/new-vftr-2");
    CHECK(name.of("vftr") == "new-vftr-2");
    CHECK(name.of("vftr-cc") == "new-vftr-cc-2");
    CHECK(name.command("new-vftr-cc-2") == "vftr-cc");
    CHECK(name.command("new-vftrace_vfd_dump-2") == "vftrace_vfd_dump");
    CHECK(name.command("vftr-cc") == "");
    CHECK(name.command("new-2") == "");
    CHECK(name.command("new--2") == "");
}

TEST_CASE("a file of another name than vftr has neither prefix nor suffix", "[own_name]") {
    for (const char* path : {"/usr/bin/vftr", "vftr", "/usr/bin/profiler", ""}) {
        const OwnName name = OwnName::of_file(path);
        CHECK(name.of("vftr") == "vftr");
        CHECK(name.command("vftr-cc") == "vftr-cc");
    }
}

TEST_CASE("commands in a text of ours have the installed name", "[own_name]") {
    const OwnName name = OwnName::of_file("/opt/bin/new-vftr-2");
    CHECK(vftr::cli::with_name("vftr report shows it (vftr run does)", name) ==
          "new-vftr-2 report shows it (new-vftr-2 run does)");
    CHECK(vftr::cli::with_name("gcc $(vftr flags gcc)\nvftr ab of /usr/vftr x and old-vftr y: vftr", name) ==
          "gcc $(new-vftr-2 flags gcc)\nnew-vftr-2 ab of /usr/vftr x and old-vftr y: vftr");
    CHECK(vftr::cli::with_name("vftr report", OwnName()) == "vftr report");
}
