// SPDX-License-Identifier: BSD-3-Clause
//
// Turns the text of a config file into a Config. cJSON gives the meaning of the file, the text gives the positions, and
// the table says which keys and values are allowed. No mistake ends the walk early, so one run finds every problem.
#include "config/counters_check.hpp"
#include "config/ineffective_options.hpp"
#include "config/json_document.hpp"
#include "config/section.hpp"
#include "config/value.hpp"

#include <algorithm>

namespace vftr::config {
namespace {

class Reader {
public:
    Reader(std::string_view text, Problems& problems, Config& target)
        : text_(text), problems_(problems), target_(target) {}

    void read_section(std::string_view section, const Entry& entry) {
        std::vector<Child> valid = children(section);
        std::string path(section);
        for_each_key(path, entry, text_, problems_, [&](const Entry& item) { read_key(path, valid, item); });
    }
    const Given& given() const { return given_; }

private:
    void read_key(const std::string& section, const std::vector<Child>& valid, const Entry& item) {
        std::string_view name = item.node->string;
        auto child =
            std::find_if(valid.begin(), valid.end(), [&](const Child& candidate) { return candidate.name == name; });
        if (child == valid.end()) {
            std::vector<std::string_view> names;
            for (const Child& other : valid)
                names.push_back(other.name);
            return warn_unknown(section, item, names, problems_);
        }
        given_.emplace(child->path, item);
        if (!child->option)
            read_subsection(*child, item);
        else if (is_list(*child->option))
            read_list(*child->option, item, text_, problems_, target_);
        else
            read_value(*child->option, item, problems_, target_);
    }

    void read_subsection(const Child& child, const Entry& item) {
        if ((item.node->type & 0xff) == cJSON_Object)
            return read_section(child.path, item);
        wrong_value(std::string(child.path), item, "an object: this is a section", problems_);
    }

    std::string_view text_;
    Problems& problems_;
    Config& target_;
    Given given_;
};

// Sets defaults that depend on other options.
void settle(const Given& given, Config& config) {
    if (!given.contains("hwprof.active"))
        config.hwprof_active = defaults_beside(config).hwprof_active;
}

// A text with a mistake of syntax is read only to find its other mistakes.
Loaded read_top(const Entry& top, const RepairedText& copy, const std::string& file_name, Problems& problems) {
    Loaded loaded;
    const std::string& text = copy.text();
    Reader reader(text, problems, loaded.config);
    reader.read_section("", top);
    check_counters(reader.given(), text, problems, loaded.config);
    if (copy.is_changed())
        return {};
    settle(reader.given(), loaded.config);
    loaded.ineffective = ineffective_options(reader.given(), text, file_name, loaded.config);
    loaded.not_yet = options_of_later(reader.given(), loaded.config);
    loaded.source = file_name;
    return loaded;
}

Loaded parse_unmarked(const std::string& text, const std::string& file_name) {
    Loaded loaded;
    RepairedText copy(text);
    Problems problems(text, copy, file_name);
    if (Document document = parse_document(copy, problems)) {
        std::size_t at = skip_space(copy.text(), 0);
        Entry top{document.get(), at, at, std::string_view(copy.text()).substr(at)};
        if ((document->type & 0xff) == cJSON_Object)
            loaded = read_top(top, copy, file_name, problems);
        else
            problems.error(at, "", "the file holds " + shown(top) + "; allowed is an object { … }");
    }
    loaded.problems = problems.take();
    return loaded;
}

} // namespace

Loaded parse(const std::string& text, const std::string& file_name) {
    const bool is_marked = text.starts_with("\xef\xbb\xbf"); // the byte order mark, which editors do not show
    return is_marked ? parse_unmarked(text.substr(3), file_name) : parse_unmarked(text, file_name);
}

} // namespace vftr::config
