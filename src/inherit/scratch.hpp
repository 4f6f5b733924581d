// SPDX-License-Identifier: BSD-3-Clause
//
// Memory of the caller, handed out from both ends: a list of pointers grows from its begin, texts from its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>

namespace vftr::inherit {

class Scratch {
public:
    Scratch(void* memory, std::size_t bytes)
        : list_(static_cast<char**>(memory)), first_string_(static_cast<char*>(memory) + bytes) {}

    bool full() const { return full_; }

    void push(char* entry) {
        if (full_ || room() < sizeof(char*)) {
            full_ = true;
            return;
        }
        list_[count_++] = entry;
    }
    char** list() const { return list_; }

    // Room for a text; nullptr where there is none.
    char* reserve(std::size_t size) {
        if (full_ || room() < size) {
            full_ = true;
            return nullptr;
        }
        return first_string_ -= size;
    }

    // The pieces, one after the other and 0-terminated; nullptr where they do not fit.
    char* text(std::initializer_list<std::string_view> pieces) {
        std::size_t size = 1;
        for (std::string_view piece : pieces)
            size += piece.size();
        char* begin = reserve(size);
        if (!begin)
            return nullptr;
        char* at = begin;
        for (std::string_view piece : pieces)
            at = append(at, piece);
        *at = '\0';
        return begin;
    }

    static char* append(char* at, std::string_view piece) {
        if (!piece.empty()) // may have no address
            std::memcpy(at, piece.data(), piece.size());
        return at + piece.size();
    }

private:
    std::size_t room() const {
        return static_cast<std::size_t>(first_string_ - reinterpret_cast<char*>(list_ + count_));
    }

    char** list_;
    char* first_string_;
    std::size_t count_ = 0;
    bool full_ = false;
};

} // namespace vftr::inherit
