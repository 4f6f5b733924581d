// SPDX-License-Identifier: BSD-3-Clause
//
// Answers requests from this machine, one after the other. Debian has libraries for that; the smallest one that is kept
// well, libmicrohttpd, is built with GnuTLS there, which every start of vftr would load, and what is needed of HTTP is
// small: a page asks for a dozen things (http_request.hpp). A browser opens connections that it does not use yet, so
// none of them keeps others waiting, and one that asks for nothing is closed after some time.
#pragma once

#include "config_tools/serve/http_request.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vftr::cli {

class HttpServer {
public:
    using Handler = std::function<HttpAnswer(const HttpRequest&)>;

    // Listens on 127.0.0.1; port 0: one that is free. Throws std::runtime_error.
    explicit HttpServer(std::uint16_t port);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;

    std::uint16_t port() const { return port_; }
    // Until the process is ended. Throws std::runtime_error.
    [[noreturn]] void run(const Handler& handler);

private:
    using Clock = std::chrono::steady_clock;
    struct Connection {
        int fd;
        std::string in{}, out{};
        std::size_t sent = 0;
        Clock::time_point deadline{};
    };

    void accept_all();
    // False: the connection is over.
    bool go_on(Connection& connection, short events, const Handler& handler);
    bool receive(Connection& connection, const Handler& handler);

    int fd_ = -1;
    std::uint16_t port_ = 0;
    std::vector<Connection> connections_;
};

} // namespace vftr::cli
