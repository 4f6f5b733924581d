// SPDX-License-Identifier: BSD-3-Clause
#include "advice/exclude_lists.hpp"

#include "symbols/cxx_names.hpp"
#include "symbols/shared_names.hpp"

#include <algorithm>

namespace vftr::advice {
namespace {

constexpr auto None = std::string_view::npos;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != None; at += to.size())
        text.replace(at, from.size(), to);
}

// By how much this character changes the nesting depth in template arguments or parameters.
int nesting(char c) { return c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0; }

// The position of "operator" outside of template arguments and parameters; the end of the name if there is none.
std::size_t operator_in(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (depth == 0 && text.substr(i).starts_with("operator") &&
            (i == 0 || text[i - 1] == ':' || text[i - 1] == ' '))
            return i;
        depth += nesting(text[i]);
    }
    return text.size();
}

// Removes the return type, with which names of templates begin.
std::string_view without_type(std::string_view name) {
    int depth = 0;
    std::size_t begin = 0;
    const std::size_t end = operator_in(name);
    for (std::size_t i = 0; i < end; ++i) {
        depth += nesting(name[i]);
        if (depth == 0 && name[i] == ' ')
            begin = i + 1;
    }
    return name.substr(begin);
}

// The beginning of a name that gcc writes in the same way as tables do.
std::string common_part(const std::string& name) {
    const std::size_t op = operator_in(name), arguments = name.find('<');
    if (arguments < op)
        return name.substr(0, arguments + 1);
    if (op == name.size())
        return name;
    // "operator< <int>", "operator==<int>"
    const std::size_t symbol = op + std::string_view("operator").size(), space = name.find(" <", symbol);
    const std::size_t begin = space != name.npos ? space + 1 : name.find('<', name.find_first_not_of("<=>-", symbol));
    return begin == name.npos ? name : name.substr(0, begin + 1);
}

// A function that is to be recorded, by gcc's name. Where that is not known it is the name of the tables, which has all
// that gcc's name has and more, so no match is missed.
struct Recorded {
    std::string name, file;
    bool minor;
};

std::vector<Recorded> as_gcc_sees(const std::vector<ListedFunction>& functions) {
    std::vector<Recorded> result;
    for (const ListedFunction& function : functions)
        result.push_back({gcc_name(function.name).value_or(function.name), function.file, function.minor});
    return result;
}

bool has_part(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

enum class Spare { All, NotMinor };

bool hits(const std::string& part, std::string Recorded::*where, const std::vector<Recorded>& recorded, Spare spare) {
    return std::any_of(recorded.begin(), recorded.end(), [&](const Recorded& function) {
        return has_part(function.*where, part) && (spare == Spare::All || !function.minor);
    });
}

// The part of the file's path that gcc uses, in whatever folder it was started.
std::string file_entry(const std::string& file, const std::vector<std::string>& header_folders,
                       const std::vector<Recorded>& recorded) {
    for (const std::string& folder : header_folders)
        if (file.starts_with(folder + "/"))
            return hits(folder, &Recorded::file, recorded, Spare::NotMinor) ? file : folder;
    return file.substr(file.rfind('/') + 1); // npos + 1 is 0
}

void tidy(std::vector<std::string>& entries) {
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    const std::vector<std::string> all = entries;
    std::erase_if(entries, [&](const std::string& entry) {
        return std::any_of(all.begin(), all.end(),
                           [&](const std::string& other) { return other != entry && entry.find(other) != entry.npos; });
    });
}

} // namespace

std::optional<std::string> gcc_name(std::string_view name) {
    name = symbols::without_origin(name);
    std::string text(name.substr(0, name.find(" [clone ")));
    replace_all(text, "(anonymous namespace)", "{anonymous}");
    if (text.empty() || text.find("{lambda") != None || text.find("{unnamed") != None || text.find("'lambda") != None ||
        text.find("+0x") != None || text.starts_with("0x"))
        return std::nullopt;
    if (const std::size_t tag = text.rfind("[abi:"); tag != None) // an ABI tag follows the name
        text.erase(tag, text.find(']', tag) + 1 - tag);
    if (const std::size_t module = text.find("_MOD_"); module != None)
        return text.substr(module + 5);
    if (const std::size_t module = text.rfind("::");
        module != None && text.find_first_of("(<") == None) // a Fortran name, as those of C++ have parameters
        return text.substr(module + 2);
    const std::string result(without_type(symbols::without_parameters(text)));
    const bool odd = result.empty() || result.find('(') < std::min(result.find('<'), operator_in(result));
    return odd ? std::nullopt : std::optional(result);
}

ExcludeLists exclude_lists(const std::vector<ListedFunction>& excluded, const std::vector<ListedFunction>& others,
                           const std::vector<std::string>& header_folders) {
    const std::vector<Recorded> recorded = as_gcc_sees(others);
    ExcludeLists lists;
    for (const ListedFunction& function : excluded) {
        const std::optional<std::string> name = gcc_name(function.name);
        const std::string entry = name ? common_part(*name) : "";
        const bool whole = name && entry == *name;
        const bool by_name = name && !hits(entry, &Recorded::name, recorded, whole ? Spare::All : Spare::NotMinor);
        const std::string file = function.file.empty() ? "" : file_entry(function.file, header_folders, recorded);
        const bool by_file = !file.empty() && !hits(file, &Recorded::file, recorded, Spare::NotMinor);
        if (by_file && !(by_name && whole))
            lists.files.push_back(file);
        else if (by_name)
            lists.functions.push_back(entry);
        else
            lists.uncovered.push_back(function.name);
    }
    tidy(lists.functions);
    tidy(lists.files);
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        auto hit = [&](const std::string& text) {
            return [&text](const std::string& entry) { return has_part(text, entry); };
        };
        if (std::any_of(lists.functions.begin(), lists.functions.end(), hit(recorded[i].name)) ||
            std::any_of(lists.files.begin(), lists.files.end(), hit(recorded[i].file)))
            lists.also.push_back(others[i].name);
    }
    return lists;
}

std::string list_text(const std::vector<std::string>& entries) {
    std::string text;
    for (std::string entry : entries) {
        replace_all(entry, ",", "\\,");
        text.append(text.empty() ? "" : ",").append(entry);
    }
    return text;
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view Plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./,:@%";
    if (!text.empty() && text.find_first_not_of(Plain) == None)
        return std::string(text);
    std::string word(text);
    replace_all(word, "'", "'\\''");
    return "'" + word + "'";
}

} // namespace vftr::advice
