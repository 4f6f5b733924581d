// SPDX-License-Identifier: BSD-3-Clause
#include "patch/instruction.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "config.h"

using namespace vftr::patch;

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::uint64_t here = 0x401000;

Instruction decoded(const Bytes& bytes) { return decode(bytes, here); }

} // namespace

TEST_CASE("an instruction ends where the machine says", "[patch][instruction]") {
    struct {
        const char* text;
        Bytes bytes;
    } const rows[] = {
        {"ret", {0xc3}},
        {"endbr64", {0xf3, 0x0f, 0x1e, 0xfa}},
        {"mov %fs:0x28,%rax", {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0}},
        {"cmpl $0x12345678,0x10(%rsp,%rax,8)", {0x81, 0x7c, 0xc4, 0x10, 0x78, 0x56, 0x34, 0x12}},
        {"cmpw $0x1234,(%rax)", {0x66, 0x81, 0x38, 0x34, 0x12}},
        {"movabs $…,%r11", {0x49, 0xbb, 1, 2, 3, 4, 5, 6, 7, 8}},
        {"movabs …,%al", {0xa0, 1, 2, 3, 4, 5, 6, 7, 8}},
        {"test $1,%dil", {0x40, 0xf6, 0xc7, 0x01}},
        {"not %edi", {0xf7, 0xd7}},
        {"enter", {0xc8, 1, 2, 3}},
        {"nopw %cs:0(%rax,%rax,1)", {0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}},
        {"pshufd $1,%xmm0,%xmm1", {0x66, 0x0f, 0x70, 0xc8, 0x01}},
        {"vzeroupper", {0xc5, 0xf8, 0x77}},
        {"vpermq $1,%ymm0,%ymm0", {0xc4, 0xe3, 0xfd, 0x00, 0xc0, 0x01}},
        {"vmovdqu64 0x40(%rdi),%zmm0", {0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x47, 0x01}},
        {"vpternlogd $0xff,%zmm0,%zmm0,%zmm0", {0x62, 0xf3, 0x7d, 0x48, 0x25, 0xc0, 0xff}},
    };
    for (const auto& row : rows) {
        INFO(row.text);
        CHECK(decoded(row.bytes).length == row.bytes.size());
        Bytes more = row.bytes;
        more.resize(more.size() + 4, 0x90);
        CHECK(decoded(more).length == row.bytes.size());
        CHECK(decoded(Bytes(row.bytes.begin(), row.bytes.end() - 1)).length == 0);
    }
}

TEST_CASE("what is no instruction, or one of a machine to come, is not known", "[patch][instruction]") {
    for (const Bytes& bytes :
         {Bytes{}, Bytes{0x06, 0, 0, 0}, Bytes{0xd5, 0x18, 0x50, 0}, Bytes{0x66, 0xe8, 0, 0, 0, 0},
          Bytes{0x0f, 0x04, 0, 0}, Bytes{0x48, 0xc5, 0xf8, 0x77},
          Bytes{0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0xf0, 0x90}})
        CHECK(decoded(bytes).length == 0);
}

TEST_CASE("an instruction is known by where it goes on", "[patch][instruction]") {
    const auto goes = [](const Bytes& bytes, Effect expected, std::uint64_t target = 0) {
        const Instruction found = decoded(bytes);
        CHECK(found.effect == expected);
        if (target != 0)
            CHECK(found.target == target);
    };
    goes({0xe8, 0x10, 0, 0, 0}, Effect::Call, here + 5 + 0x10);
    goes({0x67, 0xe8, 0xf0, 0xff, 0xff, 0xff}, Effect::Call, here + 6 - 0x10);
    goes({0xe9, 0x10, 0, 0, 0}, Effect::Jump, here + 5 + 0x10);
    goes({0xeb, 0xfe}, Effect::Jump, here);
    goes({0x74, 0x10}, Effect::Branch, here + 2 + 0x10);
    goes({0x0f, 0x85, 0, 1, 0, 0}, Effect::Branch, here + 6 + 0x100);
    goes({0xe2, 0xfe}, Effect::Branch, here);
    goes({0xff, 0x15, 0, 1, 0, 0}, Effect::CallThrough, here + 6 + 0x100);
    goes({0xff, 0x25, 0, 1, 0, 0}, Effect::JumpThrough, here + 6 + 0x100);
    goes({0xff, 0xd0}, Effect::CallElsewhere);
    goes({0x65, 0xff, 0x15, 0, 1, 0, 0}, Effect::CallElsewhere);
    goes({0x3e, 0xff, 0xe0}, Effect::JumpsTo);
    goes({0xff, 0x24, 0xc5, 0, 0x10, 0x40, 0}, Effect::JumpsByTable, 0x401000);
    goes({0xff, 0x24, 0x85, 0, 0x10, 0x40, 0}, Effect::JumpElsewhere); // of four bytes each
    goes({0xff, 0x24, 0xc2}, Effect::JumpElsewhere);
    goes({0xff, 0x60, 0x10}, Effect::JumpElsewhere);
    goes({0xff, 0x2d, 0, 1, 0, 0}, Effect::JumpElsewhere);
    goes({0x0f, 0x0b}, Effect::Ends);
    goes({0x48, 0x89, 0xdf}, Effect::Copies);
    goes({0x31, 0xc0}, Effect::Else);
}

TEST_CASE("an instruction is known by what it sets a register to", "[patch][instruction]") {
    const auto sets = [](const Bytes& bytes, Effect expected, Register reg, std::uint64_t target) {
        const Instruction found = decoded(bytes);
        CHECK(found.effect == expected);
        CHECK(found.reg == reg);
        CHECK(found.target == target);
        CHECK(found.written == set_of(reg));
    };
    sets({0x48, 0x8d, 0x3d, 0x10, 0, 0, 0}, Effect::Sets, Rdi, here + 7 + 0x10);
    sets({0x4c, 0x8d, 0x35, 0x10, 0, 0, 0}, Effect::Sets, R14, here + 7 + 0x10);
    sets({0xbf, 0x00, 0x10, 0x40, 0xff}, Effect::Sets, Rdi, 0xff401000);
    sets({0x48, 0xc7, 0xc7, 0x00, 0x10, 0x40, 0x00}, Effect::Sets, Rdi, 0x401000);
    sets({0x48, 0x8b, 0x3d, 0x10, 0, 0, 0}, Effect::Loads, Rdi, here + 7 + 0x10);
    // 32 bits of an address are none.
    CHECK(decoded({0x8d, 0x3d, 0x10, 0, 0, 0}).effect == Effect::Else);
    CHECK(decoded({0x89, 0xdf}).effect == Effect::Else);
    CHECK(decoded({0x89, 0xdf}).written == set_of(Rdi));
}

TEST_CASE("an entry of a table is known, and a sum of registers", "[patch][instruction]") {
    const auto entry = [](const Bytes& bytes) { return decoded(bytes).effect == Effect::LoadsEntry; };
    const Instruction found = decoded({0x4b, 0x63, 0x04, 0xae}); // movslq (%r14,%r13,4),%rax
    CHECK(found.effect == Effect::LoadsEntry);
    CHECK(found.reg == Rax);
    CHECK(found.from == R14);
    CHECK(entry({0x49, 0x63, 0x44, 0x85, 0x00}));       // 0(%r13,%rax,4)
    CHECK_FALSE(entry({0x48, 0x63, 0x44, 0x82, 0x04})); // 4(…)
    CHECK_FALSE(entry({0x48, 0x63, 0x04, 0xc2}));       // of eight bytes each
    CHECK_FALSE(entry({0x63, 0x04, 0x82}));             // without its sign
    CHECK_FALSE(entry({0x48, 0x63, 0x02}));
    for (const Bytes& bytes : {Bytes{0x48, 0x01, 0xd0}, Bytes{0x48, 0x03, 0xc2}}) {
        const Instruction sum = decoded(bytes); // add %rdx,%rax
        CHECK(sum.effect == Effect::Adds);
        CHECK(sum.reg == Rax);
        CHECK(sum.from == Rdx);
    }
    CHECK(decoded({0x01, 0xd0}).effect == Effect::Else);
    CHECK(decoded({0x48, 0x03, 0x02}).effect == Effect::Else);
}

TEST_CASE("registers that an instruction may change are told", "[patch][instruction]") {
    const auto written = [](const Bytes& bytes) { return decoded(bytes).written; };
    CHECK(written({0x48, 0x89, 0x5c, 0x24, 0x08}) == 0);          // mov %rbx,8(%rsp)
    CHECK(written({0x48, 0x39, 0xd8}) == 0);                      // cmp
    CHECK(written({0x48, 0x01, 0xd8}) == set_of(Rax));            // add %rbx,%rax
    CHECK(written({0xb7, 0x01}) == (set_of(Rbx) | set_of(Rdi)));  // mov $1,%bh, as mov $1,%dil
    CHECK(written({0xf2, 0x0f, 0x58, 0xdb}) == 0);                // addsd %xmm3,%xmm3
    CHECK(written({0x66, 0x48, 0x0f, 0x7e, 0xc3}) & set_of(Rbx)); // movq %xmm0,%rbx
    CHECK(written({0xc4, 0xe2, 0x78, 0xf3, 0xc8}) & set_of(Rax)); // blsr %eax,%eax
    CHECK(written({0x48, 0x98}) == set_of(Rax));                  // cdqe
    CHECK(written({0x48, 0x99}) == set_of(Rdx));                  // cqo
    CHECK(written({0x0f, 0xa2}) & set_of(Rbx));                   // cpuid
    CHECK(written({0xf3, 0x48, 0xab}) & set_of(Rdi));             // rep stos
}

#ifdef HAVE_ZYDIS
#include <Zydis/Zydis.h>
#include <random>
#include <string>

namespace {

// 0, or what Zydis and we disagree about. What only we do not know is harmless, but rare; what Zydis does not know says
// nothing.
int disagreement(const ZydisDecoder& decoder, const Bytes& bytes, long& unknown) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes.data(), bytes.size(), &instruction, operands)))
        return 0;
    // Jumps of the first Xeon Phi, which lie where others have nothing.
    if (instruction.mnemonic == ZYDIS_MNEMONIC_JKZD || instruction.mnemonic == ZYDIS_MNEMONIC_JKNZD)
        return 0;
    const Instruction ours = decoded(bytes);
    unknown += ours.length == 0;
    if (ours.length == 0)
        return 0;
    if (ours.length != instruction.length)
        return 1;
    for (int i = 0; i < instruction.operand_count; ++i) {
        const ZydisDecodedOperand& operand = operands[i];
        if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || !(operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
            continue;
        const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, operand.reg.value);
        const int number = ZydisRegisterGetId(whole);
        if (ZydisRegisterGetClass(whole) == ZYDIS_REGCLASS_GPR64 && number != Rsp &&
            !(ours.written & set_of(static_cast<unsigned>(number))))
            return 2;
    }
    return 0;
}

} // namespace

TEST_CASE("Zydis and we agree on where random instructions end and what they change", "[patch][instruction]") {
    ZydisDecoder decoder;
    REQUIRE(ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)));
    std::mt19937 random(1);
    constexpr std::uint8_t begins[] = {0x0f, 0xc4, 0xc5, 0x62, 0x66, 0x48, 0xf2, 0xf3, 0x41};
    long unknown = 0;
    for (int i = 0; i < 300000; ++i) {
        Bytes bytes(15);
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random());
        if (i & 1)
            bytes[0] = begins[random() % std::size(begins)];
        const int disagrees = disagreement(decoder, bytes, unknown);
        if (disagrees != 0) {
            std::string text;
            for (std::uint8_t byte : bytes)
                text += Catch::Detail::stringify(+byte) + " ";
            FAIL_CHECK("instruction " << text << ": " << (disagrees == 1 ? "its length" : "what it changes"));
        }
    }
    CHECK(unknown < 10000);
}
#endif
