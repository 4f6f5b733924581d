// SPDX-License-Identifier: BSD-3-Clause
//
// Compares a row of functions.table with mpi.h, ignoring const: nothing else differs between MPI libraries and the
// standard.
#pragma once

#include <type_traits>

namespace vftr::mpi {

template <typename Type>
struct WithoutConst {
    using type = std::remove_const_t<Type>;
};
template <typename Type>
requires std::is_pointer_v<Type>
struct WithoutConst<Type> {
    using type = typename WithoutConst<std::remove_pointer_t<Type>>::type*;
};
template <typename Returned, typename... Arguments>
struct WithoutConst<Returned(Arguments...)> {
    using type = Returned(typename WithoutConst<Arguments>::type...);
};

template <typename Left, typename Right>
inline constexpr bool same_but_for_const =
    std::is_same_v<typename WithoutConst<Left>::type, typename WithoutConst<Right>::type>;

} // namespace vftr::mpi
