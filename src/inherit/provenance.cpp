// SPDX-License-Identifier: BSD-3-Clause
#include "inherit/provenance.hpp"

#include "base/message.hpp"

#include <cstring>

namespace vftr::inherit {

namespace {

// A decimal number and the '.' behind it.
bool take_number(std::string_view& text, std::uint64_t most, std::uint64_t& value) {
    std::size_t digits = 0;
    value = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
        std::uint64_t digit = static_cast<std::uint64_t>(text[digits] - '0');
        if (value > (most - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    if (digits == 0 || digits == text.size() || text[digits] != '.')
        return false;
    text.remove_prefix(digits + 1);
    return true;
}

// Becomes part of file names.
bool is_token(std::string_view text) {
    return text.size() < sizeof Provenance::token && text.find_first_not_of("0123456789s") == std::string_view::npos;
}

char* put(char* at, std::string_view text) {
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
}

} // namespace

bool read_provenance(const char* text, Provenance& provenance) {
    provenance = {};
    if (!text)
        return false;
    std::string_view rest = text;
    std::uint64_t pid, start, generation;
    if (!take_number(rest, 0x7fffffff, pid) || !take_number(rest, UINT64_MAX, start) ||
        !take_number(rest, 0xfffffffe, generation) || !is_token(rest) || pid == 0)
        return false;
    provenance.pid = static_cast<std::uint32_t>(pid);
    provenance.start_realtime_ns = start;
    provenance.generation = static_cast<std::uint32_t>(generation);
    put(provenance.token, rest);
    return true;
}

std::string_view write_provenance(const Provenance& provenance, char (&out)[ProvenanceSize]) {
    char* at = out;
    for (std::uint64_t number :
         {std::uint64_t{provenance.pid}, provenance.start_realtime_ns, std::uint64_t{provenance.generation}}) {
        at = put(at, base::Number(number));
        *at++ = '.';
    }
    at = put(at, {provenance.token, strnlen(provenance.token, sizeof provenance.token)});
    return {out, static_cast<std::size_t>(at - out)};
}

void set_token(Provenance& provenance, std::uint32_t pid, std::uint32_t number) {
    char* at = put(provenance.token, base::Number(pid));
    if (number != 0) {
        *at++ = 's';
        at = put(at, base::Number(number));
    }
    *at = '\0';
}

} // namespace vftr::inherit
