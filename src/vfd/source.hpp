// SPDX-License-Identifier: BSD-3-Clause
//
// The bytes of an image: a mapped file or live memory. It can tell the offset of a defect in them.
#pragma once

#include "vfd/error.hpp"
#include "vfd/file_data.hpp"
#include "vfd/views.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace vftr::vfd {

class Source {
public:
    // Maps the file read-only. Throws Error.
    explicit Source(const std::string& path);
    // For memory that somebody else owns and that is not contiguous: errors name no offset.
    static Source of_memory(std::string label) { return Source({}, std::move(label)); }

    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source();

    std::span<const std::byte> bytes() const { return bytes_; }
    const FileData& data() const { return data_; } // for a file
    const std::string& label() const { return label_; }

    // Throws Error for a defect at `defect`, an address in these bytes.
    [[noreturn]] void fail(const void* defect, const std::string& reason) const;
    void require(bool sound, const void* defect, std::string_view reason) const {
        if (!sound)
            fail(defect, std::string(reason));
    }

private:
    Source(std::span<const std::byte> bytes, std::string label) : bytes_(bytes), label_(std::move(label)) {}

    std::span<const std::byte> bytes_;
    std::string label_;
    FileData data_;
};

} // namespace vftr::vfd
