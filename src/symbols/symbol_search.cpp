// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/symbol_search.hpp"

#include "symbols/name_clean.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace vftr::symbols {

namespace {

using Numbers = std::vector<std::uint64_t>;

void sort_unique(Numbers& numbers) {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()),
                  numbers.end()); // clang 14 cannot compile std::ranges::unique
}

struct Picked {
    SymbolSource::Function function;
    SymbolSource* source;

    std::uint64_t start() const { return function.symbol.start; }
    bool sized() const { return function.symbol.sized; }
    bool reaches_over(std::uint64_t address) const { return sized() && address < function.symbol.end; }
};

// One pass over all symbol tables.
class Pass {
public:
    Pass(std::span<SymbolSource> sources, const Numbers& addresses) { // sorted and unique
        wanted_.reserve(addresses.size());
        for (const std::uint64_t address : addresses)
            wanted_.emplace_back().address = address;
        for (SymbolSource& source : sources)
            source.for_each_function([&](const SymbolSource::Function& function) {
                offer({function, &source});
                return true;
            });
    }

    // Whether functions() is the complete selection.
    bool is_decided() const {
        return starts_of_labels().empty() && std::ranges::all_of(wanted_, [](const Wanted& wanted) {
                   return wanted.around.empty() &&
                          (wanted.functions.empty() || std::ranges::any_of(wanted.functions, &Picked::sized));
               });
    }

    std::vector<Picked> functions() const {
        std::vector<Picked> all;
        for (const Wanted& wanted : wanted_)
            all.insert(all.end(), wanted.functions.begin(), wanted.functions.end());
        return all;
    }

    // Returns the beginnings of the functions to be selected.
    Numbers starts_of_functions() const {
        Numbers starts;
        for (const Wanted& wanted : wanted_) {
            starts.insert(starts.end(), wanted.around.begin(), wanted.around.end());
            if (!wanted.functions.empty())
                starts.push_back(wanted.functions.front().start());
        }
        return starts;
    }

    // Returns the beginnings of the labels that count if no function covers them.
    Numbers starts_of_labels() const {
        Numbers starts = labels_around_;
        std::optional<std::uint64_t> function, label; // the last ones that begin before the present address
        for (const Wanted& wanted : wanted_) {
            if (!wanted.functions.empty())
                function = wanted.functions.front().start();
            label = std::max(label, wanted.label);
            if (label > function)
                starts.push_back(*label);
        }
        return starts;
    }

private:
    struct Wanted {
        std::uint64_t address = 0;
        // The beginning of the last label that begins after the preceding address.
        std::optional<std::uint64_t> label;
        // All symbols of the last function that begins after the preceding address.
        std::vector<Picked> functions;
        Numbers around; // beginnings of the other functions that cover the address
    };

    void offer(const Picked& picked) {
        Wanted* wanted = first_not_before(picked.start());
        if (wanted != nullptr && picked.function.symbol.is_label())
            offer_label(*wanted, picked);
        else if (wanted != nullptr)
            offer_function(*wanted, picked);
    }

    // It begins at the latest result, because symbols often come in the order of their addresses.
    Wanted* first_not_before(std::uint64_t start) {
        const bool same = (latest_ == wanted_.size() || start <= wanted_[latest_].address) &&
                          (latest_ == 0 || wanted_[latest_ - 1].address < start);
        if (!same)
            latest_ = static_cast<std::size_t>(std::ranges::lower_bound(wanted_, start, {}, &Wanted::address) -
                                               wanted_.begin());
        return latest_ == wanted_.size() ? nullptr : &wanted_[latest_];
    }

    static void offer_function(Wanted& wanted, const Picked& picked) {
        auto& functions = wanted.functions;
        if (!functions.empty() && picked.start() < functions.front().start()) {
            if (picked.reaches_over(wanted.address))
                wanted.around.push_back(picked.start());
            return;
        }
        if (!functions.empty() && picked.start() > functions.front().start()) {
            if (std::ranges::any_of(functions, [&](const Picked& p) { return p.reaches_over(wanted.address); }))
                wanted.around.push_back(functions.front().start());
            functions.clear();
        }
        functions.push_back(picked);
    }

    void offer_label(Wanted& wanted, const Picked& picked) {
        const bool is_around = picked.reaches_over(wanted.address);
        if ((picked.start() <= wanted.label && !is_around) ||
            !is_function_name(picked.source->name(picked.function.name)))
            return;
        wanted.label = std::max(wanted.label, std::optional(picked.start()));
        if (is_around)
            labels_around_.push_back(picked.start());
    }

    std::vector<Wanted> wanted_; // in order of addresses
    std::size_t latest_ = 0;
    Numbers labels_around_; // beginnings of labels that cover an address
};

std::vector<Picked> functions_beginning_at(std::span<SymbolSource> sources, const Numbers& starts) {
    std::vector<Picked> all;
    for (SymbolSource& source : sources)
        source.for_each_function([&](const SymbolSource::Function& function) {
            if (std::ranges::binary_search(starts, function.symbol.start))
                all.push_back({function, &source});
            return true;
        });
    return all;
}

std::vector<Picked> functions_that_decide(std::span<SymbolSource> sources, const Numbers& addresses) {
    const Pass pass(sources, addresses);
    if (pass.is_decided())
        return pass.functions();
    Numbers starts = pass.starts_of_functions();
    if (Numbers labels = pass.starts_of_labels(); !labels.empty()) {
        sort_unique(labels);
        const Numbers over_labels = Pass(sources, labels).starts_of_functions();
        starts.insert(starts.end(), labels.begin(), labels.end());
        starts.insert(starts.end(), over_labels.begin(), over_labels.end());
    }
    sort_unique(starts);
    return functions_beginning_at(sources, starts);
}

// Adds functions one at a time; finish() then finds out whether the language of the object is relevant.
class Adding {
public:
    explicit Adding(SymbolIndex& index) : index_(index) {}

    // Returns false if the name of the symbol is not that of a function.
    bool add(SymbolSource& source, const SymbolSource::Function& function) {
        name_ = source.name(function.name);
        if (!is_function_name(name_))
            return false;
        const bool language_matters = may_have_fortran_decoration(name_);
        const bool foreign = language_matters && source.is_foreign(function);
        fortran_matters_ = fortran_matters_ || (language_matters && !foreign);
        index_.add(function.symbol, name_, foreign);
        if (language_matters && !foreign && name_.ends_with('_'))
            underscored_.emplace(name_.substr(0, name_.size() - 1), function.symbol.start);
        return true;
    }

    void finish(std::span<SymbolSource> sources) {
        if (!fortran_matters_ || !std::ranges::any_of(sources, &SymbolSource::has_fortran))
            return;
        index_.set_fortran();
        if (!underscored_.empty())
            index_.set_foreign(with_namesakes(sources));
    }

private:
    // Returns the beginnings of those functions (dot_) that would have the same name as another one (dot) without their
    // underscore. Usually a library offers the former to Fortran and the latter to C. The shorter name may be a suffix
    // of a longer one in the table.
    std::unordered_set<std::uint64_t> with_namesakes(std::span<SymbolSource> sources) {
        std::unordered_set<std::uint64_t> starts;
        std::set<std::size_t> sizes;
        for (const auto& [name, start] : underscored_)
            sizes.insert(name.size());
        for (SymbolSource& source : sources) {
            std::unordered_map<std::uint32_t, std::uint64_t> namesakes; // keys are the offsets of their names
            source.for_each_name([&](std::uint32_t offset, std::string_view name) {
                for (const std::size_t size : sizes) {
                    if (size > name.size())
                        break;
                    const std::size_t before = name.size() - size;
                    if (const auto found = underscored_.find(name.substr(before)); found != underscored_.end())
                        namesakes.emplace(static_cast<std::uint32_t>(offset + before), found->second);
                }
            });
            source.for_each_function([&](const SymbolSource::Function& function) {
                if (const auto found = namesakes.find(function.name);
                    found != namesakes.end() && found->second != function.symbol.start && !function.symbol.is_label())
                    starts.insert(found->second);
                return !namesakes.empty();
            });
        }
        return starts;
    }

    SymbolIndex& index_;
    std::string name_;
    bool fortran_matters_ = false;
    struct HashOfText {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    // Beginnings of the functions whose underscore may be Fortran's, by the name without it.
    std::unordered_map<std::string, std::uint64_t, HashOfText, std::equal_to<>> underscored_;
};

} // namespace

void add_all_functions(std::span<SymbolSource> sources, SymbolIndex& index) {
    Adding adding(index);
    for (SymbolSource& source : sources)
        source.for_each_function([&](const SymbolSource::Function& function) {
            adding.add(source, function);
            return true;
        });
    adding.finish(sources);
}

bool add_functions_at(std::span<SymbolSource> sources, std::vector<std::uint64_t> addresses, SymbolIndex& index) {
    sort_unique(addresses);
    Adding adding(index);
    for (const Picked& picked : functions_that_decide(sources, addresses))
        if (!adding.add(*picked.source, picked.function) && !picked.function.symbol.is_label())
            return false;
    adding.finish(sources);
    return true;
}

} // namespace vftr::symbols
