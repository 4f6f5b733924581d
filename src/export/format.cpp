// SPDX-License-Identifier: BSD-3-Clause
#include "export/format.hpp"

#include <algorithm>

namespace vftr::exports {

namespace {

constexpr Format Formats[] = {
#define VFTR_EXPORT(name, suffix, needs, remarks, reader, help)                                                        \
    {#name, suffix, Needs::needs, Remarks::remarks, Reader::reader, help, write_##name, nullptr},
#define VFTR_EXPORT_FOLDER(name, suffix, needs, remarks, reader, help)                                                 \
    {#name, suffix, Needs::needs, Remarks::remarks, Reader::reader, help, nullptr, write_##name},
#define VFTR_EXPORT_SPLIT(name, suffix, needs, remarks, reader, help)                                                  \
    {#name, suffix, Needs::needs, Remarks::remarks, Reader::reader, help, write_##name, write_##name##_split},
#include "export/exports.def"
#undef VFTR_EXPORT_SPLIT
#undef VFTR_EXPORT_FOLDER
#undef VFTR_EXPORT
};

} // namespace

std::span<const Format> formats() { return Formats; }

const Format* find_format(std::string_view name) {
    const auto* found = std::ranges::find(Formats, name, &Format::name);
    return found == std::end(Formats) ? nullptr : found;
}

} // namespace vftr::exports
