// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/elf_file.hpp"

#include "base/descriptor.hpp"
#include "base/modification_time.hpp"
#include "base/whole_io.hpp"
#include "symbols/crc32.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <gelf.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace vftr::symbols {

namespace {

constexpr std::uint64_t max_small_section = 1 << 20; // notes and links are far smaller

// Returns the descriptor of a regular file, or -1 with the reason. Devices and FIFOs are not even opened, because that
// may block or have side effects.
int open_regular(const std::string& path, std::string& reason) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) {
        reason = path + ": " + std::strerror(errno);
        return -1;
    }
    if (!S_ISREG(info.st_mode)) {
        reason = path + ": not a regular file";
        return -1;
    }
    const int fd = base::open_file(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        reason = path + ": " + std::strerror(-fd);
        return -1;
    }
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) { // replaced since the check above
        reason = path + ": not a regular file";
        base::close_file(fd);
        return -1;
    }
    return fd;
}

bool is_loadable_object(Elf* elf) {
    GElf_Ehdr header;
    return elf != nullptr && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header) != nullptr &&
           (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

// Parses notes as the recorder does in memory (record/modules/loaded_object.cpp). libelf requires padding behind the
// last note, which the linker omits for some lengths of the id.
std::vector<std::uint8_t> build_id_in_notes(Elf_Data* data) {
    if (data == nullptr || data->d_buf == nullptr)
        return {};
    const auto* bytes = static_cast<const std::uint8_t*>(data->d_buf);
    const std::size_t align = data->d_type == ELF_T_NHDR8 ? 8 : 4;
    const auto padded = [align](std::size_t n) { return (n + align - 1) / align * align; };
    GElf_Nhdr note;
    for (std::size_t at = 0; at < data->d_size && data->d_size - at >= sizeof note;) {
        std::memcpy(&note, bytes + at, sizeof note);
        const std::size_t name = at + sizeof note, descriptor = name + padded(note.n_namesz);
        if (descriptor > data->d_size || data->d_size - descriptor < note.n_descsz)
            break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            std::memcmp(bytes + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0 && note.n_descsz > 0)
            return {bytes + descriptor, bytes + descriptor + note.n_descsz};
        at = descriptor + padded(note.n_descsz);
    }
    return {};
}

// The section contains the name, zero bytes up to a multiple of four, and the checksum in the byte order of the file.
std::optional<DebugLink> parse_debug_link(const Elf_Data* data, bool big_endian) {
    if (data == nullptr || data->d_buf == nullptr)
        return std::nullopt;
    const auto* text = static_cast<const char*>(data->d_buf);
    const std::size_t length = strnlen(text, data->d_size);
    const std::size_t crc_offset = (length + 4) / 4 * 4;
    if (length == 0 || crc_offset + 4 > data->d_size || std::memchr(text, '/', length) != nullptr)
        return std::nullopt;
    DebugLink link{std::string(text, length), 0};
    const auto* bytes = reinterpret_cast<const unsigned char*>(text) + crc_offset;
    for (int i = 0; i < 4; ++i)
        link.crc |= static_cast<std::uint32_t>(bytes[big_endian ? 3 - i : i]) << (8 * i);
    return link;
}

} // namespace

bool ElfFile::prepare() {
    static std::atomic<bool> told{false};
    if (!told.load(std::memory_order_acquire))
        told.store(elf_version(EV_CURRENT) != EV_NONE, std::memory_order_release);
    return told.load(std::memory_order_relaxed);
}

std::optional<ElfFile> ElfFile::open(const std::string& path, std::string& reason) {
    if (!prepare()) {
        reason = "libelf is too old for this program";
        return std::nullopt;
    }
    const int fd = open_regular(path, reason);
    if (fd < 0)
        return std::nullopt;
    ElfFile file(base::OpenFile(fd), elf_begin(fd, ELF_C_READ, nullptr));
    if (!is_loadable_object(file.elf_)) {
        reason = path + ": not an ELF executable or shared object";
        return std::nullopt;
    }
    return file;
}

ElfFile::ElfFile(ElfFile&& other) noexcept : file_(std::move(other.file_)), elf_(std::exchange(other.elf_, nullptr)) {}

ElfFile& ElfFile::operator=(ElfFile&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(elf_, other.elf_);
    return *this;
}

ElfFile::~ElfFile() {
    if (elf_ != nullptr)
        elf_end(elf_);
}

Elf_Data* ElfFile::data(Elf_Scn* section, std::uint64_t max_bytes) const {
    GElf_Shdr header;
    if (section == nullptr || gelf_getshdr(section, &header) == nullptr || header.sh_size > max_bytes ||
        (header.sh_flags & SHF_COMPRESSED) != 0)
        return nullptr;
    return elf_getdata(section, nullptr);
}

ElfFile::Identity ElfFile::identity() const {
    struct stat info {};
    if (fstat(file_.descriptor(), &info) != 0)
        return {};
    return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
            static_cast<std::uint64_t>(info.st_size), base::modification_time(info)};
}

ssize_t ElfFile::read_at(std::uint64_t offset, void* to, std::size_t bytes) const {
    return base::read_at(file_.descriptor(), to, bytes, offset);
}

std::vector<std::uint8_t> ElfFile::build_id() const {
    auto id = build_id_from_sections();
    return id.empty() ? build_id_from_segments() : id;
}

std::vector<std::uint8_t> ElfFile::build_id_from_sections() const {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf_, section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_NOTE)
            continue;
        if (auto id = build_id_in_notes(data(section, max_small_section)); !id.empty())
            return id;
    }
    return {};
}

std::vector<std::uint8_t> ElfFile::build_id_from_segments() const {
    std::size_t count = 0;
    if (elf_getphdrnum(elf_, &count) != 0)
        return {};
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf_, static_cast<int>(i), &header) == nullptr)
            return {};
        if (header.p_type != PT_NOTE || header.p_filesz > max_small_section)
            continue;
        const auto type = header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
        const auto offset = static_cast<std::int64_t>(header.p_offset);
        if (auto id = build_id_in_notes(elf_getdata_rawchunk(elf_, offset, header.p_filesz, type)); !id.empty())
            return id;
    }
    return {};
}

std::optional<DebugLink> ElfFile::debug_link() const {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf_, &names) != 0)
        return std::nullopt;
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf_, section)) != nullptr) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS)
            continue;
        const char* name = elf_strptr(elf_, names, header.sh_name);
        if (name == nullptr || std::string_view(name) != ".gnu_debuglink")
            continue;
        const char* ident = elf_getident(elf_, nullptr);
        return parse_debug_link(data(section, max_small_section), ident != nullptr && ident[EI_DATA] == ELFDATA2MSB);
    }
    return std::nullopt;
}

std::optional<std::uint32_t> ElfFile::checksum() const {
    std::array<unsigned char, 65536> buffer;
    std::uint32_t crc = 0;
    for (off_t offset = 0;;) {
        const ssize_t size = pread(file_.descriptor(), buffer.data(), buffer.size(), offset);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return std::nullopt;
        if (size == 0)
            return crc;
        crc = crc32(crc, buffer.data(), static_cast<std::size_t>(size));
        offset += size;
    }
}

} // namespace vftr::symbols
