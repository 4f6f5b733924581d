// SPDX-License-Identifier: BSD-3-Clause
//
// A request of HTTP/1.1 (RFC 9112), as far as a page on the same machine needs it: requests have no body, and only
// their first line and the Host are looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vftr::cli {

struct HttpRequest {
    static constexpr std::size_t MostBytes = 16384;

    std::string method, path, query; // of "/a?b=c": "/a" and "b=c"
    std::string host;                // empty: there is none

    // The number of "name=" in the query; nullopt: there is none, or it is no number.
    std::optional<std::uint64_t> number(std::string_view name) const;
};

enum class Parsed { Incomplete, Complete, Bad, TooLarge };

Parsed parse_request(std::string_view text, HttpRequest& request);

struct HttpAnswer {
    int status = 200;
    std::string_view type = "text/plain; charset=utf-8";
    std::string body{};
    std::string_view policy = "default-src 'none'"; // Content-Security-Policy
};

// Status line and headers, and the body where `with_body`. The connection ends with it, and nobody keeps a copy.
std::string http_text(const HttpAnswer& answer, bool with_body);

} // namespace vftr::cli
