// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/serve/http_request.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace vftr::cli {
namespace {

bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_visible(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_host(std::string_view name) {
    return name.size() == 4 && std::ranges::equal(name, std::string_view("host"), [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b;
           });
}

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

bool take_first_line(std::string_view line, HttpRequest& request) {
    const std::size_t first = line.find(' '), second = line.rfind(' ');
    if (first == line.npos || second <= first)
        return false;
    const std::string_view method = line.substr(0, first), target = line.substr(first + 1, second - first - 1),
                           version = line.substr(second + 1);
    if (!is_token(method) || !target.starts_with('/') || !is_visible(target) || !version.starts_with("HTTP/1."))
        return false;
    request.method = method;
    const std::size_t query = std::min(target.find('?'), target.size());
    request.path = target.substr(0, query);
    request.query = target.substr(std::min(query + 1, target.size()));
    return true;
}

std::string_view reason(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 431:
        return "Request Header Fields Too Large";
    }
    return "Internal Server Error";
}

} // namespace

std::optional<std::uint64_t> HttpRequest::number(std::string_view name) const {
    for (std::size_t at = 0; at < query.size();) {
        const std::size_t end = std::min(query.find('&', at), query.size());
        const std::string_view part = std::string_view(query).substr(at, end - at);
        at = end + 1;
        if (!part.starts_with(name) || part.size() <= name.size() || part[name.size()] != '=')
            continue;
        std::uint64_t value = 0;
        const char *const begin = part.data() + name.size() + 1, *const behind = part.data() + part.size();
        const auto [stop, error] = std::from_chars(begin, behind, value);
        return error == std::errc() && stop == behind ? std::optional(value) : std::nullopt;
    }
    return std::nullopt;
}

Parsed parse_request(std::string_view text, HttpRequest& request) {
    const std::size_t end = text.find("\r\n\r\n");
    if (end == text.npos)
        return text.size() > HttpRequest::MostBytes ? Parsed::TooLarge : Parsed::Incomplete;
    if (end > HttpRequest::MostBytes)
        return Parsed::TooLarge;
    text = text.substr(0, end);
    std::size_t line_end = std::min(text.find("\r\n"), text.size());
    request = {};
    if (!take_first_line(text.substr(0, line_end), request))
        return Parsed::Bad;
    bool has_host = false;
    while (line_end < text.size()) {
        const std::size_t begin = line_end + 2;
        line_end = std::min(text.find("\r\n", begin), text.size());
        const std::string_view line = text.substr(begin, line_end - begin);
        const std::size_t colon = line.find(':');
        if (colon == line.npos || colon == 0 || !is_visible(line.substr(0, colon)))
            return Parsed::Bad;
        if (!is_host(line.substr(0, colon)))
            continue;
        if (has_host)
            return Parsed::Bad;
        has_host = true;
        request.host = without_blanks(line.substr(colon + 1));
    }
    return Parsed::Complete;
}

std::string http_text(const HttpAnswer& answer, bool with_body) {
    std::string text = "HTTP/1.1 " + std::to_string(answer.status) + ' ';
    text += reason(answer.status);
    const auto header = [&](std::string_view name, std::string_view value) {
        text.append("\r\n").append(name).append(": ").append(value);
    };
    header("Content-Type", answer.type);
    header("Content-Length", std::to_string(answer.body.size()));
    header("Content-Security-Policy", answer.policy);
    header("Cache-Control", "no-store");
    header("Referrer-Policy", "no-referrer"); // the address has the token
    header("Cross-Origin-Resource-Policy", "same-origin");
    header("X-Content-Type-Options", "nosniff");
    if (answer.status == 405)
        header("Allow", "GET, HEAD");
    header("Connection", "close");
    text += "\r\n\r\n";
    if (with_body)
        text += answer.body;
    return text;
}

} // namespace vftr::cli
