// SPDX-License-Identifier: BSD-3-Clause
//
// A large table whose elements are 0 at first. Its memory is the kernel's and not malloc's: pages that nobody has
// written to take none, and what is resident is known as ours (own_mappings.hpp).
#pragma once

#include "base/memory.hpp"

#include <cstddef>
#include <new>

namespace vftr::base {

// Of a type that all zero bytes are a value of.
template <class Element, std::size_t Count>
class ZeroedArray {
public:
    ZeroedArray() : elements_(static_cast<Element*>(map_anonymous(Count * sizeof(Element)))) {
        if (!elements_)
            throw std::bad_alloc();
    }
    ~ZeroedArray() { unmap(elements_, Count * sizeof(Element)); }
    ZeroedArray(const ZeroedArray&) = delete;
    ZeroedArray& operator=(const ZeroedArray&) = delete;

    Element& operator[](std::size_t at) { return elements_[at]; }
    Element* begin() { return elements_; }
    Element* end() { return elements_ + Count; }

private:
    Element* const elements_;
};

} // namespace vftr::base
