// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "export/format.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace vftr::test {

inline std::string text_by(decltype(exports::Format::write) write, const exports::Subject& subject,
                           const exports::Options& options = {}) {
    std::string text;
    exports::Sink sink([&](std::span<const std::byte> bytes) {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return true;
    });
    write(subject, options, sink);
    REQUIRE(sink.flush());
    return text;
}

// What the format of this name makes of the subject.
inline std::string exported_text(std::string_view format, const exports::Subject& subject,
                                 const exports::Options& options = {}) {
    return text_by(exports::find_format(format)->write, subject, options);
}

} // namespace vftr::test
