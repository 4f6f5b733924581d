// SPDX-License-Identifier: BSD-3-Clause
#include "patch/landing_pads.hpp"

namespace vftr::patch {

LandingPads::LandingPads(const PadTable& table, std::uint64_t text)
    : data_(table.bytes, table.address), text_(text), ok_(table.known) {
    if (!ok_ || table.bytes.empty())
        return;
    const std::uint8_t pads = data_.byte();
    pads_ = pads == Omitted ? text : data_.number(pads);
    const std::uint8_t types = data_.byte();
    if (types != Omitted)
        data_.leb128(); // offset of the type table
    form_ = data_.byte();
    const std::uint64_t bytes = data_.leb128();
    end_ = data_.address() + bytes;
    ok_ = data_.ok() && (pads == Omitted || pads == FromPlace) && (form_ == Leb128 || form_ == Unsigned4);
}

bool LandingPads::next(Row& row) {
    while (ok_ && data_.address() < end_) {
        const std::uint64_t start = data_.number(form_), length = data_.number(form_), pad = data_.number(form_);
        data_.leb128(); // action: what is caught
        row = {text_ + start, text_ + start + length, pads_ + pad};
        ok_ = data_.ok() && data_.address() <= end_ && row.begin >= last_ && row.end >= row.begin;
        last_ = row.end;
        if (ok_ && pad != 0)
            return true;
    }
    return false;
}

} // namespace vftr::patch
