// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/serve/http_request.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace vftr::cli;

namespace {

Parsed parsed(const std::string& text) {
    HttpRequest request;
    return parse_request(text, request);
}

} // namespace

TEST_CASE("a request has its path, its query and its host", "[cli]") {
    HttpRequest request;
    const std::string text =
        "GET /token/timeline?from=12&to=x&shortest= HTTP/1.1\r\nAccept: */*\r\nhOsT:  127.0.0.1:80 \r\n\r\n";
    REQUIRE(parse_request(text, request) == Parsed::Complete);
    CHECK(request.method == "GET");
    CHECK(request.path == "/token/timeline");
    CHECK(request.host == "127.0.0.1:80");
    CHECK(request.number("from") == 12u);
    CHECK(!request.number("to"));
    CHECK(!request.number("shortest"));
    CHECK(!request.number("fro"));
    for (std::size_t i = 0; i < text.size(); ++i)
        CHECK(parsed(text.substr(0, i)) == Parsed::Incomplete);
}

TEST_CASE("what is no request is refused", "[cli]") {
    for (const char* text : {"\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "get / HTTP/1.1\r\n\r\n",
                             "GET http://a/ HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n",
                             "GET / HTTP/1.1\r\nHost\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                             "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\n folded: a\r\n\r\n"})
        CHECK(parsed(text) == Parsed::Bad);
    CHECK(parsed("GET /" + std::string(20000, 'a')) == Parsed::TooLarge);
    CHECK(parsed("GET /" + std::string(20000, 'a') + " HTTP/1.1\r\n\r\n") == Parsed::TooLarge);
    CHECK(parsed("GET / HTTP/1.1\r\n\r\n") == Parsed::Complete);
}

TEST_CASE("an answer says how long it is", "[cli]") {
    const std::string text = http_text({200, "text/plain", "body"}, true);
    CHECK(text.starts_with("HTTP/1.1 200 OK\r\n"));
    CHECK(text.find("\r\nContent-Length: 4\r\n") != text.npos);
    CHECK(text.ends_with("\r\n\r\nbody"));
    CHECK(http_text({403, "text/plain", "body"}, false).ends_with("\r\n\r\n"));
}
