// SPDX-License-Identifier: BSD-3-Clause
#ifdef __x86_64__ // where we are emulated, /proc/self/mem may be another memory
#include "patch/sites.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <sys/mman.h>
#include <vector>

using namespace vftr::patch;

namespace {

using Bytes = std::vector<std::uint8_t>;

// A page with machine code at its begin. The function, another one and the hooks are places behind it, where nothing
// is. Other pieces of text may be there as well, made likewise.
class Assembly : Surroundings {
public:
    Assembly()
        : page_(static_cast<std::uint8_t*>(
              mmap(nullptr, Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0))) {}
    ~Assembly() { munmap(page_, Size); }
    Assembly(const Assembly&) = delete;

    bool called = true;                                     // else it may be a later part of a function
    std::vector<std::pair<std::size_t, std::size_t>> parts; // others in the page: begin and end
    Bytes pads, parts_pads;                                 // their tables

    std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(page_); }
    std::uint64_t function() const { return begin() + 0x800; }
    std::uint64_t other() const { return begin() + 0x880; }
    std::uint64_t enter() const { return begin() + 0x900; }
    std::uint64_t exit() const { return begin() + 0x980; }

    Assembly& code(const Bytes& bytes) {
        std::memcpy(page_ + size_, bytes.data(), bytes.size());
        size_ += bytes.size();
        return *this;
    }
    Assembly& number(std::uint64_t value, std::size_t bytes = 4) {
        std::memcpy(page_ + size_, &value, bytes);
        size_ += bytes;
        return *this;
    }
    // Bytes that end in a distance of 32 bits to `target`.
    Assembly& to(const Bytes& bytes, std::uint64_t target) {
        code(bytes);
        return number(target - (begin() + size_ + 4));
    }
    Assembly& lea_rdi(std::uint64_t what) { return to({0x48, 0x8d, 0x3d}, what); }
    Assembly& lea_rbx(std::uint64_t what) { return to({0x48, 0x8d, 0x1d}, what); }
    Assembly& rdi_from_rbx() { return code({0x48, 0x89, 0xdf}); }
    Assembly& hook(std::uint64_t what, std::uint64_t target) { return lea_rdi(what).call(target); }
    Assembly& hook_by_rbx(std::uint64_t target) { return rdi_from_rbx().call(target); }
    Assembly& ret() { return code({0xc3}); }
    // Short jumps: opcode, and a label that stands before or behind.
    Assembly& jump_to(std::uint8_t opcode, char label) {
        code({opcode, 0});
        jumps_.emplace_back(size_, label);
        return *this;
    }
    Assembly& label(char name) {
        labels_[name] = size_;
        return *this;
    }
    std::uint64_t at(char label) { return begin() + labels_.at(label); }
    std::size_t size() const { return size_; }
    // What follows is another piece, up to the next call of this.
    Assembly& part(std::size_t at) {
        (parts.empty() ? text_ : parts.back().second) = size_;
        parts.emplace_back(at, at);
        size_ = at;
        return *this;
    }
    Assembly& call(std::uint64_t target) { return to({0xe8}, target); }
    Assembly& jump(std::uint64_t target) { return to({0xe9}, target); }
    // Something to be called or read, elsewhere in the page.
    std::uint64_t put(std::size_t at, const void* bytes, std::size_t count) {
        std::memcpy(page_ + at, bytes, count);
        return begin() + at;
    }
    std::uint64_t slot(std::size_t at, std::uint64_t content) { return put(at, &content, sizeof content); }

    std::vector<Site> sites() {
        finish();
        const ProcessMemory memory;
        HookCalls::Known known[8] = {};
        HookCalls calls(memory, {enter(), exit()}, known);
        const auto space = std::make_unique<Workspace>();
        std::vector<Site> found;
        FoundSite* const add = [](void* data, std::uint64_t function, const Site& site) {
            auto& [a, all] = *static_cast<std::pair<Assembly*, std::vector<Site>*>*>(data);
            if (function == a->function())
                all->push_back(site);
        };
        std::pair<Assembly*, std::vector<Site>*> here(this, &found);
        uncertain = find_sites({begin(), {page_, text_}, {pads, 1, true}}, memory, *this, calls, *space, add, &here);
        return found;
    }
    std::size_t uncertain = 0;
    bool returns_to_here() {
        const ProcessMemory memory;
        HookCalls::Known known[8] = {};
        return HookCalls(memory, {enter(), exit()}, known).returns_to(begin() + size_);
    }
    // Each byte that changes, by its place and what it becomes.
    std::vector<std::pair<std::size_t, unsigned>> changes() {
        std::vector<std::pair<std::size_t, unsigned>> all;
        for (const Site& site : sites()) {
            CHECK(page_[site.address - begin()] == site.was);
            all.emplace_back(site.address - begin(), site.becomes);
        }
        return all;
    }

private:
    void finish() {
        (parts.empty() ? text_ : parts.back().second) = size_;
        for (const auto& [end, name] : jumps_)
            page_[end - 1] = static_cast<std::uint8_t>(labels_.at(name) - end);
    }
    Extent extent_at(std::uint64_t address) override {
        for (const auto& [start, end] : parts)
            if (address - begin() >= start && address - begin() < end)
                return {begin() + start, begin() + end, {parts_pads, 1, true}};
        return {};
    }
    bool read(const Extent& extent, Code& piece) override {
        piece = {extent.start,
                 {reinterpret_cast<const std::uint8_t*>(extent.start), extent.end - extent.start},
                 extent.pads};
        return true;
    }
    bool is_called(std::uint64_t address) override { return called && address == begin(); }

    static constexpr std::size_t Size = 4096;
    std::uint8_t* page_;
    std::size_t size_ = 0, text_ = 0;
    std::map<char, std::size_t> labels_;
    std::vector<std::pair<std::size_t, char>> jumps_;
};
constexpr std::uint8_t je = 0x74, jmp = 0xeb;

using Changes = std::vector<std::pair<std::size_t, unsigned>>;

} // namespace

TEST_CASE("calls of both hooks with the function are found", "[patch][sites]") {
    Assembly a;
    a.lea_rdi(a.function()).call(a.enter()).code({0x90}).lea_rdi(a.function()).call(a.exit()).code({0xc3});
    CHECK(a.changes() == Changes{{7, 0xa9}, {20, 0xa9}});
}

TEST_CASE("the exit hook as the last act becomes a return", "[patch][sites]") {
    Assembly a;
    a.lea_rdi(a.function()).call(a.enter()).lea_rdi(a.function()).jump(a.exit());
    CHECK(a.changes() == Changes{{7, 0xa9}, {19, 0xc3}});
}

TEST_CASE("calls with another function, or of other functions, stay", "[patch][sites]") {
    Assembly a;
    a.lea_rdi(a.other()).call(a.enter()).lea_rdi(a.function()).call(a.other()).code({0xc3});
    CHECK(a.changes().empty());
}

TEST_CASE("after a call the first argument is not known any more", "[patch][sites]") {
    Assembly a;
    a.lea_rdi(a.function()).call(a.other()).call(a.enter()).code({0xc3});
    CHECK(a.changes().empty());
}

TEST_CASE("hooks are called through stubs and slots", "[patch][sites]") {
    Assembly a;
    const std::uint64_t enter_slot = a.slot(0xc00, a.enter()), exit_slot = a.slot(0xc08, a.exit()),
                        other_slot = a.slot(0xc10, a.other());
    Bytes stub{0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25};
    const std::size_t place = 0xd00;
    const auto distance = static_cast<std::uint32_t>(enter_slot - (a.begin() + place + stub.size() + 4));
    stub.insert(stub.end(), reinterpret_cast<const std::uint8_t*>(&distance),
                reinterpret_cast<const std::uint8_t*>(&distance) + 4);
    const std::uint64_t enter_stub = a.put(place, stub.data(), stub.size());

    a.lea_rdi(a.function()).call(enter_stub);
    a.lea_rdi(a.function()).to({0xff, 0x15}, enter_slot);
    a.lea_rdi(a.function()).to({0xff, 0x15}, other_slot);
    a.lea_rdi(a.function()).to({0x67, 0xe8}, a.exit());
    a.lea_rdi(a.function()).to({0xff, 0x25}, exit_slot);
    CHECK(a.changes() == Changes{{7, 0xa9}, {19, 0x3b}, {46, 0xa9}, {58, 0xc3}});
}

TEST_CASE("the function may come from a slot, as a number or by another register", "[patch][sites]") {
    Assembly a;
    const std::uint64_t slot = a.slot(0xc00, a.function());
    a.to({0x48, 0x8b, 0x3d}, slot).call(a.enter());                                  // mov slot(%rip),%rdi
    a.to({0x48, 0x8d, 0x05}, a.function()).code({0x48, 0x89, 0xc7}).call(a.enter()); // lea …,%rax; mov %rax,%rdi
    a.code({0x48, 0xbf}).number(a.function(), 8).call(a.exit()).code({0xc3});
    CHECK(a.changes() == Changes{{7, 0xa9}, {22, 0xa9}, {37, 0xa9}});
}

TEST_CASE("a register that is kept has the function wherever the code jumps, if it never has anything else",
          "[patch][sites]") {
    Assembly a;
    a.code({0x53}).lea_rbx(a.function());
    a.rdi_from_rbx().call(a.enter()).code({0x74, 0x02, 0x5b, 0xc3}); // je over the end; pop %rbx; ret
    a.rdi_from_rbx().call(a.exit()).code({0x5b, 0xc3});
    CHECK(a.changes() == Changes{{11, 0xa9}, {23, 0xa9}});
}

TEST_CASE("an address that was loaded before a loop is known in it", "[patch][sites]") {
    Assembly a;
    a.lea_rbx(a.other())
        .hook_by_rbx(a.enter())
        .lea_rbx(a.function())
        .label('l')
        .hook_by_rbx(a.enter())
        .call(a.other())
        .hook_by_rbx(a.exit());
    a.jump_to(je, 'l').lea_rbx(a.other()).hook_by_rbx(a.exit()).ret();
    CHECK(a.changes() == Changes{{25, 0xa9}, {38, 0xa9}});
    CHECK(a.uncertain == 0);
}

TEST_CASE("two registers hold two functions over a loop", "[patch][sites]") {
    Assembly a;
    a.lea_rbx(a.function()).to({0x4c, 0x8d, 0x25}, a.other()).label('l');              // lea other,%r12
    a.hook_by_rbx(a.enter()).code({0x4c, 0x89, 0xe7}).call(a.enter()).call(a.other()); // mov %r12,%rdi
    a.code({0x4c, 0x89, 0xe7}).call(a.exit()).hook_by_rbx(a.exit()).jump_to(je, 'l');
    a.lea_rbx(a.other()).ret();
    CHECK(a.changes() == Changes{{17, 0xa9}, {46, 0xa9}});
    CHECK(a.uncertain == 0);
}

TEST_CASE("a register may have another function later", "[patch][sites]") {
    for (const bool first : {true, false}) {
        Assembly a;
        a.lea_rbx(first ? a.function() : a.other())
            .label('l')
            .hook_by_rbx(a.enter())
            .call(a.other())
            .hook_by_rbx(a.exit())
            .jump_to(je, 'l');
        a.lea_rbx(first ? a.other() : a.function())
            .label('m')
            .hook_by_rbx(a.enter())
            .call(a.other())
            .hook_by_rbx(a.exit())
            .jump_to(je, 'm')
            .ret();
        CHECK(a.changes() == (first ? Changes{{10, 0xa9}, {23, 0xa9}} : Changes{{40, 0xa9}, {53, 0xa9}}));
        CHECK(a.uncertain == 0);
    }
}

TEST_CASE("where paths meet that have two functions, the call stays", "[patch][sites]") {
    Assembly a;
    a.lea_rbx(a.function()).hook_by_rbx(a.enter()).jump_to(je, 'm');
    a.lea_rbx(a.other()).label('m').hook_by_rbx(a.exit()).ret();
    CHECK(a.changes() == Changes{{10, 0xa9}});
    CHECK(a.uncertain == 1);
}

TEST_CASE("where a loop comes back with another function, the call stays", "[patch][sites]") {
    Assembly a;
    a.lea_rbx(a.function())
        .label('l')
        .hook_by_rbx(a.enter())
        .jump_to(je, 'o')
        .lea_rbx(a.other())
        .jump_to(jmp, 'l')
        .label('o')
        .ret();
    CHECK(a.changes().empty());
    CHECK(a.uncertain == 1);
}

TEST_CASE("where nothing leads to code that is no padding, ways are unknown", "[patch][sites]") {
    for (const bool padding : {true, false}) {
        Assembly a;
        a.lea_rbx(a.function())
            .jump_to(jmp, 'l')
            .code(padding ? Bytes{0x66, 0x90} : Bytes{0x31, 0xc0})
            .label('l')
            .hook_by_rbx(a.enter());
        a.lea_rbx(a.other()).ret();
        CHECK(a.changes() == (padding ? Changes{{14, 0xa9}} : Changes{}));
    }
}

TEST_CASE("of what may be a later part of a function, only straight lines are known", "[patch][sites]") {
    const bool called = GENERATE(true, false), itself = GENERATE(true, false);
    Assembly a;
    a.called = called;
    a.hook(itself ? a.begin() : a.other(), a.enter())
        .lea_rbx(a.function())
        .hook_by_rbx(a.enter())
        .call(a.other())
        .hook_by_rbx(a.exit())
        .ret();
    CHECK(a.changes() == (called || itself ? Changes{{22, 0xa9}, {35, 0xa9}} : Changes{{22, 0xa9}}));
}

TEST_CASE("jumps through tables are ways to all that is in them", "[patch][sites]") {
    // rbx is loaded before the switch; the second case loads another one, and goes on to a call where all meet.
    const bool of_addresses = GENERATE(true, false), meets = GENERATE(true, false);
    Assembly a;
    const std::uint64_t table = a.begin() + 0xc00;
    a.lea_rbx(a.function());
    REQUIRE(table >> 31 == 0);
    if (of_addresses)
        a.code({0xff, 0x24, 0xc5}).number(table); // jmp *table(,%rax,8)
    else
        a.to({0x48, 0x8d, 0x15}, table)
            .code(
                {0x48, 0x63, 0x04, 0x82, 0x48, 0x01, 0xd0}) // lea table,%rdx; movslq (%rdx,%rax,4),%rax; add %rdx,%rax
            .code({0x3e, 0xff, 0xe0});                      // notrack jmp *%rax
    a.label('1').hook_by_rbx(a.enter()).jump_to(jmp, 'e').label('2').lea_rbx(a.other()).hook_by_rbx(a.enter());
    if (meets)
        a.label('e').hook_by_rbx(a.exit()).ret();
    else
        a.ret().label('e').hook_by_rbx(a.exit()).ret();
    const std::size_t first = a.at('1') - a.begin() + 3, last = a.at('e') - a.begin() + 3;
    const std::uint64_t addresses[] = {a.at('1'), a.at('2'), 0};
    const std::int32_t distances[] = {static_cast<std::int32_t>(a.at('1') - table),
                                      static_cast<std::int32_t>(a.at('2') - table), 0x7fffffff};
    of_addresses ? a.put(0xc00, addresses, sizeof addresses) : a.put(0xc00, distances, sizeof distances);
    CHECK(a.changes() == (meets ? Changes{{first, 0xa9}} : Changes{{first, 0xa9}, {last, 0xa9}}));
    CHECK(a.uncertain == meets);
}

TEST_CASE("with a jump to somewhere, only straight lines are known", "[patch][sites]") {
    Assembly a;
    a.lea_rbx(a.other())
        .hook_by_rbx(a.enter())
        .lea_rbx(a.function())
        .hook_by_rbx(a.enter())
        .jump_to(je, 'l')
        .code({0xff, 0xe0}); // jmp *%rax
    a.label('l').hook_by_rbx(a.exit()).ret();
    CHECK(a.changes() == Changes{{25, 0xa9}});
}

TEST_CASE("a landing pad has what the calls had that lead to it", "[patch][sites]") {
    const bool same = GENERATE(true, false), covered = GENERATE(true, false);
    Assembly a;
    a.lea_rbx(a.function()).hook_by_rbx(a.enter()).call(a.other()); // 0 … 20
    a.lea_rbx(same ? a.function() : a.other()).call(a.other());     // 20 … 32
    a.hook(a.function(), a.exit()).ret();                           // 32 … 45
    a.hook_by_rbx(a.exit()).call(a.other());                        // the pad
    if (!same)
        a.lea_rbx(a.other()).call(a.other());
    // No other base for pads, no types, LEB128, 8 bytes: both calls, or only the first one.
    a.pads = {0xff, 0xff, 0x01, 8, 15, 5, 45, 0, 27, 5, static_cast<std::uint8_t>(covered ? 45 : 0), 0};
    CHECK(a.changes() ==
          (same || !covered ? Changes{{10, 0xa9}, {39, 0xa9}, {48, 0xa9}} : Changes{{10, 0xa9}, {39, 0xa9}}));
}

TEST_CASE("at a landing pad the first argument is not known", "[patch][sites]") {
    Assembly a;
    a.lea_rdi(a.function()).call(a.other()).ret().call(a.exit()).call(a.other());
    a.pads = {0xff, 0xff, 0x01, 4, 7, 5, 13, 0};
    CHECK(a.changes().empty());
    CHECK(a.uncertain == 1);
}

TEST_CASE("where the table of landing pads is not known, only straight lines are", "[patch][sites]") {
    const std::uint8_t form = GENERATE(0x01, 0x02);
    Assembly a;
    a.lea_rbx(a.function()).hook_by_rbx(a.enter()).call(a.other()).hook_by_rbx(a.exit()).lea_rbx(a.other()).ret();
    a.pads = {0xff, 0xff, form, 4, 15, 5, 0, 0};
    CHECK(a.changes() == (form == 1 ? Changes{{10, 0xa9}, {23, 0xa9}} : Changes{{10, 0xa9}}));
}

TEST_CASE("a part elsewhere comes back with nothing that is known", "[patch][sites]") {
    const bool comes_back = GENERATE(true, false), by_pad = GENERATE(true, false);
    Assembly a;
    a.lea_rbx(a.other()).hook_by_rbx(a.enter()).lea_rbx(a.function()).hook_by_rbx(a.enter());
    by_pad ? a.call(a.other()) : a.to({0x0f, 0x84}, a.begin() + 0xd00); // je
    a.label('b').hook_by_rbx(a.exit()).ret();
    if (by_pad)
        a.pads = {0xff, 0xff, 0x01, 5, 30, 5, 0x80, 0x1a, 0};
    const std::size_t last = a.at('b') - a.begin() + 3;
    a.part(0xd00).lea_rbx(a.other()).hook(a.other(), a.exit());
    comes_back ? a.jump(a.at('b')) : a.call(a.other());
    CHECK(a.changes() == (comes_back ? Changes{{25, 0xa9}} : Changes{{25, 0xa9}, {last, 0xa9}}));
}

TEST_CASE("a part elsewhere may give a register another function", "[patch][sites]") {
    const bool sets = GENERATE(true, false);
    Assembly a;
    a.lea_rbx(a.function())
        .hook_by_rbx(a.enter())
        .to({0x0f, 0x84}, a.begin() + 0xd00)
        .label('b')
        .hook_by_rbx(a.exit())
        .ret();
    a.part(0xd00);
    sets ? a.lea_rbx(a.other()) : a;
    a.jump(a.at('b'));
    CHECK(a.changes() == (sets ? Changes{{10, 0xa9}} : Changes{{10, 0xa9}, {24, 0xa9}}));
}

TEST_CASE("where a part elsewhere is not understood, only straight lines are known", "[patch][sites]") {
    const Bytes ends = GENERATE(Bytes{0xff, 0xe0}, Bytes{0x06}, Bytes{0xc3}); // jmp *%rax; none; ret
    Assembly a;
    a.lea_rbx(a.function())
        .hook_by_rbx(a.enter())
        .to({0x0f, 0x84}, a.begin() + 0xd00)
        .hook_by_rbx(a.exit())
        .call(a.other());
    a.hook_by_rbx(a.exit()).ret().part(0xd00).code({0x90}).code(ends);
    CHECK(a.changes() ==
          (ends == Bytes{0xc3} ? Changes{{10, 0xa9}, {24, 0xa9}, {37, 0xa9}} : Changes{{10, 0xa9}, {24, 0xa9}}));
}

TEST_CASE("a place whose address is taken may be entered from anywhere", "[patch][sites]") {
    const bool taken = GENERATE(true, false);
    Assembly a;
    a.lea_rbx(a.other())
        .hook_by_rbx(a.enter())
        .lea_rbx(a.function())
        .to({0x48, 0x8d, 0x05}, taken ? a.begin() + 29 : a.other()); // lea …,%rax
    a.hook_by_rbx(a.exit()).ret();
    CHECK(a.changes() == (taken ? Changes{} : Changes{{32, 0xa9}}));
}

TEST_CASE("a call that a jump leads to directly may be for several functions", "[patch][sites]") {
    Assembly a;
    a.lea_rdi(a.other()).code({0xeb, 0x07}).lea_rdi(a.function()).call(a.exit()).code({0xc3});
    CHECK(a.changes().empty());
}

TEST_CASE("text that is not understood is left alone", "[patch][sites]") {
    SECTION("an unknown instruction") {
        Assembly a;
        a.lea_rdi(a.function()).call(a.enter()).code({0x06, 0xc3});
        CHECK(a.changes().empty());
    }
    SECTION("a jump into an instruction") {
        Assembly a;
        a.lea_rdi(a.function()).call(a.enter()).code({0xeb, 0xfd, 0xc3});
        CHECK(a.changes().empty());
    }
    SECTION("an instruction that is cut") {
        Assembly a;
        a.lea_rdi(a.function()).call(a.enter()).code({0x48});
        CHECK(a.changes().empty());
    }
}

TEST_CASE("a hook's caller is known by the return address", "[patch][sites]") {
    Assembly a;
    const std::uint64_t slot = a.slot(0xc00, a.enter()), other_slot = a.slot(0xc08, a.other());
    a.code({0x90, 0x90});
    CHECK_FALSE(a.returns_to_here());
    CHECK(a.call(a.enter()).returns_to_here());
    CHECK_FALSE(a.call(a.other()).returns_to_here());
    CHECK(a.to({0xff, 0x15}, slot).returns_to_here());
    CHECK_FALSE(a.to({0xff, 0x15}, other_slot).returns_to_here());
    CHECK_FALSE(a.jump(a.exit()).returns_to_here());
}

TEST_CASE("a conditional jump to a hook and a call with an odd prefix stay", "[patch][sites]") {
    Assembly a;
    a.lea_rdi(a.function()).to({0x0f, 0x84}, a.exit()).to({0x66, 0x48, 0xe8}, a.enter()).code({0xc3});
    CHECK(a.changes().empty());
}
#endif
