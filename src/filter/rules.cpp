// SPDX-License-Identifier: BSD-3-Clause
#include "filter/rules.hpp"

#include "record/recorder.hpp"
#include "symbols/module_label.hpp"
#include "symbols/qualified_name.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace vftr::filter {

namespace {

// Whether an expression may have a qualifier, escaped as vftr filter suggest writes it: "init \\(a\\.c\\)". The
// qualifiers are looked up for such expressions only, as that costs as much as an index of the object.
bool may_distinguish(const std::optional<std::string>& text) {
    return text && (text->find(" \\(") != text->npos || text->find(" [(]") != text->npos);
}

template <class Expression>
void compile(std::optional<Expression>& expression, const char* option, const std::optional<std::string>& text) {
    if (text)
        expression = Expression{symbols::Pattern(*text), option, *text};
}

} // namespace

template <class R>
auto Rules::expressions(R& rules) {
    return std::array{
        &rules.include_.functions, &rules.include_.files,   &rules.include_.modules, &rules.exclude_.functions,
        &rules.exclude_.files,     &rules.exclude_.modules, &rules.precise_};
}

Rules::Rules(const config::Config& config, symbols::NameOptions options, symbols::NameSources sources,
             const Rules* forked_from)
    : names_(options, std::move(sources)) {
    compile(include_.functions, "filter.include.functions", config.filter_include_functions);
    compile(include_.files, "filter.include.files", config.filter_include_files);
    compile(include_.modules, "filter.include.modules", config.filter_include_modules);
    compile(exclude_.functions, "filter.exclude.functions", config.filter_exclude_functions);
    compile(exclude_.files, "filter.exclude.files", config.filter_exclude_files);
    compile(exclude_.modules, "filter.exclude.modules", config.filter_exclude_modules);
    if (config.sampling_active)
        compile(precise_, "sampling.precise_functions", config.sampling_precise_functions);
    for (const config::FilterTrigger& trigger : config.filter_triggers)
        triggers_.emplace_back(trigger.function);
    distinguish_ = may_distinguish(config.filter_include_functions) ||
                   may_distinguish(config.filter_exclude_functions) ||
                   may_distinguish(config.sampling_precise_functions) ||
                   std::any_of(config.filter_triggers.begin(), config.filter_triggers.end(),
                               [](const auto& trigger) { return may_distinguish(trigger.function); });
    if (!forked_from)
        return;
    for (const Added& each : forked_from->added_)
        add(each.text.c_str(), each.exclude);
    const auto mine = expressions(*this);
    const auto before = expressions(*forked_from);
    for (std::size_t i = 0; i < mine.size(); ++i)
        if (*mine[i] && *before[i])
            (*mine[i])->matched = (*before[i])->matched;
}

bool Rules::trivial() const {
    return !include_.given() && !exclude_.given() && !precise_ && triggers_.empty() && added_.empty();
}

std::string Rules::add(const char* expression, bool exclude) {
    symbols::Pattern pattern(expression);
    if (!pattern.valid())
        return std::string("no valid regular expression: ") + pattern.error();
    distinguish_ |= may_distinguish(expression);
    added_.push_back({std::move(pattern), expression, exclude});
    return "";
}

const std::string& Rules::name(Question& question) {
    if (!question.name)
        question.name = names_.name(question.module, question.address);
    return *question.name;
}

const std::string& Rules::former_name(Question& question) {
    if (!question.former_name)
        question.former_name = names_.former_name(question.module, question.address);
    return *question.former_name;
}

const std::string& Rules::distinct_name(Question& question) {
    if (!question.distinct_name)
        question.distinct_name = names_.distinct_name(question.module, question.address);
    return *question.distinct_name;
}

const std::string& Rules::object(Question& question) {
    if (!question.object)
        question.object = symbols::object_label(question.module);
    return *question.object;
}

// Compares the name qualified by the file, by the object, or by both.
template <class Matcher>
bool Rules::matches_distinguished(Matcher& matcher, Question& question) {
    const std::string& distinct = distinct_name(question);
    if (distinct != name(question) && matcher.matches(distinct))
        return true;
    const std::string brief = symbols::shown_qualifier(object(question), 0);
    return matcher.matches(symbols::with_qualifier(distinct, brief)) ||
           (brief != object(question) && matcher.matches(symbols::with_qualifier(distinct, object(question))));
}

template <class Matcher>
bool Rules::matches_name(Matcher& matcher, Question& question) {
    return matcher.matches(name(question)) ||
           (!former_name(question).empty() && matcher.matches(former_name(question))) ||
           (distinguish_ && matches_distinguished(matcher, question));
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

// A file that is not known matches no expression, not even one that matches everything.
bool Rules::matches(Set& set, Question& question, bool decided) {
    bool found = false;
    const auto asks = [&](const std::optional<Expression>& expression) {
        return expression && !((decided || found) && expression->matched);
    };
    if (asks(set.modules))
        found |= set.modules->matches(question.module.path);
    if (asks(set.functions))
        found |= matches_name(*set.functions, question);
    if (!asks(set.files))
        return found;
    if ((decided || found) && !question.file)
        set.files->passed_over = true;
    else if (!file(question).empty())
        found |= set.files->matches(file(question));
    return found;
}

Rules::Ruling Rules::on(const symbols::Module& module, std::uint64_t address) {
    Ruling ruling;
    Question question{module, address, {}, {}, {}, {}, {}};
    asked_ = true;
    for (std::uint32_t i = 0; i < triggers_.size(); ++i)
        if (matches_name(triggers_[i], question))
            ruling.triggers.push_back(i);
    const bool of_trigger = !ruling.triggers.empty();
    const bool included = matches(include_, question, of_trigger) || !include_.given();
    const bool excluded = matches(exclude_, question, of_trigger || !included);
    const auto added =
        std::find_if(added_.rbegin(), added_.rend(), [&](Added& each) { return matches_name(each.pattern, question); });
    if (of_trigger)
        ruling.decision |= record::DecisionTrigger;
    else if (added != added_.rend() ? added->exclude : !included || excluded)
        ruling.decision |= record::DecisionExcluded;
    if (precise_ && matches_name(*precise_, question))
        ruling.decision |= record::DecisionPrecise;
    if (!told_given_up_ && has_given_up()) {
        told_given_up_ = true;
        given_up_on_ = name(question);
    }
    return ruling;
}

bool Rules::has_given_up() const {
    const auto all = expressions(*this);
    return std::any_of(all.begin(), all.end(),
                       [](const auto* expression) { return *expression && (*expression)->pattern.has_given_up(); }) ||
           std::any_of(triggers_.begin(), triggers_.end(),
                       [](const symbols::Pattern& pattern) { return pattern.has_given_up(); });
}

std::vector<vfd::ExpressionUse> Rules::matches_so_far() const {
    std::vector<vfd::ExpressionUse> uses;
    for (const auto* expression : expressions(*this))
        if (*expression &&
            ((*expression)->matched || ((*expression)->asked && !(*expression)->passed_over && judged())))
            uses.push_back({(*expression)->option, (*expression)->text, (*expression)->matched ? 1u : 0u});
    return uses;
}

std::optional<std::string> Rules::without_files() { return std::exchange(without_files_, std::nullopt); }

std::optional<std::string> Rules::given_up_on() { return std::exchange(given_up_on_, std::nullopt); }

} // namespace vftr::filter
