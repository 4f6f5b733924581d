// SPDX-License-Identifier: BSD-3-Clause
#include "follow/shell_command.hpp"

#include "follow/next_program.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace vftr::follow {

namespace {

// Longest command with exports, in bytes; the kernel takes 128 KiB as one argument. A longer one is given unchanged.
constexpr std::size_t LongestText = 100 << 10;

// Counts the bytes of a string, and writes it if there is memory for it: the same code measures and writes.
class Text {
public:
    explicit Text(char* at) : at_(at) {}
    void add(std::string_view text) {
        if (at_)
            std::memcpy(at_ + size_, text.data(), text.size());
        size_ += text.size();
    }
    void add_quoted(std::string_view text) {
        add("'");
        for (std::size_t end; (end = text.find('\'')) != std::string_view::npos; text.remove_prefix(end + 1)) {
            add(text.substr(0, end));
            add("'\\''");
        }
        add(text);
        add("'");
    }
    std::size_t size() const { return size_; }

private:
    char* at_;
    std::size_t size_ = 0;
};

// Whether this very entry (the same pointer) is in the list, which is nullptr after clearenv().
bool is_from(const char* entry, Texts environment) {
    for (; environment && *environment; ++environment)
        if (*environment == entry)
            return true;
    return false;
}

// Calls visit(name, value) for each VFTR_* and LD_* entry that was added to the program's own `environ`.
template <class Visit>
void for_each_new(Texts environment, Visit visit) {
    for (; *environment; ++environment) {
        std::string_view entry(*environment);
        if ((entry.starts_with("VFTR_") || entry.starts_with("LD_")) && !is_from(*environment, environ))
            visit(entry.substr(0, entry.find('=')), entry.substr(entry.find('=') + 1));
    }
}

std::size_t write_command(Texts environment, const char* command, char* at) {
    Text text(at);
    for_each_new(environment, [&](std::string_view name, std::string_view value) {
        text.add(name);
        text.add("=");
        text.add_quoted(value);
        text.add(";export ");
        text.add(name);
        text.add(";");
    });
    text.add({command, std::strlen(command) + 1});
    return text.size();
}

} // namespace

void with_exports(const char* command, void (*use)(const char* text, void* data), void* data) {
    int saved = errno;
    char parent[inherit::ProvenanceSize];
    bool ours = command && inherited_environment().follow && memory_is_own() &&
                arguments_are_readable(command, nullptr, environ);
    if (!ours) {
        errno = saved;
        return use(command, data);
    }
    with_environment(environ, next_provenance(process_role(), next_spawn_number(), parent),
                     [&](const inherit::Plan& plan) {
                         bool changed = plan.environment && plan.environment != environ;
                         std::size_t size = changed ? write_command(plan.environment, command, nullptr) : 0;
                         Room room(size <= LongestText ? size : 0);
                         if (room.mapped())
                             write_command(plan.environment, command, static_cast<char*>(room.mapped()));
                         errno = saved;
                         use(room.mapped() ? static_cast<char*>(room.mapped()) : command, data);
                         saved = errno;
                         return 0;
                     });
    errno = saved;
}

} // namespace vftr::follow
