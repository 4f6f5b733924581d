// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "export/format.hpp"
#include "export/json_writer.hpp"

namespace vftr::exports {

enum class CallPaths {
    Inside, // as objects
    Apart,  // left out: who writes the document has them in another form
};

// The document of vftr export --format=json (share_src/vftrace-export.schema.json).
void write_document(const Subject& subject, CallPaths call_paths, JsonWriter& json);

} // namespace vftr::exports
