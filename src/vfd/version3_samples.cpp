// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/version3_samples.hpp"

#include <algorithm>
#include <iterator>

namespace vftr::vfd::version3 {

namespace {

// The MPI datatypes of 2.0 are numbers: indices of this list.
constexpr const char* TypeNames[] = {"CHAR",
                                     "SHORT",
                                     "INT",
                                     "LONG",
                                     "LONG_LONG_INT",
                                     "LONG_LONG",
                                     "SIGNED_CHAR",
                                     "UNSIGNED_CHAR",
                                     "UNSIGNED_SHORT",
                                     "UNSIGNED",
                                     "UNSIGNED_LONG",
                                     "UNSIGNED_LONG_LONG",
                                     "FLOAT",
                                     "DOUBLE",
                                     "LONG_DOUBLE",
                                     "WCHAR",
                                     "C_BOOL",
                                     "INT8_T",
                                     "INT16_T",
                                     "INT32_T",
                                     "INT64_T",
                                     "UINT8_T",
                                     "UINT16_T",
                                     "UINT32_T",
                                     "UINT64_T",
                                     "C_COMPLEX",
                                     "C_FLOAT_COMPLEX",
                                     "C_DOUBLE_COMPLEX",
                                     "C_LONG_DOUBLE_COMPLEX",
                                     "INTEGER",
                                     "LOGICAL",
                                     "REAL",
                                     "DOUBLE_PRECISION",
                                     "COMPLEX",
                                     "CHARACTER",
                                     "BYTE",
                                     "PACKED"};

} // namespace

Head head_of(Cursor in) {
    Head h;
    in.skip(sizeof Version);
    h.writer = in.text();
    const auto date = in.get<std::int32_t>();
    h.start = in.text(date);
    h.end = in.text(date);
    h.interval = in.get<std::int64_t>();
    h.size = in.get<std::int32_t>();
    h.rank = in.get<std::int32_t>();
    h.threads = in.get<std::int32_t>();
    h.runtime = in.get<double>();
    h.functions = in.get<std::uint32_t>();
    h.messages = in.get<std::uint32_t>();
    h.stacks = in.get<std::uint32_t>();
    h.counters = in.get<std::uint32_t>();
    in.skip(sizeof(std::uint32_t)); // observables
    h.samples_at = in.get<std::uint64_t>();
    h.stacks_at = in.get<std::uint64_t>();
    // After a process was killed, its file still has the initial header.
    if (h.stacks == 0 || h.stacks_at == 0)
        in.fail("a file of Vftrace 2.0 that was not completed: its process did not end well");
    if (!(h.runtime >= 0 && h.runtime < 1e9) || h.interval < 0 || h.threads < 1 || h.size < 1 || h.rank < 0 ||
        h.rank >= h.size)
        in.fail("damaged: impossible values in the header");
    return h;
}

std::vector<Stack> stacks_of(Cursor in, const Head& head) {
    if (head.stacks > in.left() / (2 * sizeof(std::int32_t)))
        in.fail("the file is cut off: more stacks than it has room for");
    std::vector<Stack> stacks(head.stacks);
    for (std::uint32_t id = 0; id < head.stacks; ++id) {
        Stack& stack = stacks[id];
        const auto caller = in.get<std::int32_t>();
        stack.name = in.text();
        stack.precise = stack.name.ends_with('*');
        if (stack.precise)
            stack.name.pop_back();
        if (id != 0 && (caller < 0 || static_cast<std::uint32_t>(caller) >= id))
            in.fail("damaged: a stack whose caller is not there");
        stack.caller = id != 0 ? static_cast<std::uint32_t>(caller) : 0;
    }
    return stacks;
}

std::string type_name(std::int32_t number) {
    if (number < 0)
        return "";
    return static_cast<std::size_t>(number) < std::size(TypeNames) ? std::string("MPI_") + TypeNames[number]
                                                                   : "MPI_UNDEFINED_TYPE";
}

std::int32_t type_number(std::string_view name) {
    constexpr std::string_view Prefix = "MPI_";
    if (!name.starts_with(Prefix))
        return -1;
    const auto found = std::find(std::begin(TypeNames), std::end(TypeNames), name.substr(Prefix.size()));
    return found == std::end(TypeNames) ? -1 : static_cast<std::int32_t>(found - std::begin(TypeNames));
}

std::vector<Sample> samples_of(Cursor in, const Head& head, Types& types) {
    const std::uint64_t count = std::uint64_t{head.functions} + head.messages;
    if (count > in.left() / (2 * sizeof(std::int32_t) + sizeof(std::int64_t)))
        in.fail("the file is cut off: more samples than it has room for");
    auto time = [&] {
        const auto ns = in.get<std::int64_t>();
        if (ns < 0 || ns > std::int64_t{1} << 60)
            in.fail("damaged: an impossible time");
        return Start + static_cast<std::uint64_t>(ns);
    };
    auto stack = [&] {
        const auto id = in.get<std::uint32_t>();
        if (id >= head.stacks)
            in.fail("damaged: a stack that is not there");
        return id;
    };
    std::vector<Sample> samples(count);
    for (Sample& s : samples) {
        const auto kind = in.get<std::int32_t>();
        if (kind == 0 || kind == 1) {
            s.kind = kind == 0 ? Sample::Kind::Call : Sample::Kind::Exit;
            s.stack = stack();
            s.time = time();
            in.skip(std::uint64_t{head.counters} * sizeof(std::int64_t));
        } else if (kind == 2) {
            s.kind = Sample::Kind::Message;
            s.direction = in.get<std::int32_t>() == 0 ? Direction::Send : Direction::Receive;
            const auto rank = in.get<std::int32_t>();
            const auto number = in.get<std::int32_t>(), elements = in.get<std::int32_t>(),
                       size = in.get<std::int32_t>();
            s.tag = in.get<std::int32_t>();
            s.begin = time();
            s.time = time();
            s.stack = stack();
            in.skip(sizeof(std::int32_t)); // thread
            if (rank < 0 || elements < 0 || size < 0 || s.begin > s.time)
                in.fail("damaged: an impossible message");
            s.rank = static_cast<std::uint32_t>(rank);
            s.bytes = static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(size);
            s.type = types.id(number, size);
        } else
            in.fail("damaged: a sample of an unknown kind");
    }
    std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.time < b.time; });
    return samples;
}

} // namespace vftr::vfd::version3
