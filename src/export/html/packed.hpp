// SPDX-License-Identifier: BSD-3-Clause
//
// The form of all data of a page, packed by gzip: a document of JSON for people and scripts, a directory of JSON for
// the page, and numbers as columns, which the directory tells the places of. html.cpp says what a run has in them, and
// compare/comparison_page.cpp what a comparison has.
//   "vftrace1"   8 bytes
//   u32 size     of the document, in bytes, little-endian
//   u32 size     of the directory
//   document, directory, columns; each begins at a multiple of 8 bytes
#pragma once

#include "export/gzip_sink.hpp"
#include "export/html/columns.hpp"
#include "export/json_writer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::exports {

// Pads the columns, and writes the member "profiles" of a directory: for each tree {"rows", "titles": [name…],
// "short_titles": [name…], "columns": [{"name", "type", "offset"}…]}. Returns the bytes of all columns, from whose
// begin offsets count.
std::uint64_t write_trees(std::vector<TreeColumns>& trees, JsonWriter& json);

void write_texts(const char* name, const std::vector<std::string>& texts, JsonWriter& json);

// The columns are emptied, as they are large.
void put_packed(std::string document, std::string directory, std::vector<TreeColumns>& trees, GzipSink& gzip);

} // namespace vftr::exports
