// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/records.hpp"

namespace vftr::vfd {

namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

void read_modules(const Segment& segment, const Source& source, std::vector<ModuleView>& out) {
    auto size = [](const ModuleRecord& r) -> std::size_t { return std::size_t{r.build_id_size} + r.path_size; };
    auto add = [&](const ModuleRecord& r, std::span<const std::byte> bytes) {
        std::span<const std::byte> id = bytes.first(r.build_id_size);
        out.push_back({&r,
                       {reinterpret_cast<const std::uint8_t*>(id.data()), id.size()},
                       as_text(bytes.subspan(r.build_id_size))});
    };
    for_each_record<ModuleRecord>(segment, source, size, add);
}

void read_names(const Segment& segment, const Source& source, std::vector<NameView>& out) {
    auto size = [](const NameRecord& r) -> std::size_t { return r.size; };
    auto add = [&](const NameRecord& r, std::span<const std::byte> bytes) {
        source.require(r.kind <= NodeKind::OpenMp, &r, "damaged name: unknown kind");
        out.push_back({r.key, r.module, r.kind, r.flags, as_text(bytes)});
    };
    for_each_record<NameRecord>(segment, source, size, add);
}

} // namespace vftr::vfd
