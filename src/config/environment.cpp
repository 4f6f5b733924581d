// SPDX-License-Identifier: BSD-3-Clause
#include "config/environment.hpp"

#include "base/environment.hpp"
#include "config/json_text.hpp"
#include "config/option.hpp"
#include "config/value.hpp"

#include <initializer_list>

namespace vftr::config {
namespace {

bool equal_any_case(const char* text, const char* lower) {
    for (; *text && *lower; ++text, ++lower)
        if ((*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text) != *lower)
            return false;
    return *text == *lower;
}

constexpr char AllowedFlags[] = "1, yes, on, true or 0, no, off, false";

bool is_one_of(const char* text, std::initializer_list<const char*> words) {
    if (text)
        for (const char* word : words)
            if (equal_any_case(text, word))
                return true;
    return false;
}

bool is_false(const char* text) { return is_one_of(text, {"0", "no", "off", "false"}); }

void warn(Loaded& loaded, std::string_view option, std::string message) {
    loaded.problems.push_back({.severity = Problem::Severity::Warning,
                               .file = "the environment",
                               .option = std::string(option),
                               .message = std::move(message),
                               .excerpt = {}});
}

std::string quoted(const char* text) { return json_string(std::string_view(text).substr(0, 200)); }

void refuse(const Option& option, const char* text, const std::string& fault, Loaded& loaded) {
    bool flag = option.type == Type::Flag;
    bool here = option.check.kind == Check::Kind::WritableDirectory && option_text(option, loaded.config) == "\".\"";
    std::string message = std::string(option.variable) + " is " + quoted(text);
    if (!fault.empty() && option.type != Type::Choice)
        message += ": " + fault;
    message += ".\nAllowed is " + (flag ? std::string(AllowedFlags) : allowed(option)) + ".\nRecording goes on with " +
               json_string(option.path) + ": " + option_text(option, loaded.config) +
               (here ? " (the current directory)." : ".");
    warn(loaded, option.path, std::move(message));
}

// For the types that no row VFTR_OPTION_FROM has.
template <class Value>
void assign(const Option&, const char*, Value&, Loaded&) {}

void assign(const Option& option, const char* text, bool& value, Loaded& loaded) {
    if (!is_true(text) && !is_false(text))
        return refuse(option, text, {}, loaded);
    value = is_true(text);
}

void assign(const Option& option, const char* text, std::string& value, Loaded& loaded) {
    if (std::string fault = text_fault(option, text); !fault.empty())
        return refuse(option, text, fault, loaded);
    value = text;
}

void assign(const Option& option, const char* text, std::optional<std::string>& value, Loaded& loaded) {
    std::string read;
    assign(option, text, read, loaded);
    if (!read.empty())
        value = std::move(read);
}

} // namespace

bool is_true(const char* text) { return is_one_of(text, {"1", "yes", "on", "true"}); }

bool off_by_environment() { return is_true(base::environment_value("VFTR_OFF")); }

void read_environment(Loaded& loaded) {
    if (const char* text = base::environment_value("VFTR_OFF"); text && *text && !is_true(text) && !is_false(text))
        warn(loaded, "off", "VFTR_OFF is " + quoted(text) + ".\nAllowed is " + AllowedFlags + ".\nRecording goes on.");
    for (const Option& option : all_options()) {
        if (option.variable.empty())
            continue;
        const char* text = base::environment_value(std::string(option.variable).c_str());
        if (text && *text)
            std::visit([&](auto member) { assign(option, text, loaded.config.*member, loaded); }, option.member);
    }
}

} // namespace vftr::config
