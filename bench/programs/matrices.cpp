// SPDX-License-Identifier: BSD-3-Clause
//
// Matrices of fixed and of variable size, by a library of expression templates.
#include <Eigen/Dense>
#include <cstdio>
#include <cstdlib>
static Eigen::MatrixXd make(int n) {
    Eigen::MatrixXd a(n, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            a(i, j) = i == j ? n : 1.0 / (1 + i + 2 * j);
    return a;
}
static double products(const Eigen::MatrixXd& a) { return (a * a.transpose() - a).norm(); }
static double factors(const Eigen::MatrixXd& a) {
    return a.partialPivLu().solve(Eigen::VectorXd::Ones(a.rows())).sum();
}
static double eigenvalues(const Eigen::MatrixXd& a) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a + a.transpose()).eigenvalues().sum();
}
static double rotations(int n) {
    Eigen::Vector3d v(1, 2, 3);
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (int i = 0; i < n; ++i) {
        const Eigen::Matrix3d r = Eigen::AngleAxisd(0.001 * i, v.normalized()).toRotationMatrix();
        sum += r * r.transpose();
        v = r * v;
    }
    return sum.trace() + v.norm();
}
int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 40;
    double total = 0;
    for (int i = 0; i < rounds; ++i) {
        const Eigen::MatrixXd a = make(200 + i);
        total += products(a) + factors(a) + eigenvalues(a) + rotations(300000);
    }
    std::printf("%.6f\n", total);
}
