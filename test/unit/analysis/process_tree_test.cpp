// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/processes/process_tree.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>

using namespace vftr;
using analysis::Ending;
using analysis::ProcessNode;
using analysis::ProcessTree;
using analysis::Recording;

namespace {

constexpr std::uint64_t Start = 1'800'000'000'000'000'000, Ms = 1'000'000;

// A process of the host `here` that lived from one moment to another, in ms; it was started at tick 100 + pid.
Recording process(std::uint32_t pid, std::uint64_t from, std::uint64_t to) {
    Recording r;
    r.file = std::to_string(pid) + "." + std::to_string(from) + ".vfd";
    r.pid = pid;
    r.process_start = 100 + pid;
    r.host = "here";
    r.start_realtime_ns = Start + from * Ms;
    r.end_realtime_ns = Start + to * Ms;
    r.executable = "/bin/program";
    r.basename = "program";
    r.ending = Ending::Exit;
    r.closed = true;
    return r;
}

Recording child(Recording r, const Recording& parent) {
    r.parent = vfd::RecordingId{parent.pid, 0, parent.start_realtime_ns};
    r.parent_pid = parent.pid;
    return r;
}

Recording forked(Recording r, std::uint32_t parent_pid) {
    r.forked = true;
    r.parent_pid = parent_pid;
    return r;
}

Recording rank(Recording r, std::int32_t number, std::int32_t size) {
    r.mpi = true;
    r.rank = number;
    r.size = size;
    return r;
}

Recording merged(Recording r) {
    r.merged = true;
    r.file += ".all";
    return r;
}

// "1(2 3>4)": process 1 has the children 2 and 3, which went on as 4; "?5" is missing, "J" a job.
std::string string_of(const ProcessTree& tree, std::uint32_t node) {
    const ProcessNode& n = tree.nodes()[node];
    std::string text = n.kind == ProcessNode::Kind::Missing ? "?" + std::to_string(n.id.pid)
                       : n.kind == ProcessNode::Kind::Job
                           ? "J" + std::to_string(n.ranks) + (tree.recording(node) ? "w" : "")
                           : std::to_string(tree.recording(node)->pid);
    for (std::size_t i = 0; i < n.children.size(); ++i)
        text += (i == 0 ? "(" : " ") + string_of(tree, n.children[i]);
    if (!n.children.empty())
        text += ")";
    if (n.next != analysis::NoNodeIndex)
        text += ">" + string_of(tree, n.next);
    return text;
}

std::string string_of(std::vector<Recording> recordings) {
    const ProcessTree tree(std::move(recordings));
    std::string text;
    for (std::uint32_t root : tree.roots())
        text += (text.empty() ? "" : " | ") + string_of(tree, root);
    return text;
}

} // namespace

TEST_CASE("children stand below the recording that they name, by start", "[process_tree]") {
    const Recording root = process(10, 0, 100);
    const Recording late = child(process(12, 20, 30), root), early = child(process(13, 10, 20), root);
    CHECK(string_of({late, child(process(14, 22, 25), late), root, early}) == "10(13 12(14))");
}

TEST_CASE("the programs of one process follow each other, each with its own children", "[process_tree]") {
    Recording first = process(10, 0, 10);
    first.ending = Ending::Executed;
    const Recording second = child(process(10, 12, 20), first), third = child(process(10, 22, 30), second);
    const Recording of_first = child(process(11, 5, 40), first), of_third = child(process(12, 25, 40), third);
    CHECK(string_of({third, of_third, second, first, of_first}) == "10(11)>10>10(12)");
    SECTION("also where the one in between was not recorded") {
        CHECK(string_of({third, of_third, first}) == "10>10(12)");
    }
    SECTION("also where nothing was handed on: it is the same process") {
        Recording stranger = process(10, 12, 20);
        CHECK(string_of({first, of_first, stranger}) == "10(11)>10");
    }
    SECTION("and where the kernel's start is not known, the name of the predecessor says so") {
        Recording a = first, b = second;
        a.process_start = b.process_start = 0;
        CHECK(string_of({b, a}) == "10>10");
    }
}

TEST_CASE("a pid of another pid namespace is another process", "[process_tree]") {
    Recording first = process(10, 0, 100), second = process(10, 1, 100);
    first.pid_namespace = 1;
    second.pid_namespace = 2;
    Recording child_of_second = forked(process(11, 5, 8), 10);
    child_of_second.pid_namespace = 2;
    CHECK(string_of({first, second, child_of_second}) == "10 | 10(11)");
    SECTION("but one of the same or of none is the same process") {
        second.pid_namespace = child_of_second.pid_namespace = 1;
        CHECK(string_of({first, second, child_of_second}) == "10>10(11)");
    }
}

TEST_CASE("a pid that was used again is another process", "[process_tree]") {
    const Recording first = process(10, 0, 10);
    Recording again = process(10, 5000, 6000);
    again.process_start = 7000;
    SECTION("children named by recording") {
        CHECK(string_of({first, again, child(process(11, 5, 8), first), child(process(12, 5500, 5600), again)}) ==
              "10(11) | 10(12)");
    }
    SECTION("children that know only the pid of their parent") {
        CHECK(string_of({first, again, forked(process(11, 5, 8), 10), forked(process(12, 5500, 5600), 10)}) ==
              "10(11) | 10(12)");
    }
    SECTION("a child between the two lives is of neither") {
        CHECK(string_of({first, again, forked(process(11, 3000, 3100), 10)}) == "10 | ?10(11) | 10");
    }
}

TEST_CASE("who is named and not there keeps its children together", "[process_tree]") {
    const Recording gone = process(9, 0, 100);
    CHECK(string_of({child(process(11, 5, 8), gone), child(process(12, 6, 8), gone)}) == "?9(11 12)");
    CHECK(string_of({forked(process(11, 5, 8), 9), forked(process(12, 6, 8), 9)}) == "?9(11 12)");
    SECTION("what it went on as follows it") {
        Recording next = process(9, 50, 60);
        next.parent = vfd::RecordingId{9, 0, gone.start_realtime_ns};
        CHECK(string_of({child(process(11, 5, 8), gone), next, child(process(12, 55, 58), next)}) == "?9(11)>9(12)");
        CHECK(string_of({next, child(process(12, 55, 58), next)}) == "9(12)");
    }
    SECTION("init and nobody are no parents") {
        CHECK(string_of({forked(process(11, 5, 8), 1), forked(process(12, 6, 8), 0)}) == "11 | 12");
    }
    SECTION("a process that was started by an unrecorded one is a root") {
        Recording alone = process(11, 5, 8);
        alone.parent_pid = 9;
        CHECK(string_of({alone}) == "11");
    }
}

TEST_CASE("a process on another host is not taken for the parent of that pid here", "[process_tree]") {
    Recording there = process(10, 0, 100);
    there.host = "there";
    CHECK(string_of({there, forked(process(11, 5, 8), 10)}) == "10 | ?10(11)");
    SECTION("but a recording that is named may be anywhere") {
        CHECK(string_of({there, child(process(11, 5, 8), there)}) == "10(11)");
    }
}

TEST_CASE("damaged headers that name each other in a circle are cut at the earliest", "[process_tree]") {
    Recording a = process(10, 0, 10), b = process(11, 5, 10), c = process(12, 7, 10);
    a = child(a, c), b = child(b, a), c = child(c, b);
    CHECK(string_of({a, b, c}) == "10(11(12))");
    SECTION("one that is its own parent") {
        Recording self = process(10, 0, 10);
        self = child(self, self);
        CHECK(string_of({self}) == "10");
        self.process_start = 0;
        CHECK(string_of({self}) == "10");
    }
    SECTION("a program that descends from what it became") {
        Recording first = process(10, 0, 10), second = process(10, 20, 30);
        first = child(first, process(11, 5, 10));
        CHECK(string_of({first, second, child(process(11, 5, 10), second)}) == "10>10(11)");
    }
    SECTION("two that each say they were the other before") {
        Recording x = process(10, 0, 10), y = process(10, 20, 30);
        x.process_start = y.process_start = 0;
        x = child(x, y), y = child(y, x);
        CHECK(string_of({x, y}) == "10>10");
    }
    SECTION("ranks of a job whose starter descends from one of them") {
        Recording starter = process(20, 0, 100);
        const Recording r0 = rank(child(process(21, 1, 50), starter), 0, 2),
                        r1 = rank(child(process(22, 1, 50), starter), 1, 2);
        starter = child(starter, r1);
        CHECK(string_of({starter, r0, r1}).size() == std::strlen("20(J2(21 22))"));
    }
}

TEST_CASE("of two files of one recording one is shown", "[process_tree]") {
    Recording open = process(10, 0, 10);
    open.closed = false;
    open.ending = Ending::Killed;
    const Recording whole = merged(process(10, 0, 12));
    const ProcessTree tree({open, whole});
    REQUIRE(tree.recordings().size() == 1);
    CHECK(tree.recordings()[0].file == whole.file);
    const ProcessTree both({process(10, 0, 12), whole});
    REQUIRE(both.recordings().size() == 1);
    CHECK(!both.recordings()[0].merged);
}

TEST_CASE("a snapshot does not stand for its recording", "[process_tree]") {
    Recording early = process(10, 0, 5), late = process(10, 0, 6);
    early.file = "early.vfd";
    late.file = "late.vfd";
    SECTION("marked as one") {
        early.snapshot = late.snapshot = true;
        Recording open = process(10, 0, 4); // the latest moment that is known of it
        open.closed = false;
        for (const Recording& own : {process(10, 0, 12), merged(process(10, 0, 12)), open}) {
            const ProcessTree tree({early, own, late});
            REQUIRE(tree.recordings().size() == 1);
            CHECK(tree.recordings()[0].file == own.file);
            REQUIRE(tree.snapshots().size() == 2);
            CHECK(tree.snapshots()[0].file == "late.vfd");
            CHECK(tree.snapshots()[1].file == "early.vfd");
            CHECK(tree.snapshots()[1].of == own.file);
        }
        const ProcessTree alone({early, late});
        REQUIRE(alone.recordings().size() == 1);
        CHECK(alone.recordings()[0].file == "late.vfd");
    }
    SECTION("written before there was a mark") {
        const ProcessTree tree({early, merged(process(10, 0, 12)), late});
        REQUIRE(tree.recordings().size() == 1);
        CHECK(tree.recordings()[0].merged);
        CHECK(tree.snapshots().empty());
    }
}

// A program whose file nobody closed, as with processes.checkpoint "off".
TEST_CASE("a program that another one of its process came after ended by exec", "[process_tree]") {
    Recording first = process(10, 0, 5), second = process(10, 5, 9);
    first.ending = Ending::Killed;
    first.closed = false;
    second.ending = Ending::Killed;
    second.closed = false;
    const ProcessTree tree({first, second});
    REQUIRE(tree.recordings().size() == 2);
    CHECK(tree.recordings()[0].ending == Ending::Executed);
    CHECK(tree.recordings()[1].ending == Ending::Killed);
}

TEST_CASE("ranks of a job are shown together", "[process_tree]") {
    const Recording starter = process(10, 0, 1000);
    std::vector<Recording> all{starter};
    for (int i = 3; i >= 0; --i)
        all.push_back(rank(
            child(process(20 + static_cast<std::uint32_t>(i), 10 + static_cast<std::uint64_t>(3 - i), 500), starter), i,
            4));
    CHECK(string_of(all) == "10(J4(20 21 22 23))");
    SECTION("with the file of the whole job they are still one") {
        all.push_back(merged(all.back()));
        CHECK(string_of(all) == "10(J4w(20 21 22 23))");
    }
    SECTION("the file of a whole job stands for its ranks, and for the parent of rank 0's children") {
        CHECK(string_of({starter, merged(all.back()), child(process(30, 100, 200), all.back())}) == "10(J0w(30))");
    }
    SECTION("a rank alone is a process") { CHECK(string_of({starter, all[1]}) == "10(23)"); }
    SECTION("the next job of the same process is another one") {
        for (std::uint32_t i = 0; i < 4; ++i)
            all.push_back(rank(child(process(40 + i, 600, 900), starter), static_cast<std::int32_t>(i), 4));
        CHECK(string_of(all) == "10(J4(20 21 22 23) J4(40 41 42 43))");
    }
}

TEST_CASE("jobs side by side are told apart by who started the ranks", "[process_tree]") {
    std::vector<Recording> all;
    for (std::uint32_t i = 0; i < 3; ++i)
        for (std::uint32_t job : {0u, 1u}) {
            Recording r = rank(process(20 + 10 * job + i, i, 500), static_cast<std::int32_t>(i), 3);
            r.parent_pid = 5 + job;
            all.push_back(r);
        }
    CHECK(string_of(all) == "J3(20 21 22) | J3(30 31 32)");
    SECTION("ranks on several hosts are one job") {
        std::vector<Recording> spread;
        for (std::uint32_t i = 0; i < 4; ++i) {
            Recording r = rank(process(20 + i, i, 500), static_cast<std::int32_t>(i), 4);
            r.host = i < 2 ? "a" : "b";
            r.parent_pid = i < 2 ? 5 : 77;
            spread.push_back(r);
        }
        CHECK(string_of(spread) == "J4(20 21 22 23)");
    }
}

TEST_CASE("what descends from one recording can be picked out", "[process_tree]") {
    const vfd::RecordingId command{10, 0, Start};
    Recording program = process(10, 5, 50); // the command itself: it was told its own pid
    program.parent = command;
    Recording by_script = process(12, 6, 20); // of an unrecorded script that the command was
    by_script.parent = command;
    const Recording other = process(13, 5, 50);
    const ProcessTree tree({program, child(process(11, 6, 20), program), by_script, other});
    std::string found;
    const std::vector<bool> shown = tree.descendants_of(command);
    for (std::uint32_t node = 0; node < tree.nodes().size(); ++node)
        if (const Recording* r = tree.recording(node); r && shown[node])
            found += std::to_string(r->pid) + " ";
    CHECK(found == "10 11 12 ");
    std::uint64_t processes = 0;
    for (std::uint32_t root : tree.roots())
        processes += tree.processes_under(root);
    CHECK(processes == 4);
}

TEST_CASE("a chain of a hundred thousand processes needs no deep stack", "[process_tree]") {
    std::vector<Recording> chain{process(10, 0, 1)};
    for (std::uint32_t i = 1; i < 100000; ++i)
        chain.push_back(child(process(10 + i, i, i + 1), chain.back()));
    const ProcessTree tree(std::move(chain));
    REQUIRE(tree.roots().size() == 1);
    CHECK(tree.processes_under(tree.roots()[0]) == 100000);
}

TEST_CASE("whatever headers say, every recording is in the tree once", "[process_tree]") {
    std::uint32_t state = 12345;
    auto random = [&](std::uint32_t below) {
        state = state * 1664525u + 1013904223u;
        return (state >> 16) % below;
    };
    for (int round = 0; round < 3000; ++round) {
        std::vector<Recording> all;
        for (std::uint32_t i = 0, n = 1 + random(12); i < n; ++i) {
            Recording r = process(2 + random(5), random(8), random(20));
            r.process_start = random(3);
            r.host = random(4) ? "here" : "there";
            r.parent_pid = random(8);
            r.forked = random(2);
            r.merged = random(5) == 0;
            if (random(2))
                r.parent = vfd::RecordingId{2 + random(5), 0, Start + random(8) * Ms};
            if (random(3) == 0)
                r = rank(r, static_cast<std::int32_t>(random(4)) - 1, static_cast<std::int32_t>(random(4)));
            r.ending = static_cast<Ending>(random(6));
            r.closed = random(2);
            all.push_back(r);
        }
        const ProcessTree tree(std::move(all));
        std::vector<int> seen(tree.nodes().size()), recordings(tree.recordings().size());
        for (std::uint32_t root : tree.roots())
            tree.walk(root, [&](std::uint32_t node, std::uint32_t) {
                if (tree.recording(node))
                    ++recordings[tree.nodes()[node].recording];
                return ++seen[node] == 1;
            });
        INFO("round " << round);
        REQUIRE(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(seen.size()));
        REQUIRE(std::count(recordings.begin(), recordings.end(), 1) == static_cast<std::ptrdiff_t>(recordings.size()));
    }
}
