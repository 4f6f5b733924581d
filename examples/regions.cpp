// SPDX-License-Identifier: BSD-3-Clause
//
// Regions that end with their block, in C++: an iteration with two phases, left by an exception when it has converged.
//
//   g++ -g -finstrument-functions regions.cpp $(pkg-config --cflags --libs vftrace) -o regions && ./regions
//
// With -DVFTRACE_DISABLE, or where vftrace is not installed and vftrace.hpp and vftrace_macros.h lie beside this file (and -I. is
// given), it is the same program without vftrace.
#include <vftrace.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct Converged {
    int sweeps;
};

double relax(std::vector<double>& field) {
    double change = 0;
    for (std::size_t i = 1; i + 1 < field.size(); i++) {
        double next = (field[i - 1] + field[i + 1]) / 2;
        change += std::fabs(next - field[i]);
        field[i] = next;
    }
    return change;
}

double sum(const std::vector<double>& field) {
    double total = 0;
    for (double value : field)
        total += value;
    return total;
}

// The name is made at run time: the region keeps a copy of it.
void level(std::size_t size) {
    vftrace::region whole{"level " + std::to_string(size)};
    std::vector<double> field(size);
    field.back() = 1;
    try {
        for (int sweep = 1;; sweep++) {
            VFTRACE_REGION("sweep"); // ends with each turn of the loop, and by the exception
            if (relax(field) < 1e-4)
                throw Converged{sweep};
        }
    } catch (const Converged& end) {
        vftrace::region report{"report"};
        std::printf("%zu points: %d sweeps, sum %.3f\n", size, end.sweeps, sum(field));
        report.end();
        vftrace::pause_guard quiet; // what follows is not in the profile
        if (sum(field) > static_cast<double>(size))
            std::puts("this cannot be");
    }
}

} // namespace

int main() {
    for (std::size_t size : {8u, 16u, 32u})
        level(size);
    vftrace::region last{"the end"};
    std::printf("call path: %s\n", vftrace::call_path().c_str());
}
