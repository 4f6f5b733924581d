// SPDX-License-Identifier: BSD-3-Clause
//
// Expressions are matched byte by byte and not as UTF-8: a symbol name is whatever the linker was given, and names that
// are not valid UTF-8 must be matched, too. The just-in-time compiler of PCRE2 is not used: it needs writable
// executable memory in the user's process, and a pattern is matched only once for each function.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "symbols/pattern.hpp"

#include "base/race_detectors.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <pcre2.h>

namespace vftr::symbols {

namespace {

struct FreeCode {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeMatch {
    void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};
struct FreeContext {
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
    void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
};

// Hides the memory of expressions from race detectors: threads match with the same expression one after the other, and
// the lock for that is unknown to the detectors.
void* allocate(PCRE2_SIZE bytes, void*) {
    void* block = std::malloc(bytes);
    if (block)
        base::hide_from_race_detectors(block, bytes);
    return block;
}
void release(void* block, void*) { std::free(block); }

// Returns nullptr, for which PCRE2 uses malloc, if there is no memory for the context.
pcre2_general_context* memory() {
    static pcre2_general_context* const made = pcre2_general_context_create(allocate, release, nullptr);
    return made;
}

// A match that backtracks endlessly is aborted after this many steps, about 10 ms, and counts as no match. An
// expression that was aborted for some names is likely to be so for thousands, while the program waits, so its limit is
// then lowered.
constexpr std::uint32_t match_step_limit = 1'000'000, limit_of_hopeless = 10'000;
constexpr std::uint32_t hopeless_after = 16; // number of names after which the limit is lowered

PCRE2_SPTR bytes_of(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.empty() ? "" : text.data()); }

std::string message_of(int error_code) {
    std::array<PCRE2_UCHAR, 256> buffer{};
    const int length = pcre2_get_error_message(error_code, buffer.data(), buffer.size());
    if (length < 0 && length != PCRE2_ERROR_NOMEMORY)
        return "error " + std::to_string(error_code);
    return reinterpret_cast<const char*>(buffer.data());
}

} // namespace

struct Pattern::Impl {
    std::unique_ptr<pcre2_code, FreeCode> code;
    std::unique_ptr<pcre2_match_data, FreeMatch> match;
    std::unique_ptr<pcre2_match_context, FreeContext> context;
    std::string error;
    std::size_t error_offset = 0;
    std::uint32_t given_up = 0; // number of names for which it was aborted
};

Pattern::Pattern(std::string_view expression) : impl_(std::make_unique<Impl>()) {
    int error_code = 0;
    PCRE2_SIZE offset = 0;
    const std::unique_ptr<pcre2_compile_context, FreeContext> compilation(pcre2_compile_context_create(memory()));
    impl_->code.reset(pcre2_compile(bytes_of(expression), expression.size(), PCRE2_NEVER_BACKSLASH_C, &error_code,
                                    &offset, compilation.get()));
    if (!impl_->code) {
        impl_->error = message_of(error_code);
        impl_->error_offset = offset;
        return;
    }
    impl_->match.reset(pcre2_match_data_create(1, memory()));
    impl_->context.reset(pcre2_match_context_create(memory()));
    if (!impl_->match || !impl_->context) {
        impl_->code.reset();
        impl_->error = "out of memory";
        return;
    }
    pcre2_set_match_limit(impl_->context.get(), match_step_limit);
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

bool Pattern::valid() const { return impl_->code != nullptr; }

const std::string& Pattern::error() const { return impl_->error; }

std::size_t Pattern::error_offset() const { return impl_->error_offset; }

bool Pattern::matches(std::string_view text) const {
    if (!valid())
        return false;
    const int result =
        pcre2_match(impl_->code.get(), bytes_of(text), text.size(), 0, 0, impl_->match.get(), impl_->context.get());
    if (result < 0 && result != PCRE2_ERROR_NOMATCH && ++impl_->given_up == hopeless_after)
        pcre2_set_match_limit(impl_->context.get(), limit_of_hopeless);
    return result >= 0;
}

bool Pattern::has_given_up() const { return impl_->given_up != 0; }

} // namespace vftr::symbols
