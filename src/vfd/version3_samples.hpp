// SPDX-License-Identifier: BSD-3-Clause
//
// Reads and checks the contents of a Vftrace 2.0 file (version3.hpp): its header, its stacks and its samples, converted
// to the units of the present format. Invalid contents throw Error.
#pragma once

#include "vfd/format_messages.hpp"
#include "vfd/version3_bytes.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vftr::vfd::version3 {

constexpr std::int32_t Version = 3;
constexpr std::uint64_t Start = 1; // ticks are ns; 0 would mean that a time is not known

struct Head {
    std::string writer, start, end;
    std::int64_t interval;
    std::int32_t size, rank, threads;
    double runtime;
    std::uint32_t functions, messages, stacks, counters;
    std::uint64_t samples_at, stacks_at;
};

// `in` must be at the beginning of the file.
Head head_of(Cursor in);

struct Stack {
    std::uint32_t caller; // index of a stack before this one
    std::string name;
    bool precise;
};

// The first stack is the root, whose caller is meaningless. `in` must be at Head::stacks_at.
std::vector<Stack> stacks_of(Cursor in, const Head& head);

struct Sample {
    std::uint64_t time;
    enum class Kind { Call, Exit, Message } kind;
    std::uint32_t stack;
    std::uint64_t begin = 0, bytes = 0; // this field and the following ones belong to messages
    std::uint32_t rank = 0, type = 0;
    std::int32_t tag = 0;
    Direction direction = Direction::Send;
};

// The MPI datatypes of the messages. A type is identified by its number in 2.0 and its size; the ids here count from 1.
class Types {
public:
    std::uint32_t id(std::int32_t number, std::int32_t size) {
        return ids_.try_emplace({number, size}, static_cast<std::uint32_t>(ids_.size() + 1)).first->second;
    }
    const auto& all() const { return ids_; }

private:
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> ids_;
};

// Returns "" for a derived type.
std::string type_name(std::int32_t number);
// The other way round; -1: 2.0 has no number for it, as for a derived type.
std::int32_t type_number(std::string_view name);

// Returns the samples in order of time. `in` must be at Head::samples_at.
std::vector<Sample> samples_of(Cursor in, const Head& head, Types& types);

} // namespace vftr::vfd::version3
