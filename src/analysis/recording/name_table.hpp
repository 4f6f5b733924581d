// SPDX-License-Identifier: BSD-3-Clause
//
// The names of a profile's paths, by number, and how the functions of one recording find theirs. Several functions may
// have the same name; the string of each function is hashed only once.
#pragma once

#include "analysis/merge/flat_map.hpp"
#include "analysis/recording/naming.hpp"
#include "vfd/image.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vftr::analysis {

// Not thread-safe. The image and `names`, to which names are appended, must outlive it.
class NameTable {
public:
    NameTable(const vfd::Image& image, std::vector<std::string>& names)
        : resolver_(image, symbols::ModuleIds::Always), names_(names) {}
    NameTable(const vfd::Image& image, symbols::NameSources sources, std::vector<std::string>& names)
        : resolver_(image, std::move(sources), symbols::ModuleIds::Always), names_(names) {}

    std::uint32_t index_of(const vfd::Node& node) {
        Latest& latest = latest_[(node.key ^ node.key >> 12) % Remembered];
        if (latest.key != node.key || latest.module != node.module || latest.kind != node.kind)
            latest = {node.key, look_up(node), node.module, node.kind};
        return latest.index;
    }
    // `name` must outlive the table.
    std::uint32_t index_of_text(const std::string& name) {
        auto [text, is_new] = by_text_.try_emplace(name, names_.size());
        if (is_new)
            names_.push_back(name);
        else
            has_synonyms_ = true;
        return text->second;
    }
    // That of the row of code without hooks. No node has such a name, so that many samples of one are no synonyms.
    std::uint32_t index_of_unhooked(const vfd::CpuSample& sample) {
        const std::string& name = resolver_.without_hooks(sample);
        const auto index = known(name);
        return index ? *index : index_of_text(name);
    }
    // The index of a name that a node has; nullopt: none has it so far.
    std::optional<std::uint32_t> known(const std::string& name) const {
        const auto found = by_text_.find(name);
        return found == by_text_.end() ? std::nullopt : std::optional(found->second);
    }
    std::size_t size() const { return names_.size(); }
    const std::string& text(std::uint32_t index) const { return names_[index]; }
    // Whether any two functions seen so far have the same name.
    bool has_synonyms() const { return has_synonyms_; }
    Names& names() { return resolver_; }

private:
    // A tree has few functions, and neighbouring nodes often share them.
    static constexpr std::size_t Remembered = 1024;
    struct Latest {
        std::uint64_t key = 0;
        std::uint32_t index = 0;
        std::uint16_t module = 0;
        NodeKind kind = NodeKind{0xff}; // none
    };

    std::uint32_t look_up(const vfd::Node& node) {
        const std::string& name = resolver_.of(node); // lives as long as the resolver
        std::uint32_t& index = by_place_[reinterpret_cast<std::uintptr_t>(&name)];
        if (index == FlatMap::Missing)
            index = index_of_text(name);
        return index;
    }

    Names resolver_;
    std::vector<std::string>& names_;
    FlatMap by_place_;
    std::unordered_map<std::string_view, std::uint32_t> by_text_;
    std::vector<Latest> latest_ = std::vector<Latest>(Remembered);
    bool has_synonyms_ = false;
};

} // namespace vftr::analysis
