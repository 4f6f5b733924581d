// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/serve/page_server.hpp"

#include "config_tools/own_name.hpp"
#include "config_tools/report/export_file.hpp"
#include "config_tools/report/exported_run.hpp"
#include "config_tools/report/run_input.hpp"
#include "config_tools/serve/http_server.hpp"
#include "config_tools/tell/message.hpp"

#include "base/foreign_text.hpp"
#include "export/html/page_data.hpp"
#include "export/sink.hpp"
#include "symbols/hex.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <sys/random.h>
#include <utility>

namespace vftr::cli {
namespace {

constexpr std::uint64_t Screen = 8000; // pixels: what is shorter than one of them is not in the first picture
constexpr int MostFailures = 3;
constexpr auto Fresh = std::chrono::seconds(1); // for which data of a running program are good enough

std::string random_token() {
    std::uint8_t bytes[16];
    if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        throw std::runtime_error(std::string("no random numbers: ") + std::strerror(errno));
    return symbols::hex_of(bytes);
}

// Takes equally long whatever the difference is.
bool same(std::string_view a, std::string_view b) {
    if (a.size() != b.size())
        return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i] ^ b[i]);
    return difference == 0;
}

// The files as they were at one moment.
class State {
public:
    State(const ExportOptions& wanted, const std::vector<std::string>& inputs, const exports::Format& page)
        : input_(inputs), run_(input_, wanted), page_(page) {
        running_ =
            std::ranges::any_of(input_.files().images(), [](const vfd::Image& image) { return !image.closed(); });
    }

    bool running() const { return running_; }

    std::string data() {
        std::string bytes;
        run_.with_subject(page_, [&](exports::Subject& subject, analysis::RunTimeline* timeline) {
            if (timeline)
                timeline->select(0, ~std::uint64_t{0}, timeline->end() / Screen);
            bytes = exported_bytes(exports::data_format(page_), subject, timeline, {}, ~std::uint64_t{0});
        });
        return bytes;
    }

    std::string part(std::uint64_t from, std::uint64_t to, std::uint64_t shortest) {
        std::string bytes;
        run_.with_subject(page_, [&](exports::Subject& subject, analysis::RunTimeline* timeline) {
            if (!timeline)
                return;
            if (rows_.empty())
                rows_ = exports::rows_of_timeline(subject);
            timeline->select(from, std::max(from, to), shortest);
            bytes = exports::bytes_of([&](exports::Sink& sink) { exports::write_timeline_part(subject, rows_, sink); });
        });
        return bytes;
    }

private:
    const RunInput input_;
    ExportedRun run_;
    const exports::Format& page_;
    std::vector<std::uint32_t> rows_;
    bool running_ = false;
};

class PageServer {
public:
    PageServer(const ExportOptions& wanted, const std::vector<std::string>& inputs, std::uint16_t port)
        : wanted_(wanted), inputs_(inputs), server_(port), token_(random_token()),
          state_(std::make_unique<State>(wanted, inputs, *wanted.formats.front())), read_(Clock::now()) {}

    [[noreturn]] void run() {
        std::printf("http://127.0.0.1:%u/%s/\n", static_cast<unsigned>(server_.port()), token_.c_str());
        std::fflush(stdout);
        server_.run([this](const HttpRequest& request) { return answer(request); });
    }

private:
    using Clock = std::chrono::steady_clock;

    HttpAnswer answer(const HttpRequest& request) {
        const std::string port = ':' + std::to_string(server_.port());
        if (request.host != "127.0.0.1" + port && request.host != "localhost" + port)
            return {403, "text/plain; charset=utf-8", "The page is asked for by another name than its address has.\n"};
        const std::string_view path = request.path;
        const std::size_t slash = std::min(path.find('/', 1), path.size());
        if (!same(path.substr(1, slash - 1), token_))
            return {403, "text/plain; charset=utf-8",
                    "The address lacks the token that " + own_command("html") + " --serve has printed.\n"};
        try {
            return answer_for(path.substr(slash), request);
        } catch (const std::exception& problem) { // such as a file that is gone
            return {500, "text/plain; charset=utf-8", base::foreign_text(problem.what()) + '\n'};
        }
    }

    HttpAnswer answer_for(std::string_view what, const HttpRequest& request) {
        if (what == "/")
            return {200, "text/html; charset=utf-8", exports::served_page(), exports::ServedPolicy};
        if (what == "/state") {
            refresh();
            return {200, "application/json",
                    "{\"state\": " + std::to_string(number_) + ", \"running\": " + (follows() ? "true" : "false") +
                        "}\n"};
        }
        if (what == "/data") {
            refresh();
            return {200, "application/octet-stream", state_->data()};
        }
        if (what == "/timeline") {
            const auto from = request.number("from"), to = request.number("to"), shortest = request.number("shortest");
            if (!from || !to || !shortest)
                return {400, "text/plain; charset=utf-8", "A part has from, to and shortest, in ns.\n"};
            if (request.number("state") != number_)
                return {404, "text/plain; charset=utf-8", "The data are newer than those of the page.\n"};
            return {200, "application/octet-stream", state_->part(*from, *to, *shortest)};
        }
        return {404, "text/plain; charset=utf-8", "There is nothing of this name.\n"};
    }

    bool follows() const { return state_->running() && failures_ < MostFailures; }

    // Reads the files again where a program writes to them. When it ends, their names change: where they cannot be
    // read, now or any more, the data stay what they are.
    void refresh() {
        if (!follows() || Clock::now() - read_ < Fresh)
            return;
        try {
            state_ = std::make_unique<State>(wanted_, inputs_, *wanted_.formats.front());
            ++number_;
            failures_ = 0;
        } catch (const std::exception& problem) {
            if (++failures_ == MostFailures)
                tell_error(std::string(problem.what()) + "; the page stays as it is");
        }
        read_ = Clock::now();
    }

    const ExportOptions& wanted_;
    const std::vector<std::string>& inputs_;
    HttpServer server_;
    const std::string token_;
    std::unique_ptr<State> state_;
    std::uint64_t number_ = 0; // of the state
    int failures_ = 0;         // to read the files, one after the other
    Clock::time_point read_;
};

} // namespace

int serve_page(const ExportOptions& wanted, const std::vector<std::string>& inputs, std::uint16_t port) {
    PageServer(wanted, inputs, port).run();
}

} // namespace vftr::cli
