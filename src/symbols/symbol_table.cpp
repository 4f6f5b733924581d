// SPDX-License-Identifier: BSD-3-Clause
//
// Which files are asked for the names of a module, and in which order:
//   1. the module's path, if what lies there is what was loaded (same build-id, where one was
//   recorded);
//   2. /proc/self/exe, if its build-id is the recorded one: the running program whose file was
//   deleted or replaced;
//   3. a separate debug file, where the file has only dynamic symbols or none, or is itself gone.
// Another program's symbols are worse than none, so a file that may be another one is not read.
#include "symbols/debug_file.hpp"
#include "symbols/hex.hpp"
#include "symbols/name_clean.hpp"
#include "symbols/printable.hpp"
#include "symbols/symbol_index.hpp"

#include <algorithm>
#include <new>

namespace vftr::symbols {

struct SymbolTable::Impl {
    std::optional<ElfFile> file, debug; // before the index, which points into them
    SymbolIndex index;
    std::string reason;

    void open(const Module& module);
    void read(const Module& module);
};

namespace {

std::string describe(std::span<const std::uint8_t> build_id) {
    return build_id.empty() ? "no build-id" : "build-id " + hex_of(build_id);
}

std::optional<ElfFile> open_same(const std::string& path, const Module& module,
                                 std::string& reason) {
    auto file = ElfFile::open(path, reason);
    if (!file || module.build_id.empty())
        return file;
    const auto id = file->build_id();
    if (std::ranges::equal(id, module.build_id))
        return file;
    reason = path + ": is not the file that was loaded (it has " + describe(id) +
             ", recorded was " + describe(module.build_id) + ")";
    return std::nullopt;
}

} // namespace

void SymbolTable::Impl::open(const Module& module) {
    if (!module.path.starts_with('/')) { // [vdso], a memfd, anonymous memory
        reason = "\"" + module.path + "\" is not the path of a file";
        return;
    }
    file = open_same(module.path, module, reason);
    if (!file && !module.build_id.empty()) {
        std::string ignored;
        file = open_same("/proc/self/exe", module, ignored);
    }
}

void SymbolTable::Impl::read(const Module& module) {
    open(module);
    const std::size_t full = file ? index.add(*file, SHT_SYMTAB) : 0;
    if (full == 0) {
        if (file)
            index.add(*file, SHT_DYNSYM);
        debug = file ? debug_file_of(*file, module.path) : debug_file_of(module.build_id);
        if (debug)
            index.add(*debug, SHT_SYMTAB);
    }
    index.finish();
    if (index.size() == 0 && reason.empty())
        reason = module.path + ": has no function symbols";
    else if (index.size() != 0)
        reason.clear();
}

SymbolTable::SymbolTable(const Module& module) : impl_(std::make_unique<Impl>()) {
    try {
        impl_->read(module);
    } catch (const std::bad_alloc&) { // in the user's process that is no reason to end it
        impl_ = std::make_unique<Impl>();
        impl_->reason = module.path + ": not enough memory for its symbols";
    }
    impl_->reason = printable(std::move(impl_->reason));
}

SymbolTable::~SymbolTable() = default;
SymbolTable::SymbolTable(SymbolTable&&) noexcept = default;
SymbolTable& SymbolTable::operator=(SymbolTable&&) noexcept = default;

std::string_view SymbolTable::find(std::uint64_t file_address) const {
    const auto found = impl_->index.find(file_address);
    return found ? found->name : std::string_view();
}

std::string SymbolTable::clean(std::uint64_t file_address, const NameOptions& options) const {
    const auto found = impl_->index.find(file_address);
    return found ? clean_name(found->name, options, found->fortran) : std::string();
}

bool SymbolTable::usable() const {
    return impl_->index.size() != 0;
}

const std::string& SymbolTable::reason() const {
    return impl_->reason;
}

} // namespace vftr::symbols
