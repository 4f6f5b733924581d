// SPDX-License-Identifier: BSD-3-Clause
//
// The only place that calls cJSON. Its two functions are weak here: Debian has no libcjson.a, and a
// fully static program that records must link all the same. Without them every config file is one
// error.
#pragma once

#include "config/problems.hpp"
#include "config/repaired_text.hpp"

#include <cjson/cJSON.h>
#include <memory>
#include <string>

namespace vftr::config {

struct FreeJson {
    void operator()(cJSON* node) const;
};
using Document = std::unique_ptr<cJSON, FreeJson>;

// What `copy` holds. Its mistakes of syntax are added to `problems`, and repaired in `copy`, which is then changed:
// only for who looks for further problems. Null where that is not possible.
Document parse_document(RepairedText& copy, Problems& problems);

} // namespace vftr::config
