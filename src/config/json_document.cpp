// SPDX-License-Identifier: BSD-3-Clause
#include "config/json_document.hpp"

#include "config/json_mender.hpp"

#include <algorithm>

#pragma weak cJSON_ParseWithLengthOpts
#pragma weak cJSON_Delete

namespace vftr::config {
namespace {

// The limit of bytes that are read in all: each mistake makes cJSON read the text once more, and a program must start
// in time.
constexpr std::size_t MostRead = std::size_t{8} << 20;
constexpr std::size_t MostMistakes = 1000;

} // namespace

void FreeJson::operator()(cJSON* node) const { cJSON_Delete(node); }

Document parse_document(RepairedText& copy, Problems& problems) {
    if (!cJSON_ParseWithLengthOpts || !cJSON_Delete) {
        problems.error_without_place("this program has libvftrace.a without libcjson in it: VFTR_CONFIG is not read "
                                     "(link with -Wl,--no-as-needed -lcjson, or a static libcjson.a)");
        return nullptr;
    }
    if (std::size_t null = copy.text().find('\0'); null != std::string::npos) {
        problems.error(null, "", "the file holds a null byte; it must be text in UTF-8");
        return nullptr;
    }
    JsonMender mender(copy, problems);
    for (std::size_t mistakes = 0, read = 0;; ++mistakes) {
        const std::string& text = copy.text();
        const char* stop = nullptr;
        // The length includes the null byte after the text, so that cJSON sees whether anything follows the object.
        Document document(cJSON_ParseWithLengthOpts(text.c_str(), text.size() + 1, &stop, 1));
        if (document)
            return document;
        const std::size_t at = std::min(stop ? static_cast<std::size_t>(stop - text.c_str()) : 0, text.size());
        read += text.size();
        if (mistakes == MostMistakes || read > MostRead) {
            problems.error(at, "", "there is another mistake here; what follows is not looked at");
            return nullptr;
        }
        if (!mender.mend(at))
            return nullptr;
    }
}

} // namespace vftr::config
