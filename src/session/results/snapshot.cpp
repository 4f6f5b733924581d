// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the recording so far as a complete file of its own. The copy is made from the recording's
// file in the same way as any reader sees it while the process runs, so other threads need not stop.
#include "session/results/snapshot.hpp"

#include "analysis/recording/naming.hpp"
#include "base/message.hpp"
#include "base/own_descriptors.hpp"
#include "base/replaced_file.hpp"
#include "record/header_totals.hpp"
#include "record/hot/slow_path.hpp"
#include "record/recorder.hpp"
#include "session/results/results.hpp"
#include "session/session.hpp"
#include "vfd/compact.hpp"
#include "vfd/header_fields.hpp"

#include <exception>
#include <stdexcept>
#include <string>
#include <sys/stat.h>

namespace {

using vftr::record::recorder;
using namespace vftr;

// The header of the copy, in which the recording ends now.
vfd::FileHeader closed_header(const vfd::Image& image) {
    vfd::FileHeader header = vfd::copy_of(image.header());
    header.state = vfd::FileState::Sealed;
    header.flags |= vfd::FlagSnapshot;
    record::put_end(header);
    record::put_totals(header);
    if (!(header.flags & vfd::FlagMpi)) {
        header.rank = 0;
        header.size = 1;
    }
    return header;
}

// The copy is renamed to `path`, which would remove a device or pipe of that name, or the recording itself. Returns the
// reason why it must not be, or nullptr if it may be.
const char* why_not_replaced(const char* path) {
    struct stat file, own;
    if (::lstat(path, &file) != 0)
        return nullptr;
    if (!S_ISREG(file.st_mode))
        return "no regular file";
    const bool is_own =
        ::stat(recorder.writer.path(), &own) == 0 && file.st_dev == own.st_dev && file.st_ino == own.st_ino;
    return is_own ? "the recording itself" : nullptr;
}

int copy_recording(const char* path) {
    if (const char* reason = why_not_replaced(path))
        throw std::runtime_error(std::string(path) + " is not replaced, as it is " + reason);
    record::refresh_clock();
    if (session::session->loaded.config.sampling_active)
        session::store_symbols(*session::session);
    const vfd::Image image = vfd::Image::open(recorder.writer.path());
    const vfd::Compact compact(image, closed_header(image), analysis::construct_names(image));
    return base::replace_file(path, [&](const base::FileSink& sink) { return compact.write(sink); });
}

} // namespace

namespace vftr::session {

std::string write_snapshot(const char* path) {
    try {
        int error = 0;
        base::with_own_descriptors([&] { error = copy_recording(path); });
        return error == 0 ? "" : std::string("cannot write ") + path + ": " + std::string(base::error_text(error));
    } catch (const std::exception& error) {
        return error.what();
    }
}

} // namespace vftr::session
