// SPDX-License-Identifier: BSD-3-Clause
//
// Particles that attract each other, with a small vector class and lists of neighbours in cells.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <class T>
struct Vec3 {
    T x = 0, y = 0, z = 0;
    Vec3& operator+=(const Vec3& o) {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    friend Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
    friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec3 operator*(const Vec3& a, T f) { return {a.x * f, a.y * f, a.z * f}; }
    friend T dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};
using Vec = Vec3<double>;

struct Particle {
    Vec place, speed, force;
};

class Cells {
public:
    explicit Cells(int n) : n_(n), members_(static_cast<std::size_t>(n * n * n)) {}
    int index(double x) const { return static_cast<int>(x * n_) % n_; }
    std::vector<int>& at(int x, int y, int z) {
        return members_[static_cast<std::size_t>((wrapped(x) * n_ + wrapped(y)) * n_ + wrapped(z))];
    }
    int wrapped(int i) const { return (i + n_) % n_; }
    void fill(const std::vector<Particle>& particles) {
        for (auto& cell : members_)
            cell.clear();
        for (std::size_t i = 0; i < particles.size(); ++i)
            at(index(particles[i].place.x), index(particles[i].place.y), index(particles[i].place.z))
                .push_back(static_cast<int>(i));
    }

private:
    int n_;
    std::vector<std::vector<int>> members_;
};

static double shortest(double d) { return d > 0.5 ? d - 1 : d < -0.5 ? d + 1 : d; }
static Vec between(const Vec& a, const Vec& b) {
    const Vec d = a - b;
    return {shortest(d.x), shortest(d.y), shortest(d.z)};
}

static double pair_force(Particle& a, const Particle& b) {
    const Vec d = between(b.place, a.place);
    const double r2 = dot(d, d) + 1e-4, inverse = 1 / r2;
    if (r2 > 0.01)
        return 0;
    a.force += d * (inverse * std::sqrt(inverse) * 1e-9);
    return -std::sqrt(inverse);
}

static double forces_of_cell(std::vector<Particle>& particles, Cells& cells, int x, int y, int z) {
    double energy = 0;
    for (int i : cells.at(x, y, z))
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz)
                    for (int j : cells.at(x + dx, y + dy, z + dz))
                        if (i != j)
                            energy += pair_force(particles[static_cast<std::size_t>(i)],
                                                 particles[static_cast<std::size_t>(j)]);
    return energy;
}

static double wrap(double x) { return x - std::floor(x); }
static void move(Particle& p, double dt) {
    p.speed += p.force * dt;
    p.place += p.speed * dt;
    p.place = {wrap(p.place.x), wrap(p.place.y), wrap(p.place.z)};
    p.force = {};
}

int main(int argc, char** argv) {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 60, n = 10;
    std::vector<Particle> particles(10000);
    unsigned seed = 1;
    auto random = [&] { return (seed = seed * 1664525u + 1013904223u) / 4294967296.0; };
    for (Particle& p : particles)
        p.place = {random(), random(), random()};
    Cells cells(n);
    double energy = 0;
    for (int step = 0; step < steps; ++step) {
        cells.fill(particles);
        energy = 0;
        for (int x = 0; x < n; ++x)
            for (int y = 0; y < n; ++y)
                for (int z = 0; z < n; ++z)
                    energy += forces_of_cell(particles, cells, x, y, z);
        for (Particle& p : particles)
            move(p, 1.0);
    }
    std::printf("%.6f\n", energy);
}
