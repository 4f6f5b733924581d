// SPDX-License-Identifier: BSD-3-Clause
#include "export/html/packed.hpp"

#include "export/html/little_endian.hpp"

#include <utility>

namespace vftr::exports {
namespace {

// Up to a multiple of 8 bytes, with spaces after JSON, which may end in such.
void pad(std::string& bytes, char with) { bytes.append((8 - bytes.size() % 8) % 8, with); }

} // namespace

void write_texts(const char* name, const std::vector<std::string>& texts, JsonWriter& json) {
    json.key(name);
    json.array([&] {
        for (const std::string& text : texts)
            json.value(text);
    });
}

std::uint64_t write_trees(std::vector<TreeColumns>& trees, JsonWriter& json) {
    std::uint64_t offset = 0;
    json.key("profiles");
    json.array([&] {
        for (TreeColumns& tree : trees)
            json.object([&] {
                json.member("rows", std::uint64_t{tree.rows});
                write_texts("titles", tree.titles, json);
                write_texts("short_titles", tree.short_titles, json);
                json.key("columns");
                json.array([&] {
                    for (NumberColumn& column : tree.columns) {
                        pad(column.bytes, '\0');
                        json.object([&] {
                            json.member("name", column.name);
                            json.member("type", column.type);
                            json.member("offset", offset);
                        });
                        offset += column.bytes.size();
                    }
                });
            });
    });
    return offset;
}

void put_packed(std::string document, std::string directory, std::vector<TreeColumns>& trees, GzipSink& gzip) {
    pad(document, ' ');
    pad(directory, ' ');
    std::string head = "vftrace1";
    for (const std::string* text : {&document, &directory})
        append_little_endian(head, static_cast<std::uint32_t>(text->size()));
    gzip.text(head);
    gzip.text(document);
    gzip.text(directory);
    for (TreeColumns& tree : trees)
        for (NumberColumn& column : tree.columns)
            gzip.text(std::exchange(column.bytes, {}));
}

} // namespace vftr::exports
