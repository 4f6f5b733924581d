// SPDX-License-Identifier: BSD-3-Clause
//
// The targets of the direct calls in an object: one bit for each byte of its machine code, so that one pass over the
// code (about a millisecond for a MiB) answers many questions. Bytes that look like a call by chance are included.
#pragma once

#include "record/modules/loaded_object.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

class CallTargets {
public:
    // The set is empty if there is no memory, or if the object is not mapped in one piece of a reasonable size.
    explicit CallTargets(const record::LoadedObject& object);
    ~CallTargets();
    CallTargets(const CallTargets&) = delete;
    CallTargets& operator=(const CallTargets&) = delete;

    bool has(std::uint64_t address) const {
        const std::uint64_t place = address - start_;
        return place < bytes_ && bits_[place / 8] >> place % 8 & 1;
    }

private:
    static constexpr std::size_t MaxBytes = 1 << 30;
    void note_calls(std::uint64_t begin, std::uint64_t end);

    std::uint64_t start_;
    std::size_t bytes_ = 0;
    std::uint8_t* bits_ = nullptr;
};

} // namespace vftr::patch
