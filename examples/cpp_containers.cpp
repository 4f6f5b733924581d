// SPDX-License-Identifier: BSD-3-Clause
//
// Counts words with containers whose own functions are instrumented too: compile with -O0 to see them all.
//
//   g++ -g -finstrument-functions cpp_containers.cpp $(pkg-config --cflags --libs vftrace) -o cpp_containers && ./cpp_containers
#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

std::vector<std::string> make_words(unsigned count) {
    std::vector<std::string> words;
    unsigned state = 1;
    for (unsigned i = 0; i < count; i++) {
        state = state * 1103515245u + 12345u;
        words.push_back("word-" + std::to_string(state >> 16 & 0xff));
    }
    return words;
}

std::unordered_map<std::string, int> count_words(const std::vector<std::string>& words) {
    std::unordered_map<std::string, int> counts;
    for (const std::string& word : words)
        ++counts[word];
    return counts;
}

} // namespace

int main() {
    auto counts = count_words(make_words(20000));
    auto most = std::max_element(counts.begin(), counts.end(),
                                 [](const auto& a, const auto& b) { return a.second < b.second; });
    std::printf("%zu different words, at most %d times the same\n", counts.size(), most->second);
    return 0;
}
