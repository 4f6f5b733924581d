// SPDX-License-Identifier: BSD-3-Clause
#include "export/html/page.hpp"

namespace vftr::exports {
namespace {

// As numbers, since a string literal of 100 KB is more than compilers have to take.
constexpr char Before[] = {
#include "export/html/page_before_data.inc"
};
constexpr char After[] = {
#include "export/html/page_after_data.inc"
};

} // namespace

std::string_view page_before_data() { return {Before, sizeof Before}; }
std::string_view page_after_data() { return {After, sizeof After}; }

} // namespace vftr::exports
