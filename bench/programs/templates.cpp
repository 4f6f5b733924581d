// SPDX-License-Identifier: BSD-3-Clause
//
// C++ as numerical codes have it: the data behind one-line member functions, vectors with operators, templates over the
// kind of number. gcc instruments all of these before it inlines them, so the loop below is nearly nothing but hooks.
#include "workload.h"

namespace {

template <typename Number>
struct Vector {
    Number x, y, z;
    Vector operator+(const Vector& other) const { return {x + other.x, y + other.y, z + other.z}; }
    Vector operator*(Number factor) const { return {x * factor, y * factor, z * factor}; }
    Number dot(const Vector& other) const { return x * other.x + y * other.y + z * other.z; }
};

template <typename Number, unsigned Size>
class Mesh {
public:
    Vector<Number>& position(unsigned i) { return positions_[i % Size]; }
    Vector<Number>& velocity(unsigned i) { return velocities_[i % Size]; }
    Number& energy(unsigned i) { return energies_[i % Size]; }

private:
    Vector<Number> positions_[Size], velocities_[Size];
    Number energies_[Size];
};

Mesh<double, 512> mesh;

// Nine calls of member functions, and its own.
NOINLINE void move(unsigned i, double dt) {
    mesh.position(i) = mesh.position(i) + mesh.velocity(i) * dt;
    mesh.energy(i) = mesh.velocity(i).dot(mesh.velocity(i)) * 0.5;
}
constexpr unsigned CallsOfMove = 10;

} // namespace

uint64_t work(uint64_t calls, const char*) {
    const uint64_t moves = calls / CallsOfMove + 1;
    for (uint64_t i = 0; i < moves; i++) {
        mesh.velocity(static_cast<unsigned>(i)) = {1.0, 2.0, 3.0};
        move(static_cast<unsigned>(i), 1e-3);
    }
    return moves * (CallsOfMove + 1) + 1;
}
