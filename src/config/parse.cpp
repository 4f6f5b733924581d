// SPDX-License-Identifier: BSD-3-Clause
//
// From the text of a config file to a Config. cJSON says what the file means, the text beside it
// where that is written; the table says what may stand there. Nothing ends the walk early: one pass
// finds every problem.
#include "config/advisor.hpp"
#include "config/counters_check.hpp"
#include "config/idle.hpp"
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
        for_each_key(path, entry, text_, problems_,
                     [&](const Entry& item) { read_key(path, valid, item); });
    }
    const Given& given() const { return given_; }

private:
    void read_key(const std::string& section, const std::vector<Child>& valid, const Entry& item) {
        std::string_view name = item.node->string;
        auto child = std::find_if(valid.begin(), valid.end(),
                                  [&](const Child& candidate) { return candidate.name == name; });
        if (child == valid.end())
            return warn_unknown(section, valid, item);
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

    void warn_unknown(const std::string& section, const std::vector<Child>& valid,
                      const Entry& item) {
        std::vector<std::string_view> names;
        for (const Child& child : valid)
            names.push_back(child.name);
        std::string_view name = item.node->string;
        problems_.warning(item.key_at, join(section, name), advise(section, name, names));
    }

    std::string_view text_;
    Problems& problems_;
    Config& target_;
    Given given_;
};

// Defaults that depend on other options.
void settle(const Given& given, Config& config) {
    if (!given.contains("hwprof.active"))
        config.hwprof_active =
            !config.hwprof_counters.empty() || !config.hwprof_default_scenario.empty();
}

} // namespace

Loaded parse(const std::string& text, const std::string& file_name) {
    Loaded loaded;
    if (text.starts_with("\xef\xbb\xbf")) // a byte order mark, which editors do not show
        return parse(text.substr(3), file_name);
    Problems problems(text, file_name);
    if (Document document = parse_document(text, problems)) {
        std::size_t at = skip_space(text, 0);
        Entry top{document.get(), at, at, std::string_view(text).substr(at)};
        if ((document->type & 0xff) == cJSON_Object) {
            Reader reader(text, problems, loaded.config);
            reader.read_section("", top);
            check_counters(reader.given(), text, problems, loaded.config);
            settle(reader.given(), loaded.config);
            loaded.idle = idle_options(reader.given(), text, file_name, loaded.config);
            loaded.not_yet = options_of_later(reader.given(), loaded.config);
            loaded.source = file_name;
        } else {
            problems.error(at, "", "the file holds " + shown(top) + "; allowed is an object { … }");
        }
    }
    loaded.problems = problems.take();
    return loaded;
}

} // namespace vftr::config
