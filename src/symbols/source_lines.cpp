// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/source_lines.hpp"

#include "symbols/debug_file.hpp"
#include "symbols/elf_sections.hpp"
#include "symbols/elf_symbols.hpp"
#include "symbols/libdw.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vftr::symbols {

std::string_view without_outlining(std::string_view symbol) {
    for (const std::string_view mark : {"._omp_fn.", "._omp_cpyfn.", ".omp_outlined", ".omp_task_entry"}) {
        const auto at = symbol.find(mark);
        if (at != std::string_view::npos && at != 0)
            return symbol.substr(0, at);
    }
    return symbol;
}

#ifdef HAVE_LIBDW

namespace {

// Whether the compiler has generated the name without the name of any function in it.
bool has_no_function_name(std::string_view name) {
    return name.starts_with(".omp_") || name.starts_with("__omp_offloading_");
}

bool is_fortran(int language) {
    return language == DW_LANG_Fortran77 || language == DW_LANG_Fortran90 || language == DW_LANG_Fortran95 ||
           language == DW_LANG_Fortran03 || language == DW_LANG_Fortran08;
}

std::uint64_t size_of_debug_sections(const ElfFile& file) {
    std::uint64_t size = 0;
    std::size_t names = 0;
    if (elf_getshdrstrndx(file.handle(), &names) != 0)
        return 0;
    for_each_section(file, [&](Elf_Scn* section, const GElf_Shdr& header) {
        const char* name = elf_strptr(file.handle(), names, header.sh_name);
        if (!name || !(std::string_view(name).starts_with(".debug_") || std::string_view(name).starts_with(".zdebug_")))
            return;
        GElf_Chdr unpacked;
        size += gelf_getchdr(section, &unpacked) ? unpacked.ch_size : header.sh_size;
    });
    return size;
}

struct Written {
    // Index in the file list of the unit, which counts from 0 or 1 (libdw returns no name for 0).
    std::optional<Dwarf_Word> file;
    int line;
    std::string_view symbol; // valid as long as the debug information is open
};
// A function that was inlined, where it was.
struct Inlined {
    Dwarf_Addr begin, end;
    int depth; // how many scopes of the function are around it
    Dwarf_Die die;
};
struct Coded {
    Dwarf_Die die;
    // The linker's name of the function inside which it is defined; empty: none.
    std::string_view host;
    std::optional<std::vector<Inlined>> inlined; // once it was asked for
};
// A part of the code of a function: they may have several.
struct Range {
    Dwarf_Addr begin, end;
    std::size_t function; // index in Functions::with_code
};
struct Functions {
    std::vector<Written> written;
    std::vector<Coded> with_code;
    std::vector<Range> ranges; // by address
};
// The functions of the units that were queried, by the unit's address in memory. Traversing a unit takes long (libdw
// traverses each sibling if the compiler, like clang, does not note where the next one begins), and there are many
// constructs.
using FunctionsOfUnits = std::unordered_map<const void*, Functions>;

// The debug information of one compilation unit.
class Unit {
public:
    Unit(const Libdw& libdw, Dwarf_Die& die, FunctionsOfUnits& units) : libdw_(libdw), die_(die), units_(units) {}

    std::optional<SourceLine> find(Dwarf_Addr address) {
        SourceLine found;
        Dwarf_Line* row = libdw_.dwarf_getsrc_die(&die_, address);
        int line = 0;
        if (!row || libdw_.dwarf_lineno(row, &line) != 0 || line <= 0)
            return std::nullopt;
        found.line = static_cast<std::uint32_t>(line);
        found.fortran = is_fortran(libdw_.dwarf_srclang(&die_));
        found.function = function_at(address);
        return found;
    }

    std::optional<SourceLocation> declaration_at(Dwarf_Addr address) {
        Coded* coded = function_with(address);
        const char* file = coded ? libdw_.dwarf_decl_file(&coded->die) : nullptr;
        int line = 0;
        if (!file || libdw_.dwarf_decl_line(&coded->die, &line) != 0 || line <= 0)
            return std::nullopt;
        return SourceLocation{absolute(file), static_cast<std::uint32_t>(line)};
    }

    // An included file is noted relative to the directory in which the compiler was started, or with its directory as
    // it was found.
    std::string absolute(const char* file) const {
        Dwarf_Attribute value;
        const char* folder = *file != '/' && libdw_.dwarf_attr_integrate(&die_, DW_AT_comp_dir, &value)
                                 ? libdw_.dwarf_formstring(&value)
                                 : nullptr;
        return (folder ? std::string(folder) + "/" : std::string()) + file;
    }

    std::string_view host_at(Dwarf_Addr address) {
        const Coded* coded = function_with(address);
        return coded ? coded->host : std::string_view();
    }

    InlinedFunctions inlined_at(Dwarf_Addr address) {
        InlinedFunctions found{{}, is_fortran(libdw_.dwarf_srclang(&die_))};
        if (Coded* coded = function_with(address))
            for (Dwarf_Die& die : dies_inlined_at(*coded, address))
                found.symbols.emplace_back(symbol_of(die));
        return found;
    }

private:
    static constexpr int MaxNesting = 16, MaxInlining = 128;

    Coded* function_with(Dwarf_Addr address) {
        Functions& all = functions();
        const auto after = std::ranges::upper_bound(all.ranges, address, {}, &Range::begin);
        const bool found = after != all.ranges.begin() && address < std::prev(after)->end;
        return found ? &all.with_code[std::prev(after)->function] : nullptr;
    }

    // Calls visit(begin, end) for each part of the code.
    template <class Visit>
    void for_each_range(Dwarf_Die& die, Visit visit) const {
        Dwarf_Addr base, begin, end;
        for (std::ptrdiff_t at = 0; (at = libdw_.dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
            visit(begin, end);
    }

    // From the innermost one outwards.
    std::vector<Dwarf_Die> dies_inlined_at(Coded& function, Dwarf_Addr address) const {
        if (!function.inlined)
            list_inlined(function.die, 0, function.inlined.emplace());
        std::vector<const Inlined*> here;
        for (const Inlined& inlined : *function.inlined)
            if (address >= inlined.begin && address < inlined.end)
                here.push_back(&inlined);
        std::ranges::sort(here, std::greater(), &Inlined::depth);
        std::vector<Dwarf_Die> dies;
        for (const Inlined* inlined : here)
            dies.push_back(inlined->die);
        return dies;
    }

    void list_inlined(Dwarf_Die& scope, int depth, std::vector<Inlined>& found) const {
        Dwarf_Die inner;
        if (depth == MaxInlining || libdw_.dwarf_child(&scope, &inner) != 0)
            return;
        do {
            const int tag = libdw_.dwarf_tag(&inner);
            if (tag == DW_TAG_inlined_subroutine)
                for_each_range(inner, [&](Dwarf_Addr begin, Dwarf_Addr end) {
                    found.push_back({begin, end, depth, inner});
                });
            if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block)
                list_inlined(inner, depth + 1, found);
        } while (libdw_.dwarf_siblingof(&inner, &inner) == 0);
    }

    std::string function_at(Dwarf_Addr address) {
        std::optional<Dwarf_Die> function = innermost_at(address);
        if (!function)
            return {};
        const std::string_view symbol = symbol_of(*function);
        if (has_no_function_name(symbol))
            return std::string(enclosing_user_function(*function));
        return std::string(libdw_.dwarf_tag(&*function) == DW_TAG_inlined_subroutine ? without_outlining(symbol) : "");
    }

    // Returns the function at the address, or the innermost function that was inlined there.
    std::optional<Dwarf_Die> innermost_at(Dwarf_Addr address) {
        Coded* coded = function_with(address);
        if (!coded)
            return std::nullopt;
        const std::vector<Dwarf_Die> inlined = dies_inlined_at(*coded, address);
        return inlined.empty() ? coded->die : inlined.front();
    }
    std::string_view symbol_of(Dwarf_Die& die) const {
        for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
            Dwarf_Attribute value;
            if (libdw_.dwarf_attr_integrate(&die, attribute, &value))
                if (const char* text = libdw_.dwarf_formstring(&value))
                    return text;
        }
        const char* name = libdw_.dwarf_diename(&die);
        return name ? name : "";
    }

    // Returns the user's function within which this function, which the compiler has generated, begins in the source:
    // the last one before it in its file. A function that was generated for a task may have no declared line, but a
    // call line at the task.
    std::string_view enclosing_user_function(Dwarf_Die& made) {
        for (const auto& [file, line] :
             {std::pair(DW_AT_decl_file, DW_AT_decl_line), std::pair(DW_AT_call_file, DW_AT_call_line)})
            if (const std::optional<Dwarf_Word> before = number_of(made, line))
                return last_before(number_of(made, file), static_cast<int>(*before));
        return {};
    }
    std::string_view last_before(std::optional<Dwarf_Word> file, int line) {
        const Written* last = nullptr;
        for (const Written& function : functions().written)
            if (function.file == file && function.line <= line && (!last || function.line > last->line))
                last = &function;
        return last ? last->symbol : std::string_view();
    }
    Functions& functions() {
        const auto [at, is_new] = units_.try_emplace(die_.addr);
        Functions& all = at->second;
        if (is_new) {
            list(die_, all, 0, {});
            for (std::size_t i = 0; i < all.with_code.size(); ++i)
                for_each_range(all.with_code[i].die, [&](Dwarf_Addr begin, Dwarf_Addr end) {
                    all.ranges.push_back({begin, end, i});
                });
            std::ranges::sort(all.ranges, {}, &Range::begin);
        }
        return all;
    }

    std::optional<Dwarf_Word> number_of(Dwarf_Die& die, unsigned attribute) const {
        Dwarf_Attribute value;
        Dwarf_Word number = 0;
        const bool known =
            libdw_.dwarf_attr_integrate(&die, attribute, &value) && libdw_.dwarf_formudata(&value, &number) == 0;
        return known ? std::optional(number) : std::nullopt;
    }

    void list(Dwarf_Die& parent, Functions& functions, int depth, std::string_view host) {
        Dwarf_Die die;
        if (depth == MaxNesting || libdw_.dwarf_child(&parent, &die) != 0)
            return;
        do {
            switch (libdw_.dwarf_tag(&die)) {
            case DW_TAG_subprogram:
                consider(die, functions, host);
                list(die, functions, depth + 1,
                     libdw_.dwarf_hasattr(&die, DW_AT_main_subprogram) ? "MAIN__" : symbol_of(die));
                break;
            case DW_TAG_namespace:
            case DW_TAG_class_type:
            case DW_TAG_structure_type:
            case DW_TAG_module:
                list(die, functions, depth + 1, host);
                break;
            default:
                break;
            }
        } while (libdw_.dwarf_siblingof(&die, &die) == 0);
    }

    void consider(Dwarf_Die& die, Functions& functions, std::string_view host) {
        if (libdw_.dwarf_hasattr(&die, DW_AT_low_pc) || libdw_.dwarf_hasattr(&die, DW_AT_ranges))
            functions.with_code.push_back({die, host, {}});
        int line = 0;
        if (libdw_.dwarf_hasattr(&die, DW_AT_artificial) || libdw_.dwarf_hasattr(&die, DW_AT_declaration) ||
            libdw_.dwarf_decl_line(&die, &line) != 0 || line <= 0)
            return;
        const std::string_view symbol = symbol_of(die);
        if (!symbol.empty() && !has_no_function_name(symbol))
            functions.written.push_back({number_of(die, DW_AT_decl_file), line, without_outlining(symbol)});
    }

    const Libdw& libdw_;
    Dwarf_Die& die_;
    FunctionsOfUnits& units_;
};

} // namespace

struct SourceLines::Impl {
    const Libdw* libdw;
    std::string reason;
    std::optional<ElfFile> object, debug;
    Dwarf* dwarf = nullptr;
    FunctionsOfUnits units;

    Impl(const Module& module, std::int32_t process) : libdw(Libdw::load()) {
        if (!libdw)
            return;
        object = ElfSymbols::open(module, process, reason);
        if (object && open(*object))
            return;
        debug = object ? debug_file_of(*object, module.path) : debug_file_of(module.build_id);
        if (debug)
            open(*debug);
    }
    ~Impl() {
        if (dwarf)
            libdw->dwarf_end(dwarf);
    }
    Impl(const Impl&) = delete;

    // A file without debug information is not used.
    bool open(const ElfFile& file) {
        dwarf = libdw->dwarf_begin_elf(file.handle(), DWARF_C_READ, nullptr);
        Dwarf_Off next;
        std::size_t header;
        if (dwarf && libdw->dwarf_nextcu(dwarf, 0, &next, &header, nullptr, nullptr, nullptr) != 0) {
            libdw->dwarf_end(dwarf);
            dwarf = nullptr;
        }
        return dwarf != nullptr;
    }

    // Not all compilers write a table of the units' addresses, so otherwise all units are searched.
    std::optional<Dwarf_Die> unit_of(Dwarf_Addr address) {
        Dwarf_Die die;
        if (libdw->dwarf_addrdie(dwarf, address, &die))
            return die;
        Dwarf_Off next;
        std::size_t header;
        for (Dwarf_Off at = 0; libdw->dwarf_nextcu(dwarf, at, &next, &header, nullptr, nullptr, nullptr) == 0;
             at = next)
            if (libdw->dwarf_offdie(dwarf, at + header, &die) && libdw->dwarf_haspc(&die, address) > 0)
                return die;
        return std::nullopt;
    }

    std::optional<SourceLine> find(Dwarf_Addr address) {
        std::optional<Dwarf_Die> die = unit_of(address);
        return die ? Unit(*libdw, *die, units).find(address) : std::nullopt;
    }

    std::string host(Dwarf_Addr address) {
        std::optional<Dwarf_Die> die = unit_of(address);
        return die ? std::string(Unit(*libdw, *die, units).host_at(address)) : std::string();
    }

    InlinedFunctions inlined(Dwarf_Addr address) {
        std::optional<Dwarf_Die> die = unit_of(address);
        return die ? Unit(*libdw, *die, units).inlined_at(address) : InlinedFunctions();
    }

    std::string file(Dwarf_Addr address) {
        std::optional<Dwarf_Die> die = unit_of(address);
        Dwarf_Line* row = die ? libdw->dwarf_getsrc_die(&*die, address) : nullptr;
        const char* name = row ? libdw->dwarf_linesrc(row, nullptr, nullptr) : nullptr;
        return name ? name : "";
    }

    std::optional<SourceLocation> declaration(Dwarf_Addr address) {
        std::optional<Dwarf_Die> die = unit_of(address);
        return die ? Unit(*libdw, *die, units).declaration_at(address) : std::nullopt;
    }

    std::optional<SourceLocation> place(Dwarf_Addr address) {
        std::optional<Dwarf_Die> die = unit_of(address);
        Dwarf_Line* row = die ? libdw->dwarf_getsrc_die(&*die, address) : nullptr;
        const char* name = row ? libdw->dwarf_linesrc(row, nullptr, nullptr) : nullptr;
        int line = 0;
        if (!name || libdw->dwarf_lineno(row, &line) != 0 || line <= 0)
            return std::nullopt;
        return SourceLocation{Unit(*libdw, *die, units).absolute(name), static_cast<std::uint32_t>(line)};
    }
};

SourceLines::SourceLines(const Module& module, std::int32_t process) : impl_(std::make_unique<Impl>(module, process)) {}

std::optional<SourceLine> SourceLines::find(std::uint64_t file_address) const {
    return impl_->dwarf ? impl_->find(file_address) : std::nullopt;
}

std::string SourceLines::file(std::uint64_t file_address) const {
    return impl_->dwarf ? impl_->file(file_address) : std::string();
}

std::optional<SourceLocation> SourceLines::place(std::uint64_t file_address) const {
    return impl_->dwarf ? impl_->place(file_address) : std::nullopt;
}

std::optional<SourceLocation> SourceLines::declaration(std::uint64_t file_address) const {
    return impl_->dwarf ? impl_->declaration(file_address) : std::nullopt;
}

std::string SourceLines::host(std::uint64_t file_address) const {
    return impl_->dwarf ? impl_->host(file_address) : std::string();
}

InlinedFunctions SourceLines::inlined(std::uint64_t file_address) const {
    return impl_->dwarf ? impl_->inlined(file_address) : InlinedFunctions();
}

bool SourceLines::known() const { return impl_->dwarf; }
std::uint64_t SourceLines::size_of(const Module& module, std::int32_t process) {
    std::string reason;
    const std::optional<ElfFile> object = ElfSymbols::open(module, process, reason);
    std::uint64_t size = object ? size_of_debug_sections(*object) : 0;
    if (size == 0)
        if (const auto debug = object ? debug_file_of(*object, module.path) : debug_file_of(module.build_id))
            size = size_of_debug_sections(*debug);
    return size;
}

bool SourceLines::is_here() const {
    return (!impl_->object || impl_->object->is_here()) && (!impl_->debug || impl_->debug->is_here());
}

#else

struct SourceLines::Impl {};
SourceLines::SourceLines(const Module&, std::int32_t) {}
std::optional<SourceLine> SourceLines::find(std::uint64_t) const { return std::nullopt; }
std::string SourceLines::file(std::uint64_t) const { return {}; }
std::optional<SourceLocation> SourceLines::place(std::uint64_t) const { return std::nullopt; }
std::optional<SourceLocation> SourceLines::declaration(std::uint64_t) const { return std::nullopt; }
std::string SourceLines::host(std::uint64_t) const { return {}; }
InlinedFunctions SourceLines::inlined(std::uint64_t) const { return {}; }
std::uint64_t SourceLines::size_of(const Module&, std::int32_t) { return 0; }
bool SourceLines::known() const { return false; }
bool SourceLines::is_here() const { return true; }

#endif

SourceLines::~SourceLines() = default;
SourceLines::SourceLines(SourceLines&&) noexcept = default;
SourceLines& SourceLines::operator=(SourceLines&&) noexcept = default;

} // namespace vftr::symbols
