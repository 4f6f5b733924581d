// SPDX-License-Identifier: BSD-3-Clause
#ifdef __x86_64__ // where we are emulated, /proc/self/mem may be another memory
#include "patch/sites.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <sys/mman.h>
#include <vector>

using namespace vftr::patch;

namespace {

using Bytes = std::vector<std::uint8_t>;

// A page with machine code at its begin. The function, another one and the hooks are places behind it, where nothing is.
class Assembly {
public:
    Assembly() : page_(static_cast<std::uint8_t*>(mmap(nullptr, Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
    ~Assembly() { munmap(page_, Size); }
    Assembly(const Assembly&) = delete;

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
    // Bytes that end in a distance of 32 bits to `target`.
    Assembly& to(Bytes bytes, std::uint64_t target) {
        const auto distance = static_cast<std::uint32_t>(target - (begin() + size_ + bytes.size() + 4));
        for (int i = 0; i < 4; ++i)
            bytes.push_back(static_cast<std::uint8_t>(distance >> 8 * i));
        return code(bytes);
    }
    Assembly& lea_rdi(std::uint64_t what) { return to({0x48, 0x8d, 0x3d}, what); }
    Assembly& lea_rbx(std::uint64_t what) { return to({0x48, 0x8d, 0x1d}, what); }
    Assembly& rdi_from_rbx() { return code({0x48, 0x89, 0xdf}); }
    Assembly& call(std::uint64_t target) { return to({0xe8}, target); }
    Assembly& jump(std::uint64_t target) { return to({0xe9}, target); }
    // Something to be called or read, elsewhere in the page.
    std::uint64_t put(std::size_t at, const void* bytes, std::size_t count) {
        std::memcpy(page_ + at, bytes, count);
        return begin() + at;
    }
    std::uint64_t slot(std::size_t at, std::uint64_t content) { return put(at, &content, sizeof content); }

    std::vector<Site> sites() {
        const Text text;
        HookCalls calls(text, {enter(), exit()});
        std::vector<std::uint8_t> marks(bytes_of_marks(size_));
        std::vector<Site> found;
        find_sites({begin(), {page_, size_}}, function(), text, calls, marks,
                   [](void* all, const Site& site) { static_cast<std::vector<Site>*>(all)->push_back(site); }, &found);
        return found;
    }
    bool returns_to_here() {
        const Text text;
        return HookCalls(text, {enter(), exit()}).returns_to(begin() + size_);
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
    static constexpr std::size_t Size = 4096;
    std::uint8_t* page_;
    std::size_t size_ = 0;
};

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
    const std::uint64_t enter_slot = a.slot(0xc00, a.enter()), exit_slot = a.slot(0xc08, a.exit()), other_slot = a.slot(0xc10, a.other());
    Bytes stub{0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25};
    const std::size_t place = 0xd00;
    const auto distance = static_cast<std::uint32_t>(enter_slot - (a.begin() + place + stub.size() + 4));
    stub.insert(stub.end(), reinterpret_cast<const std::uint8_t*>(&distance), reinterpret_cast<const std::uint8_t*>(&distance) + 4);
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
    a.to({0x48, 0x8b, 0x3d}, slot).call(a.enter());                     // mov slot(%rip),%rdi
    a.to({0x48, 0x8d, 0x05}, a.function()).code({0x48, 0x89, 0xc7}).call(a.enter()); // lea …,%rax; mov %rax,%rdi
    Bytes number{0x48, 0xbf};
    const std::uint64_t function = a.function();
    number.insert(number.end(), reinterpret_cast<const std::uint8_t*>(&function), reinterpret_cast<const std::uint8_t*>(&function) + 8);
    a.code(number).call(a.exit()).code({0xc3});
    CHECK(a.changes() == Changes{{7, 0xa9}, {22, 0xa9}, {37, 0xa9}});
}

TEST_CASE("a register that is kept has the function wherever the code jumps, if it never has anything else", "[patch][sites]") {
    Assembly a;
    a.code({0x53}).lea_rbx(a.function());
    a.rdi_from_rbx().call(a.enter()).code({0x74, 0x02, 0x5b, 0xc3}); // je over the end; pop %rbx; ret
    a.rdi_from_rbx().call(a.exit()).code({0x5b, 0xc3});
    CHECK(a.changes() == Changes{{11, 0xa9}, {23, 0xa9}});
}

TEST_CASE("a register that has two functions is trusted only within a straight line", "[patch][sites]") {
    Assembly a;
    a.lea_rbx(a.function()).rdi_from_rbx().call(a.enter()).code({0x74, 0x07}); // je to the shared call
    a.lea_rbx(a.other());
    a.rdi_from_rbx().call(a.exit()).code({0xc3});
    CHECK(a.changes() == Changes{{10, 0xa9}});
}

TEST_CASE("behind a call that may not return, only a register that never has anything else is trusted", "[patch][sites]") {
    const bool once = GENERATE(true, false);
    Assembly a;
    a.lea_rbx(once ? a.function() : a.other());
    a.lea_rbx(a.function()).rdi_from_rbx().call(a.enter()).rdi_from_rbx().call(a.exit()).call(a.other());
    a.rdi_from_rbx().call(a.exit()).code({0xc3});
    CHECK(a.changes() == (once ? Changes{{17, 0xa9}, {25, 0xa9}, {38, 0xa9}} : Changes{{17, 0xa9}, {25, 0xa9}}));
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
