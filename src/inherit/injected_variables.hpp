// SPDX-License-Identifier: BSD-3-Clause
//
// What we add to the environment of a program is ours, not the program's: it is taken out of its `environ` again before
// its main. Which entries these are the one who adds them says by VFTR_HANDED_ON: for each entry a sum of its text, so
// that an entry of the same name that somebody sets later is never taken for ours. A '+' before it: the program had an
// LD_PRELOAD of its own, and only our library at its end is ours. A variable of that name with another text is
// somebody else's and stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vftr::inherit {

inline constexpr std::string_view InjectedListVariable = "VFTR_HANDED_ON";

enum class Injected : char { Not, Whole, Last };

// Whether it is ours.
bool is_marker(const char* entry);
// Its value in a list as `environ` is one, nullptr: there is none.
const char* marker_in(char* const* list);

// What VFTR_HANDED_ON says of an entry "name=value"; value: that of the variable, may be nullptr.
Injected injected(const char* value, const char* entry);

// Writes the variable into memory of the caller. No library calls but of string.h.
class InjectedList {
public:
    static constexpr std::size_t BytesOfEach = 18; // '+', 16 digits, ','
    static constexpr std::size_t bytes(std::size_t entries) {
        return InjectedListVariable.size() + 2 + entries * BytesOfEach;
    }

    explicit InjectedList(char* memory);
    void add(const char* entry, Injected how);
    // Its mistakes were told: who reads it further down says nothing.
    void add_reported(const char* entry);
    // "VFTR_HANDED_ON=…"; nullptr where nothing was added.
    char* entry() const { return at_ == begin_ ? nullptr : memory_; }

private:
    void add_sum(const char* mark, const char* entry);

    char *memory_, *begin_, *at_;
};

// Whether the value of VFTR_HANDED_ON, which may be nullptr, says that of "VFTR_CONFIG=<config>".
bool is_reported(const char* value, std::string_view config);

// Takes such entries and the variable itself out of a list, in place, and of `same`, another list of the same entries
// or nullptr. The texts are kept (base/environment.hpp). Before main, while there is one thread.
void remove_injected_variables(char** list, char** same);

// Takes all variables of vftrace (VFTR_…) out of the lists, which are as above, and keeps nothing of them: those of a
// program with more rights than who started it (base/secure.hpp). It does not read them itself, but when it takes over
// these rights as a whole, the programs that it starts would: they cannot tell who has set the variables. The C library
// removes its own ones for the same reason.
void remove_all_variables(char** list, char** same);

// Programs that start others on other computers, or by a server, by sending their own environment there: it has to stay
// as it is in them. So has that of vftr itself.
bool sends_its_environment(const char* program);

} // namespace vftr::inherit
