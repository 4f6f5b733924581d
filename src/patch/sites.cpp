// SPDX-License-Identifier: BSD-3-Clause
#include "patch/sites.hpp"

#include "patch/instruction.hpp"

#include <cstring>
#include <optional>

namespace vftr::patch {

namespace {

constexpr RegisterSet kept_by_calls = set_of(Rbx) | set_of(Rsp) | set_of(Rbp) | set_of(R12) | set_of(R13) | set_of(R14) | set_of(R15);
constexpr RegisterSet changed_by_calls = static_cast<RegisterSet>(~kept_by_calls);
constexpr unsigned RegisterCount = 16;

// One bit for each byte of the text, and one for its end.
class Marks {
public:
    explicit Marks(std::span<std::uint8_t> bits) : bits_(bits) {}
    void set(std::uint64_t at) { bits_[at / 8] |= static_cast<std::uint8_t>(1u << at % 8); }
    bool at(std::uint64_t at) const { return bits_[at / 8] >> at % 8 & 1; }

private:
    std::span<std::uint8_t> bits_;
};

// Of a register, in all of the text.
struct Throughout {
    enum { NotSet, Same, Differs } is = NotSet;
    std::uint64_t value = 0;

    void add(std::optional<std::uint64_t> another) {
        if (is == NotSet && another)
            *this = {Same, *another};
        else if (is != Same || another != value)
            is = Differs;
    }
};

class Search {
public:
    Search(Code code, std::uint64_t function, const Text& text, HookCalls& calls, std::span<std::uint8_t> marks, FoundSite* found, void* context)
        : code_(code), function_(function), text_(text), calls_(calls), targets_(marks), found_(found), context_(context) {}

    void run() {
        if (!survey() || !targets_are_instructions())
            return;
        forget();
        for_each([&](std::uint64_t at, const Instruction& each) {
            if (targets_.at(at))
                forget();
            consider(at, each);
            follow(each);
            return true;
        });
    }

private:
    template <class Visit>
    bool for_each(Visit visit) {
        std::uint64_t at = 0;
        while (at < code_.bytes.size()) {
            const Instruction each = decode(code_.bytes.subspan(at), code_.address + at);
            if (each.length == 0 || !visit(at, each))
                return false;
            at += each.length;
        }
        return true;
    }

    // Where jumps lead, and what registers are set to.
    bool survey() {
        return for_each([&](std::uint64_t, const Instruction& each) {
            if ((each.does == Does::Branch || each.does == Does::Jump) && each.target - code_.address < code_.bytes.size())
                targets_.set(each.target - code_.address);
            for (unsigned reg = 0; reg < RegisterCount; ++reg)
                if (each.written & kept_by_calls & set_of(reg) && each.does != Does::Pops)
                    throughout_[reg].add(value_set(each));
            return true;
        });
    }
    bool targets_are_instructions() {
        std::uint64_t next = 0;
        return for_each([&](std::uint64_t at, const Instruction& each) {
            for (; next < at; ++next)
                if (targets_.at(next))
                    return false;
            next = at + 1;
            for (; next < at + each.length; ++next)
                if (targets_.at(next))
                    return false;
            return true;
        });
    }

    std::optional<std::uint64_t> value_set(const Instruction& each) const {
        std::uint64_t value = each.target;
        if (each.does == Does::Sets || (each.does == Does::Loads && text_.read(each.target, &value, sizeof value)))
            return value;
        return std::nullopt;
    }

    void forget() {
        for (unsigned reg = 0; reg < RegisterCount; ++reg)
            known_[reg] = throughout_[reg].is == Throughout::Same ? std::optional(throughout_[reg].value) : std::nullopt;
    }

    static bool is_call(const Instruction& each) {
        return each.does == Does::Call || each.does == Does::CallThrough || each.does == Does::CallElsewhere;
    }
    bool is_hook_call(const Instruction& each) {
        return (each.does == Does::Call && calls_.leads_to_hook(each.target)) || (each.does == Does::CallThrough && calls_.is_hook_slot(each.target));
    }

    void follow(const Instruction& each) {
        if (each.does == Does::Jump || each.does == Does::JumpThrough || each.does == Does::Ends || (is_call(each) && !is_hook_call(each)))
            return forget();
        const std::optional<std::uint64_t> value = each.does == Does::Copies ? known_[each.from] : value_set(each);
        const RegisterSet changed = each.written | (is_call(each) ? changed_by_calls : RegisterSet{});
        for (unsigned reg = 0; reg < RegisterCount; ++reg)
            if (changed & set_of(reg))
                known_[reg] = std::nullopt;
        if (value)
            known_[each.reg] = value;
    }

    void consider(std::uint64_t at, const Instruction& each) {
        if (known_[Rdi] != function_ || !each.changeable)
            return;
        if (is_hook_call(each))
            return each.does == Does::Call ? add(at + each.opcode_at, 0xe8, 0xa9) : add(at + each.opcode_at, 0xff, 0x3b);
        if (each.does == Does::Jump && calls_.leads_to_hook(each.target))
            add(at + each.opcode_at, 0xe9, 0xc3);
        if (each.does == Does::JumpThrough && calls_.is_hook_slot(each.target))
            add(at + each.opcode_at, 0xff, 0xc3);
    }
    void add(std::uint64_t at, std::uint8_t was, std::uint8_t becomes) {
        Site site{code_.address + at, was, becomes};
        if (code_.bytes[at] != was) // a short jump
            return;
        std::memcpy(site.rest, &code_.bytes[at + 1], sizeof site.rest);
        found_(context_, site);
    }

    Code code_;
    std::uint64_t function_;
    const Text& text_;
    HookCalls& calls_;
    Marks targets_;
    FoundSite* found_;
    void* context_;
    Throughout throughout_[RegisterCount];
    std::optional<std::uint64_t> known_[RegisterCount];
};

} // namespace

void find_sites(Code code, std::uint64_t function, const Text& text, HookCalls& calls, std::span<std::uint8_t> marks, FoundSite* found,
                void* context) {
    Search(code, function, text, calls, marks, found, context).run();
}

} // namespace vftr::patch
