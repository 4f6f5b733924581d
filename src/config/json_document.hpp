// SPDX-License-Identifier: BSD-3-Clause
//
// The only place that calls cJSON. Its two functions are weak here: Debian has no libcjson.a, and a
// fully static program that records must link all the same. Without them every config file is one
// error.
#pragma once

#include "config/problems.hpp"

#include <cjson/cJSON.h>
#include <memory>
#include <string>

namespace vftr::config {

struct FreeJson {
    void operator()(cJSON* node) const;
};
using Document = std::unique_ptr<cJSON, FreeJson>;

// Null if `text` is no JSON; then one error was added.
Document parse_document(const std::string& text, Problems& problems);

} // namespace vftr::config
