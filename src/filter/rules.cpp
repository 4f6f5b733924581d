// SPDX-License-Identifier: BSD-3-Clause
#include "filter/rules.hpp"

#include "record/recorder.hpp"

#include <algorithm>
#include <utility>

namespace vftr::filter {

namespace {

std::optional<symbols::Pattern> compiled(const std::optional<std::string>& expression) {
    return expression ? std::optional<symbols::Pattern>(*expression) : std::nullopt;
}

} // namespace

Rules::Set Rules::set_of(const std::optional<std::string>& functions, const std::optional<std::string>& files,
                         const std::optional<std::string>& modules) {
    return {compiled(functions), compiled(files), compiled(modules)};
}

Rules::Rules(const config::Config& config, symbols::NameOptions options, symbols::NameSources sources)
    : names_(options, std::move(sources)),
      include_(set_of(config.filter_include_functions, config.filter_include_files, config.filter_include_modules)),
      exclude_(set_of(config.filter_exclude_functions, config.filter_exclude_files, config.filter_exclude_modules)),
      precise_(compiled(config.sampling_active ? config.sampling_precise_functions : std::nullopt)) {
    for (const config::FilterTrigger& trigger : config.filter_triggers)
        triggers_.emplace_back(trigger.function);
}

bool Rules::trivial() const { return !include_.given() && !exclude_.given() && !precise_ && triggers_.empty(); }

const std::string& Rules::name(Question& question) {
    if (!question.name)
        question.name = names_.name(question.module, question.address);
    return *question.name;
}

const std::string& Rules::file(Question& question) {
    if (!question.file) {
        const symbols::SourceLines& lines = names_.lines(question.module);
        question.file = lines.file(question.address - question.module.bias);
        if (!lines.known() && !std::exchange(told_without_files_, true))
            without_files_ = question.module.path;
    }
    return *question.file;
}

// What is not known matches nothing, not even an expression that matches everything.
bool Rules::matches(const Set& set, Question& question) {
    if (set.modules && set.modules->matches(question.module.path))
        return true;
    if (set.functions && set.functions->matches(name(question)))
        return true;
    return set.files && !file(question).empty() && set.files->matches(file(question));
}

Rules::Ruling Rules::on(const symbols::Module& module, std::uint64_t address) {
    Ruling ruling;
    Question question{module, address, {}, {}};
    for (std::uint32_t i = 0; i < triggers_.size(); ++i)
        if (triggers_[i].matches(name(question)))
            ruling.triggers.push_back(i);
    if (!ruling.triggers.empty())
        ruling.verdict |= record::VerdictTrigger;
    else if ((include_.given() && !matches(include_, question)) || matches(exclude_, question))
        ruling.verdict |= record::VerdictExcluded;
    if (precise_ && precise_->matches(name(question)))
        ruling.verdict |= record::VerdictPrecise;
    if (!told_given_up_ && has_given_up()) {
        told_given_up_ = true;
        given_up_on_ = name(question);
    }
    return ruling;
}

bool Rules::has_given_up() const {
    const auto has = [](const std::optional<symbols::Pattern>& pattern) { return pattern && pattern->has_given_up(); };
    const auto any = [&](const Set& set) { return has(set.functions) || has(set.files) || has(set.modules); };
    return any(include_) || any(exclude_) || has(precise_) ||
           std::any_of(triggers_.begin(), triggers_.end(), [](const symbols::Pattern& pattern) { return pattern.has_given_up(); });
}

std::optional<std::string> Rules::without_files() { return std::exchange(without_files_, std::nullopt); }

std::optional<std::string> Rules::given_up_on() { return std::exchange(given_up_on_, std::nullopt); }

} // namespace vftr::filter
