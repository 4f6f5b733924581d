// SPDX-License-Identifier: BSD-3-Clause
//
// Writes JSON piece by piece, by RapidJSON. Text has to be UTF-8, as names of profiles are (base/foreign_text.hpp).
#pragma once

#include "export/sink.hpp"

#include <cstdint>
#include <string_view>

// RapidJSON adds to a null pointer while its stack has no memory, which UndefinedBehaviorSanitizer takes for an error.
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include <rapidjson/writer.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

namespace vftr::exports {

class JsonWriter {
public:
    explicit JsonWriter(Sink& sink) : stream_{sink}, writer_(stream_) {}

    // `fill` writes the members or elements.
    template <class Fill>
    void object(Fill fill) {
        begin_object();
        fill();
        end_object();
    }
    template <class Fill>
    void array(Fill fill) {
        writer_.StartArray();
        fill();
        writer_.EndArray();
    }
    void begin_object() { writer_.StartObject(); }
    void end_object() { writer_.EndObject(); }
    void key(std::string_view name) { text(name); }
    void value(std::string_view text_value) { text(text_value); }
    void value(const std::string& text_value) { text(text_value); }
    void value(const char* text_value) { text(text_value); }
    void value(std::uint64_t number) { writer_.Uint64(number); }
    void value(std::int64_t number) { writer_.Int64(number); }
    void value(bool flag) { writer_.Bool(flag); }
    void value(double number) { writer_.Double(number); }
    // A number as it is to stand in the file.
    void number(const char* digits, int size) {
        writer_.RawValue(digits, static_cast<std::size_t>(size), rapidjson::kNumberType);
    }
    template <class Value>
    void member(std::string_view name, const Value& its) {
        key(name);
        value(its);
    }

private:
    struct Stream {
        using Ch = char;
        Sink& sink;
        void Put(char c) { sink.character(c); }
        void Flush() {}
    };
    void text(std::string_view its) { writer_.String(its.data(), static_cast<rapidjson::SizeType>(its.size())); }

    Stream stream_;
    rapidjson::Writer<Stream> writer_;
};

} // namespace vftr::exports
