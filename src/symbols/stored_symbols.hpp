// SPDX-License-Identifier: BSD-3-Clause
//
// Reads a file of the symbol store (store_format.hpp). Its contents are untrusted: parts that exceed the file are
// ignored, and a damaged file yields no name or a wrong one, but nothing worse. It is read and never mapped: if
// somebody truncates it, a read returns fewer bytes, whereas a mapping would cause a SIGBUS in the user's process.
#pragma once

#include "base/own_descriptors.hpp"
#include "symbols/store_format.hpp"
#include "symbols/symbols.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace vftr::symbols {

// Owns the descriptor. Only one thread at a time may use it.
class StoredSymbols {
public:
    struct Found {
        std::string_view name; // valid as long as the StoredSymbols exists
        std::uint64_t start;
        bool fortran, weak; // see SymbolTable::Found
        // What distinguishes it from others with its name (shared_names.hpp); empty if that is not necessary.
        std::string_view origin;
    };

    // Opens the file of this module in the folder of a store. Returns nullopt if there is none that is complete and
    // is_trusted().
    static std::optional<StoredSymbols> open(const std::string& folder, const Module& module);
    // Opens a file of a store, whatever its object. If that fails, `reason` is one line with the path and the reason.
    static std::optional<StoredSymbols> open_file(const std::string& path, std::string& reason);

    // Whether it belongs to this user or root, and nobody else may write it. Names from other files are not used.
    bool is_trusted() const { return is_trusted_; }
    const std::string& key() const { return key_; }
    const std::string& path() const { return path_; } // path of the object when it was stored
    bool complete() const { return (header_.flags & StoreComplete) != 0; }
    // Whether functions that share a name are marked, both within the object and with those of other objects. They are
    // not in files of earlier versions.
    bool distinguishes() const {
        return (header_.flags & (StoreDistinguished | StoreWeakKnown)) == (StoreDistinguished | StoreWeakKnown);
    }
    std::uint64_t size() const { return header_.functions; }

    // Finds the function that covers `address` (as in the object's symbol table).
    std::optional<Found> find(std::uint64_t address) const;

private:
    StoredSymbols(std::string place, int descriptor) : place_(std::move(place)), file_(descriptor) {}
    bool open_again() const;
    bool read_at(std::uint64_t offset, void* to, std::size_t size) const;
    bool read_function(std::uint64_t index, StoredFunction& function) const;
    std::optional<Found> name_of(std::uint64_t index, const StoredFunction& function) const;
    // Returns the number of functions that begin at or before `address`, or nullopt if the file cannot be read.
    std::optional<std::uint64_t> begun_at(std::uint64_t address) const;

    std::string place_;
    mutable base::OpenFile file_;
    StoreHeader header_{};
    bool is_trusted_ = false;
    std::string key_, path_;
    struct Name {
        std::string name, origin;
    };
    bool read_string(std::uint64_t offset, std::uint64_t size, std::string& text) const;
    mutable std::unordered_map<std::uint64_t, Name> names_; // cache of the names that were found
    mutable std::uint64_t names_bytes_ = 0;                 // total size of the cached names
};

} // namespace vftr::symbols
