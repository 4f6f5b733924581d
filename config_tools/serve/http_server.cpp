// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/serve/http_server.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace vftr::cli {
namespace {

constexpr std::size_t MostConnections = 64;
constexpr auto Patience = std::chrono::seconds(20); // without a byte

[[noreturn]] void fail(const char* what) {
    throw std::runtime_error(std::string("127.0.0.1: ") + what + ": " + std::strerror(errno));
}

} // namespace

HttpServer::HttpServer(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    if (fd_ < 0)
        fail("no socket");
    const int on = 1;
    ::setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    if (::bind(fd_, place, size) != 0 || ::listen(fd_, MostConnections) != 0 || ::getsockname(fd_, place, &size) != 0) {
        const int error = errno;
        ::close(fd_);
        errno = error;
        fail("no port to listen on");
    }
    port_ = ntohs(address.sin_port);
}

HttpServer::~HttpServer() {
    for (const Connection& connection : connections_)
        ::close(connection.fd);
    ::close(fd_);
}

void HttpServer::accept_all() {
    while (connections_.size() < MostConnections) {
        const int fd = ::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        Connection connection{fd};
        connection.deadline = Clock::now() + Patience;
        connections_.push_back(std::move(connection));
    }
}

bool HttpServer::receive(Connection& connection, const Handler& handler) {
    char bytes[4096];
    const ssize_t got = ::recv(connection.fd, bytes, sizeof bytes, 0);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    connection.in.append(bytes, static_cast<std::size_t>(got));
    HttpRequest request;
    HttpAnswer answer;
    switch (parse_request(connection.in, request)) {
    case Parsed::Incomplete:
        return true;
    case Parsed::Bad:
        answer = {400, "text/plain; charset=utf-8", "This is no request of HTTP/1.1.\n"};
        break;
    case Parsed::TooLarge:
        answer = {431, "text/plain; charset=utf-8", "The request is too large.\n"};
        break;
    case Parsed::Complete:
        answer = request.method == "GET" || request.method == "HEAD"
                     ? handler(request)
                     : HttpAnswer{405, "text/plain; charset=utf-8", "Only GET and HEAD are answered.\n"};
        break;
    }
    connection.out = http_text(answer, request.method != "HEAD");
    return true;
}

bool HttpServer::go_on(Connection& connection, short events, const Handler& handler) {
    if (events == 0)
        return Clock::now() < connection.deadline;
    connection.deadline = Clock::now() + Patience;
    if (connection.out.empty())
        return receive(connection, handler);
    const ssize_t put = ::send(connection.fd, connection.out.data() + connection.sent,
                               connection.out.size() - connection.sent, MSG_NOSIGNAL);
    if (put < 0)
        return errno == EAGAIN || errno == EINTR;
    connection.sent += static_cast<std::size_t>(put);
    return connection.sent < connection.out.size();
}

void HttpServer::run(const Handler& handler) {
    for (;;) {
        std::vector<pollfd> waiting;
        for (const Connection& connection : connections_)
            waiting.push_back({connection.fd, static_cast<short>(connection.out.empty() ? POLLIN : POLLOUT), 0});
        const bool room = connections_.size() < MostConnections;
        waiting.push_back({room ? fd_ : -1, POLLIN, 0});
        if (::poll(waiting.data(), waiting.size(), connections_.empty() ? -1 : 1000) < 0 && errno != EINTR)
            fail("poll");
        std::vector<Connection> open;
        for (std::size_t i = 0; i < connections_.size(); ++i)
            if (go_on(connections_[i], waiting[i].revents, handler))
                open.push_back(std::move(connections_[i]));
            else
                ::close(connections_[i].fd);
        connections_ = std::move(open);
        if (waiting.back().revents != 0)
            accept_all();
    }
}

} // namespace vftr::cli
