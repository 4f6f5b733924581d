// SPDX-License-Identifier: BSD-3-Clause
//
// Counts words: strings, hash maps, trees and sorting of the C++ library.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

static std::string make_text(int words) {
    std::string text;
    unsigned seed = 7;
    for (int i = 0; i < words; ++i) {
        seed = seed * 1664525u + 1013904223u;
        unsigned word = (seed >> 8) % 50000;
        do
            text += static_cast<char>('a' + word % 26);
        while (word /= 26);
        text += i % 12 == 11 ? '\n' : ' ';
    }
    return text;
}
static std::unordered_map<std::string, int> count(const std::string& text) {
    std::unordered_map<std::string, int> counts;
    std::istringstream in(text);
    for (std::string word; in >> word;)
        ++counts[word];
    return counts;
}
static std::vector<std::pair<std::string, int>> by_count(const std::unordered_map<std::string, int>& counts) {
    std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    return sorted;
}
static std::map<char, long> by_letter(const std::vector<std::pair<std::string, int>>& words) {
    std::map<char, long> letters;
    for (const auto& [word, n] : words)
        for (char c : word)
            letters[c] += n;
    return letters;
}
int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
    const std::string text = make_text(500000);
    long sum = 0;
    for (int i = 0; i < rounds; ++i) {
        const auto sorted = by_count(count(text));
        sum += sorted.front().second + by_letter(sorted)['e'];
    }
    std::printf("%ld\n", sum);
}
