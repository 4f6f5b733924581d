// SPDX-License-Identifier: BSD-3-Clause
//
// Reads one file of the symbol store (store_format.hpp). Everything in it is untrusted: what does not fit into the file
// is not there, and a damaged file gives no name or a wrong one, nothing worse. It is read, never mapped: where
// somebody cuts it, a read comes back short instead of as a SIGBUS in the user's process.
#pragma once

#include "symbols/store_format.hpp"
#include "symbols/symbols.hpp"

#include <optional>
#include <unordered_map>

namespace vftr::symbols {

// Owns the descriptor. One thread at a time.
class StoredSymbols {
public:
    struct Found {
        std::string_view name; // lives as long as the StoredSymbols
        std::uint64_t start;
        bool fortran, weak; // as SymbolTable::Found
        std::string_view
            origin; // what tells it apart from others of its name (shared_names.hpp); empty: nothing has to
    };

    // The file of this module in the folder of a store; nullopt: there is none that is whole and believed.
    static std::optional<StoredSymbols> open(const std::string& folder, const Module& module);
    // One file of a store, whatever it is of. `reason` says in one line with the path why it cannot be read.
    static std::optional<StoredSymbols> open_file(const std::string& path, std::string& reason);

    StoredSymbols(StoredSymbols&& other) noexcept;
    StoredSymbols& operator=(StoredSymbols&& other) noexcept;
    ~StoredSymbols();

    // Of this user or root, and nobody else may write it. Others' files give no names.
    bool believed() const { return believed_; }
    const std::string& key() const { return key_; }
    const std::string& path() const { return path_; } // of the object, when it was stored
    bool complete() const { return (header_.flags & StoreComplete) != 0; }
    // Functions that share a name, in the object and with those of others. Not so in files of earlier versions.
    bool distinguishes() const {
        return (header_.flags & (StoreDistinguished | StoreWeakKnown)) == (StoreDistinguished | StoreWeakKnown);
    }
    std::uint64_t size() const { return header_.functions; }

    // The function that covers `address` (as in the object's symbol table).
    std::optional<Found> find(std::uint64_t address) const;

private:
    StoredSymbols(int fd, const StoreHeader& header) : fd_(fd), header_(header) {}
    bool read_at(std::uint64_t offset, void* to, std::size_t size) const;
    bool read_function(std::uint64_t index, StoredFunction& function) const;
    std::optional<Found> name_of(std::uint64_t index, const StoredFunction& function) const;
    // The number of functions that begin at or before `address`; nullopt: the file cannot be read.
    std::optional<std::uint64_t> begun_at(std::uint64_t address) const;

    int fd_ = -1;
    StoreHeader header_{};
    bool believed_ = false;
    std::string key_, path_;
    struct Name {
        std::string name, origin;
    };
    bool read_text(std::uint64_t offset, std::uint64_t size, std::string& text) const;
    mutable std::unordered_map<std::uint64_t, Name> names_; // those that were found
    mutable std::uint64_t names_bytes_ = 0;                 // of them in all
};

} // namespace vftr::symbols
