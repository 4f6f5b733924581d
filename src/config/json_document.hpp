// SPDX-License-Identifier: BSD-3-Clause
//
// The only place that calls cJSON. Its two functions are weak references here: Debian has no libcjson.a, and a fully
// static program that is recorded must link nevertheless. Without cJSON every config file results in one error.
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

// Parses `copy`. Mistakes of syntax are added to `problems` and repaired in `copy`, which is then changed and serves
// only to find further problems. Returns null if the text cannot be repaired.
Document parse_document(RepairedText& copy, Problems& problems);

} // namespace vftr::config
