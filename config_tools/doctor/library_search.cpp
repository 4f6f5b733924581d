// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/library_search.hpp"

#include "config_tools/doctor/linker_cache.hpp"
#include "config_tools/files/real_path.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::cli {
namespace {

using symbols::Linkage;

// An object that is loaded. The program is the first.
struct Object {
    std::string name, path, folder; // folder: what $ORIGIN stands for
    Linkage linkage;
    symbols::ElfFile::Identity identity;
    std::size_t loader = 0; // who wanted it first
    std::vector<std::string> names;
};

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == path.npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

// The parts between the separators; empty parts too.
std::vector<std::string> split(std::string_view text, std::string_view separators) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t end = text.find_first_of(separators);
        parts.emplace_back(text.substr(0, end));
        if (end == text.npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

// Without comments.
std::string words_in(const std::string& path) {
    std::ifstream file(path);
    std::string words;
    for (std::string line; std::getline(file, line);)
        words += line.substr(0, line.find('#')) + ' ';
    return words;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Search {
public:
    Search(const std::string& program, const Linkage& linkage, const LinkerRules& rules,
           const SearchEnvironment& environment)
        : rules_(rules), environment_(environment), cache_(rules.cache) {
        const std::string real = real_path(program);
        objects_.push_back({program, program, folder_of(real.empty() ? program : real), linkage, {}, 0, {}});
        std::string reason;
        if (const auto file = symbols::ElfFile::open(program, reason))
            objects_[0].identity = file->identity();
    }

    LibrarySearch all() {
        if (!environment_.secure)
            preload(environment_.preload, " :", "LD_PRELOAD");
        preload(words_in(rules_.preload), " \t:", rules_.preload.c_str());
        for (std::size_t i = 0; i < objects_.size() && !result_.hindrance; ++i)
            for (const std::string& name : std::vector<std::string>(objects_[i].linkage.needed))
                if ((result_.hindrance = load(name, i)))
                    break;
        if (!result_.hindrance)
            result_.hindrance = versions_wanted();
        for (std::size_t i = 1; i < objects_.size(); ++i)
            result_.found.push_back({objects_[i].name, objects_[i].path});
        return std::move(result_);
    }

private:
    void preload(const std::string& names, const char* separators, const char* who) {
        for (const std::string& name : split(names, separators))
            if (!name.empty())
                if (const auto hindrance = load(name, 0))
                    result_.not_preloaded.emplace_back(who, hindrance->what);
    }

    // Returns what is wrong; nullopt: it is loaded.
    std::optional<Hindrance> load(const std::string& name, std::size_t loader) {
        if (std::any_of(objects_.begin(), objects_.end(),
                        [&](const Object& object) { return is_called(object, name); }))
            return std::nullopt;
        trouble_ = {Hindrance::Nowhere, name + ": cannot open shared object file: No such file or directory"};
        bool loaded = false;
        if (name == rules_.soname || name == rules_.path)
            loaded = try_file(name, rules_.path, loader);
        else if (name.find('/') == name.npos)
            loaded = find(name, loader);
        else if (const std::optional<std::string> path = expanded(name, objects_[loader]))
            loaded = try_file(name, *path, loader);
        return loaded ? std::nullopt : std::optional(trouble_);
    }

    // In the order of ld.so(8).
    bool find(const std::string& name, std::size_t loader) {
        if (objects_[loader].linkage.run_path.empty())
            for (std::size_t i = loader;; i = objects_[i].loader) {
                if (objects_[i].linkage.run_path.empty() &&
                    find_in(name, objects_[i].linkage.older_run_path, ":", i, loader))
                    return true;
                if (i == 0)
                    break;
            }
        if (!environment_.secure && find_in(name, environment_.library_path, ":;", 0, loader))
            return true;
        if (find_in(name, objects_[loader].linkage.run_path, ":", loader, loader))
            return true;
        const bool no_default = objects_[loader].linkage.no_default_folders;
        for (const std::string& file : cache_.files_of(name, rules_.variants))
            if (!(no_default && is_in_default_folder(file)) && try_file(name, file, loader))
                return true;
        return !no_default && std::any_of(rules_.folders.begin(), rules_.folders.end(), [&](const std::string& folder) {
            return find_in_folder(name, folder, loader);
        });
    }

    // `owner` has the list of folders, `loader` wants the library.
    bool find_in(const std::string& name, const std::string& list, const char* separators, std::size_t owner,
                 std::size_t loader) {
        if (list.empty())
            return false;
        for (const std::string& part : split(list, separators))
            if (const std::optional<std::string> folder = expanded(part, objects_[owner]))
                if (find_in_folder(name,
                                   folder->empty()          ? "./"
                                   : folder->ends_with('/') ? *folder
                                                            : *folder + '/',
                                   loader))
                    return true;
        return false;
    }

    bool find_in_folder(const std::string& name, const std::string& folder, std::size_t loader) {
        return std::any_of(
                   rules_.variants.begin(), rules_.variants.end(),
                   [&](const std::string& variant) { return try_file(name, folder + variant + name, loader); }) ||
               try_file(name, folder + name, loader);
    }

    bool is_in_default_folder(const std::string& file) const {
        return std::any_of(rules_.folders.begin(), rules_.folders.end(),
                           [&](const std::string& folder) { return file.starts_with(folder); });
    }

    // False where there is none, or one that is not for this machine: the search goes on.
    bool try_file(const std::string& name, const std::string& path, std::size_t loader) {
        if (::access(path.c_str(), R_OK) != 0)
            return false;
        std::string reason;
        const auto file = symbols::ElfFile::open(path, reason);
        if (!file) {
            trouble_ = {Hindrance::NoLibrary, reason};
            return false;
        }
        Object object{name, path, folder_of(path), symbols::linkage_of(*file), file->identity(), loader, {}};
        const Linkage &own = objects_[0].linkage, &its = object.linkage;
        if (its.machine != own.machine || its.bits != own.bits || its.big_endian != own.big_endian) {
            trouble_ = {Hindrance::NoLibrary,
                        path + ": it is for another machine (" + symbols::machine_name(its) + ")"};
            return false;
        }
        for (Object& other : objects_)
            if (other.identity.device == object.identity.device && other.identity.inode == object.identity.inode) {
                other.names.push_back(name);
                return true;
            }
        objects_.push_back(std::move(object));
        return true;
    }

    static bool is_called(const Object& object, const std::string& name) {
        return name == object.name || name == object.linkage.soname ||
               std::find(object.names.begin(), object.names.end(), name) != object.names.end();
    }

    // With $ORIGIN, $LIB and $PLATFORM replaced, also as ${ORIGIN}; other names stay as they are. Returns nullopt where
    // the folder is not to be searched.
    std::optional<std::string> expanded(const std::string& text, const Object& owner) const {
        std::string result;
        for (std::size_t at = 0; at < text.size();) {
            std::size_t begin = at + 1, end = begin, behind = begin;
            if (text[at] == '$') {
                const bool braces = begin < text.size() && text[begin] == '{';
                begin += braces;
                for (end = begin; end < text.size() && is_word(text[end]); ++end) {
                }
                behind = end + braces;
                if (braces && (end == text.size() || text[end] != '}'))
                    behind = end = begin; // no name
            }
            const std::string_view name = std::string_view(text).substr(begin, end - begin);
            if (name == "ORIGIN" && environment_.secure)
                return std::nullopt;
            if (name == "ORIGIN")
                result += owner.folder;
            else if (name == "LIB")
                result += rules_.library_folder;
            else if (name == "PLATFORM")
                result += rules_.platform;
            else
                result.append(text, at, behind - at);
            at = behind;
        }
        return result;
    }

    std::optional<Hindrance> versions_wanted() const {
        for (const Object& object : objects_)
            for (const symbols::WantedVersions& wanted : object.linkage.wanted_versions) {
                const auto giver = std::find_if(objects_.begin(), objects_.end(),
                                                [&](const Object& other) { return is_called(other, wanted.file); });
                if (giver == objects_.end() || giver->linkage.given_versions.empty())
                    continue;
                const std::vector<std::string>& given = giver->linkage.given_versions;
                for (const std::string& version : wanted.versions)
                    if (std::find(given.begin(), given.end(), version) == given.end())
                        return Hindrance{Hindrance::TooOld, giver->path + ": version `" + version +
                                                                "' not found (required by " + object.path + ")"};
            }
        return std::nullopt;
    }

    const LinkerRules& rules_;
    const SearchEnvironment& environment_;
    LinkerCache cache_;
    std::vector<Object> objects_;
    LibrarySearch result_;
    Hindrance trouble_{}; // of the library that is searched for
};

} // namespace

LibrarySearch search_libraries(const std::string& program, const Linkage& linkage, const LinkerRules& rules,
                               const SearchEnvironment& environment) {
    return Search(program, linkage, rules, environment).all();
}

} // namespace vftr::cli
