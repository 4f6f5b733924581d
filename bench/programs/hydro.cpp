// SPDX-License-Identifier: BSD-3-Clause
//
// A stencil code in the manner of hydrodynamics mini applications: all data behind accessors of one line, a function
// for each stage of a time step.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

class Domain {
public:
    explicit Domain(int n)
        : n_(n), e_(cells()), p_(cells()), q_(cells()), v_(cells(), 1.0), vx_(nodes()), vy_(nodes()), fx_(nodes()),
          fy_(nodes()) {}
    int n() const { return n_; }
    int cells() const { return n_ * n_; }
    int nodes() const { return (n_ + 1) * (n_ + 1); }
    int node(int cell, int corner) const {
        return cell / n_ * (n_ + 1) + cell % n_ + (corner & 1) + (corner >> 1) * (n_ + 1);
    }
    double& e(int i) { return e_[i]; }
    double& p(int i) { return p_[i]; }
    double& q(int i) { return q_[i]; }
    double& v(int i) { return v_[i]; }
    double& vx(int i) { return vx_[i]; }
    double& vy(int i) { return vy_[i]; }
    double& fx(int i) { return fx_[i]; }
    double& fy(int i) { return fy_[i]; }

private:
    int n_;
    std::vector<double> e_, p_, q_, v_, vx_, vy_, fx_, fy_;
};

inline double square(double x) { return x * x; }
inline double limited(double x, double low, double high) { return std::max(low, std::min(high, x)); }

static double divergence(Domain& d, int cell) {
    return (d.vx(d.node(cell, 1)) + d.vx(d.node(cell, 3)) - d.vx(d.node(cell, 0)) - d.vx(d.node(cell, 2)) +
            d.vy(d.node(cell, 2)) + d.vy(d.node(cell, 3)) - d.vy(d.node(cell, 0)) - d.vy(d.node(cell, 1))) *
           0.5 * d.n();
}

static void artificial_viscosity(Domain& d) {
    for (int i = 0; i < d.cells(); ++i) {
        const double div = divergence(d, i);
        d.q(i) = div < 0 ? 2.0 * square(div / d.n()) / d.v(i) : 0;
    }
}

static void equation_of_state(Domain& d) {
    for (int i = 0; i < d.cells(); ++i) {
        const double compression = 1.0 / d.v(i) - 1.0;
        d.p(i) = limited(2.0 / 3.0 * (compression + 1) * d.e(i), 0, 1e6);
        if (d.p(i) < 1e-12)
            d.p(i) = 0;
    }
}

static void forces(Domain& d) {
    for (int i = 0; i < d.nodes(); ++i)
        d.fx(i) = d.fy(i) = 0;
    for (int i = 0; i < d.cells(); ++i) {
        const double stress = (d.p(i) + d.q(i)) * 0.5 / d.n();
        for (int corner = 0; corner < 4; ++corner) {
            const int node = d.node(i, corner);
            d.fx(node) += corner & 1 ? stress : -stress;
            d.fy(node) += corner & 2 ? stress : -stress;
        }
    }
}

static void move_nodes(Domain& d, double dt) {
    const double mass = 1.0 / d.cells();
    for (int i = 0; i < d.nodes(); ++i) {
        d.vx(i) += d.fx(i) / mass * dt;
        d.vy(i) += d.fy(i) / mass * dt;
    }
    for (int k = 0; k <= d.n(); ++k)
        d.vx(k * (d.n() + 1)) = d.vx(k * (d.n() + 1) + d.n()) = d.vy(k) = d.vy(d.nodes() - 1 - k) = 0;
}

static void update_volumes_and_energies(Domain& d, double dt) {
    for (int i = 0; i < d.cells(); ++i) {
        const double change = divergence(d, i) * dt;
        d.e(i) = std::max(0.0, d.e(i) - (d.p(i) + d.q(i)) * change * d.v(i));
        d.v(i) = limited(d.v(i) * (1 + change), 0.1, 10);
    }
}

static double time_step(Domain& d) {
    double fastest = 1e-9;
    for (int i = 0; i < d.cells(); ++i)
        fastest = std::max(fastest, std::sqrt(5.0 / 3.0 * (d.p(i) + d.q(i)) * d.v(i)));
    return 0.1 / d.n() / fastest;
}

int main(int argc, char** argv) {
    Domain d(argc > 1 ? std::atoi(argv[1]) : 120);
    const int steps = argc > 2 ? std::atoi(argv[2]) : 4000;
    d.e(0) = 100;
    equation_of_state(d);
    double time = 0;
    for (int step = 0; step < steps; ++step) {
        const double dt = time_step(d);
        artificial_viscosity(d);
        forces(d);
        move_nodes(d, dt);
        update_volumes_and_energies(d, dt);
        equation_of_state(d);
        time += dt;
    }
    std::printf("%.6f %.6f\n", time, d.e(0));
}
