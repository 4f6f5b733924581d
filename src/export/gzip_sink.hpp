// SPDX-License-Identifier: BSD-3-Clause
//
// Compresses what goes to a sink, as one member of a gzip file (RFC 1952) without a name or a time, so that the same
// text gives the same bytes. The level is zlib's fastest: call trees repeat themselves so much that higher levels gain
// little.
#pragma once

#include "export/sink.hpp"

#include <array>
#include <new>
#include <string_view>

#include <zlib.h>

namespace vftr::exports {

class GzipSink {
public:
    // Throws std::bad_alloc.
    explicit GzipSink(Sink& to) : to_(to) {
        constexpr int LargestWindow = 15, WithGzipHeader = 16, UsualMemory = 8;
        if (deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, LargestWindow + WithGzipHeader, UsualMemory,
                         Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    GzipSink(const GzipSink&) = delete;
    GzipSink& operator=(const GzipSink&) = delete;
    ~GzipSink() { deflateEnd(&stream_); }

    // `text` has less than 4 GiB.
    void text(std::string_view text) { compress(text, Z_NO_FLUSH); }
    // Nothing may follow.
    void end() { compress({}, Z_FINISH); }

private:
    void compress(std::string_view text, int flush) {
        std::array<char, 1 << 14> out;
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // zlib only reads it
        stream_.avail_in = static_cast<uInt>(text.size());
        do { // until zlib leaves room, it has more to write
            stream_.next_out = reinterpret_cast<Bytef*>(out.data());
            stream_.avail_out = static_cast<uInt>(out.size());
            deflate(&stream_, flush);
            to_.text({out.data(), out.size() - stream_.avail_out});
        } while (stream_.avail_out == 0);
    }

    Sink& to_;
    z_stream stream_{};
};

} // namespace vftr::exports
