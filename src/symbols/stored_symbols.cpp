// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/stored_symbols.hpp"

#include "base/descriptor.hpp"
#include "base/whole_io.hpp"
#include "symbols/identity.hpp"
#include "symbols/store.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace vftr::symbols {

namespace {

constexpr std::uint32_t longest_string = 1 << 16; // limit for a key or a path
// C++ has names of some hundred thousand bytes.
constexpr std::uint32_t longest_name = 1 << 20;
// Limit in bytes for all names that are read from one file, because a damaged file may refer to the same bytes again
// and again.
constexpr std::uint64_t most_names = 256 << 20;
// Number of nested functions that a search follows.
constexpr int max_depth = 16;

// Whether the parts that the header describes are within a file of this size.
bool is_consistent(const StoreHeader& header, std::uint64_t size) {
    if (std::memcmp(header.magic, StoreMagic, sizeof StoreMagic) != 0 || header.version != StoreVersion ||
        header.file_size != size || header.key_size > longest_string || header.path_size > longest_string)
        return false;
    const std::uint64_t texts_end = sizeof header + header.key_size + header.path_size;
    return header.functions_offset >= texts_end && header.functions_offset <= size &&
           header.functions <= (size - header.functions_offset) / sizeof(StoredFunction) &&
           header.functions < NoFunction && header.names_offset <= size &&
           header.names_size <= size - header.names_offset;
}

} // namespace

std::optional<StoredSymbols> StoredSymbols::open_file(const std::string& path, std::string& reason) {
    const int fd = base::open_file(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        reason = path + ": " + std::strerror(-fd);
        return std::nullopt;
    }
    StoredSymbols file(path, fd);
    struct stat info {};
    reason = path + ": is no whole file of symbols";
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || !file.read_at(0, &file.header_, sizeof file.header_) ||
        !is_consistent(file.header_, static_cast<std::uint64_t>(info.st_size)))
        return std::nullopt;
    file.key_.resize(file.header_.key_size);
    file.path_.resize(file.header_.path_size);
    if (!file.read_at(sizeof file.header_, file.key_.data(), file.key_.size()) ||
        !file.read_at(sizeof file.header_ + file.key_.size(), file.path_.data(), file.path_.size()))
        return std::nullopt;
    reason.clear();
    file.is_trusted_ = is_believed(info);
    return file;
}

std::optional<StoredSymbols> StoredSymbols::open(const std::string& folder, const Module& module) {
    const std::string key = module_key(module);
    if (folder.empty() || key.empty())
        return std::nullopt;
    for (const auto& name : SymbolStore(folder).candidates(key, module.path)) {
        std::string reason;
        auto file = open_file(folder + "/" + name, reason);
        if (file && file->is_trusted() && file->key() == key)
            return file;
    }
    return std::nullopt;
}

// Where it was opened by a helper that is gone (base/own_descriptors.hpp). Returns false if another file is there now.
bool StoredSymbols::open_again() const {
    file_ = base::OpenFile(base::open_file(place_.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY));
    StoreHeader header{};
    return base::read_at(file_.descriptor(), &header, sizeof header, 0) == sizeof header &&
           std::memcmp(&header, &header_, sizeof header) == 0;
}

bool StoredSymbols::read_at(std::uint64_t offset, void* to, std::size_t size) const {
    return (file_.is_here() || open_again()) &&
           base::read_at(file_.descriptor(), to, size, offset) == static_cast<ssize_t>(size);
}

bool StoredSymbols::read_function(std::uint64_t index, StoredFunction& function) const {
    return index < header_.functions &&
           read_at(header_.functions_offset + index * sizeof function, &function, sizeof function);
}

// Reads from the names.
bool StoredSymbols::read_string(std::uint64_t offset, std::uint64_t size, std::string& text) const {
    if (size == 0 || size > longest_name || offset > header_.names_size || size > header_.names_size - offset ||
        size > most_names - names_bytes_)
        return false;
    text.resize(size);
    names_bytes_ += size;
    return read_at(header_.names_offset + offset, text.data(), size) &&
           text.find('\0') == text.npos; // a hole in the file is not a name
}

std::optional<StoredSymbols::Found> StoredSymbols::name_of(std::uint64_t index, const StoredFunction& function) const {
    const bool fortran = (function.flags & StoredFortran) != 0;
    const bool weak = (function.flags & StoredWeak) != 0 || (header_.flags & StoreWeakKnown) == 0;
    if (const auto known = names_.find(index); known != names_.end())
        return Found{known->second.name, function.start, fortran, weak, known->second.origin};
    Name name;
    if (!read_string(function.name, function.name_size, name.name))
        return std::nullopt;
    const std::uint64_t behind = function.name + function.name_size;
    std::uint16_t size = 0;
    if ((function.flags & StoredShared) != 0 && behind + sizeof size <= header_.names_size &&
        read_at(header_.names_offset + behind, &size, sizeof size) &&
        !read_string(behind + sizeof size, size, name.origin))
        name.origin.clear();
    const Name& kept = names_.emplace(index, std::move(name)).first->second;
    return Found{kept.name, function.start, fortran, weak, kept.origin};
}

std::optional<std::uint64_t> StoredSymbols::begun_at(std::uint64_t address) const {
    std::uint64_t low = 0, high = header_.functions;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        StoredFunction function;
        if (!read_function(middle, function))
            return std::nullopt;
        if (function.start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::optional<StoredSymbols::Found> StoredSymbols::find(std::uint64_t address) const {
    const auto begun = begun_at(address);
    if (!begun || *begun == 0)
        return std::nullopt;
    std::uint64_t index = *begun - 1;
    StoredFunction function;
    for (int depth = 0; depth < max_depth && read_function(index, function); ++depth) {
        if (address - function.start < function.size)
            return name_of(index, function);
        if (function.enclosing >= index)
            break;
        index = function.enclosing;
    }
    return std::nullopt;
}

} // namespace vftr::symbols
