// SPDX-License-Identifier: BSD-3-Clause
#include "config/json_document.hpp"

#include "config/json_text.hpp"

#include <algorithm>

#pragma weak cJSON_ParseWithLengthOpts
#pragma weak cJSON_Delete

namespace vftr::config {
namespace {

struct Fault {
    std::size_t at;
    std::string message;
};

char previous(const std::string& text, std::size_t at, std::size_t* where) {
    while (at > 0 && static_cast<unsigned char>(text[at - 1]) <= ' ')
        --at;
    *where = at > 0 ? at - 1 : 0;
    return at > 0 ? text[at - 1] : '\0';
}

// Where the string that begins at `quote` ends is not in the text.
bool is_open_string(const std::string& text, std::size_t quote) {
    std::size_t at = quote + 1;
    while (at < text.size() && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return at >= text.size();
}

// A fault whose first character tells enough; empty if it does not.
Fault explain_character(const std::string& text, std::size_t at) {
    std::size_t before;
    char c = text[at];
    if ((c == '}' || c == ']') && previous(text, at, &before) == ',')
        return {before, "the comma before the closing bracket is one too many"};
    if (c == '/' || c == '#')
        return {at, "JSON has no comments"};
    if (c == '\'')
        return {at, "strings are written in double quotes"};
    return {at, ""};
}

bool is_bad_key(const std::string& text, std::size_t at) {
    std::size_t before;
    char last = previous(text, at, &before);
    return static_cast<unsigned char>(text[at]) > ' ' &&
           (last == '{' || (last == ',' && text[at] != '['));
}

// cJSON says only where it stopped: before what it could not use as a value, one byte behind what
// it could not use as a key, and in a bad string at the escape or behind the opening quote.
Fault explain_fault(const std::string& text, std::size_t stop) {
    if (skip_space(text, 0) == text.size())
        return {0, "the file is empty; allowed is an object { … }"};
    std::size_t back = stop > 0 ? stop - 1 : 0;
    if (text[back] == '"' && is_open_string(text, back))
        return {back, "the string that begins here does not end"};
    for (std::size_t at : {back, stop})
        if (at < text.size())
            if (Fault fault = explain_character(text, at); !fault.message.empty())
                return fault;
    std::size_t before;
    if (skip_space(text, stop) >= text.size()) {
        previous(text, text.size(), &before);
        return {before + 1, "the file ends too early: a bracket or a value is missing"};
    }
    char last = previous(text, stop, &before);
    if (text[stop] == '\\')
        return {stop, "this escape is none that JSON knows"};
    if (skip_space(text, skip_value(text, skip_space(text, 0))) == stop)
        return {stop, "there is text behind the end of the configuration"};
    if (is_bad_key(text, back))
        return {back, "a key in double quotes is missing here"};
    if (last == ':' || last == '[' || last == ',') {
        if (text[stop] == '{' || text[stop] == '[')
            return {stop, "the brackets are nested too deeply"};
        if (text[stop] == '}' || text[stop] == ']' || text[stop] == ',')
            return {stop, "a value is missing before this"};
        return {stop, "this is no JSON value; text needs double quotes"};
    }
    return {stop, "a comma, a colon or a closing bracket is missing before this"};
}

} // namespace

void FreeJson::operator()(cJSON* node) const {
    cJSON_Delete(node);
}

Document parse_document(const std::string& text, Problems& problems) {
    if (!cJSON_ParseWithLengthOpts || !cJSON_Delete) {
        problems.error_without_place(
            "this program has libvftrace.a without libcjson in it: VFTR_CONFIG is not read "
            "(link with -Wl,--no-as-needed -lcjson, or a static libcjson.a)");
        return nullptr;
    }
    if (std::size_t null = text.find('\0'); null != std::string::npos) {
        problems.error(null, "", "the file holds a null byte; it must be text in UTF-8");
        return nullptr;
    }
    const char* stop = nullptr;
    // The null byte behind the text counts: cJSON then sees what follows the object.
    Document document(cJSON_ParseWithLengthOpts(text.c_str(), text.size() + 1, &stop, 1));
    if (document)
        return document;
    std::size_t at = stop ? static_cast<std::size_t>(stop - text.c_str()) : 0;
    Fault fault = explain_fault(text, std::min(at, text.size()));
    problems.error(fault.at, "", fault.message);
    return nullptr;
}

} // namespace vftr::config
