// SPDX-License-Identifier: BSD-3-Clause
//
// What a function is called, where it stands, and what is said of it.
#include "instrument/gcc/passes.hpp"

#include <string_view>

namespace vftr::instrument::gcc {
namespace {

std::string linker_name(tree function) {
    const char* name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    return *name == '*' ? name + 1 : name;
}

// With link time optimisation the objects may be of several languages.
bool is_fortran(tree function) {
    tree unit = function;
    while (unit && TREE_CODE(unit) != TRANSLATION_UNIT_DECL)
        unit = get_containing_scope(unit);
    const char* language = unit && TRANSLATION_UNIT_LANGUAGE(unit) ? TRANSLATION_UNIT_LANGUAGE(unit) : lang_hooks.name;
    return std::string_view(language).find("Fortran") != std::string_view::npos;
}

} // namespace

std::string shown_name(tree function) { return name_in_tables(linker_name(function), is_fortran(function)); }

std::string place_of(tree function) {
    const expanded_location place = expand_location(DECL_SOURCE_LOCATION(function));
    return place.file ? std::string(place.file) + ":" + std::to_string(place.line) : "";
}

// Names are made only where somebody asks for them: to demangle those of a large program takes long.
Wish wish_of(tree function) {
    return settings.include.empty() && settings.exclude.empty()
               ? Wish::Nothing
               : settings.wish(linker_name(function), is_fortran(function));
}
void report_decision(tree function, const Decision& decision, const Body& body) {
    if (report.wanted())
        report.add(decision, shown_name(function), place_of(function), body);
}

bool is_marked(tree function) { return lookup_attribute(Mark, DECL_ATTRIBUTES(function)) != NULL_TREE; }

bool is_code(const gimple* statement) {
    return !is_gimple_debug(statement) && !gimple_clobber_p(statement) && gimple_code(statement) != GIMPLE_LABEL &&
           gimple_code(statement) != GIMPLE_NOP && gimple_code(statement) != GIMPLE_PREDICT;
}

} // namespace vftr::instrument::gcc
