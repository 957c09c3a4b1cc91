#include "complementarity/cone/body_newton.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tenpin::complementarity::cone {
namespace {

// Bodies in a grid, each touching its neighbours.
double calc_flops_of_grid(int nx, int ny, int nz, BodyNewton* newton) {
  const auto row = [&](int x, int y, int z) {
    return kNumFixedRows + (x * ny + y) * nz + z;
  };
  const int num_rows = kNumFixedRows + nx * ny * nz;
  BatchList<RoundBatch> round;
  BatchList<ContactBatch> others;
  round.reset(num_rows);
  others.reset(num_rows);
  for (int x = 0; x < nx; ++x) {
    for (int y = 0; y < ny; ++y) {
      for (int z = 0; z < nz; ++z) {
        if (x > 0) (void)round.append({.a = row(x - 1, y, z), .b = row(x, y, z)});
        if (y > 0) (void)round.append({.a = row(x, y - 1, z), .b = row(x, y, z)});
        (void)round.append({.a = z > 0 ? row(x, y, z - 1) : 0, .b = row(x, y, z)});
      }
    }
  }
  round.prepare();
  others.prepare();
  newton->analyze(num_rows, &round, &others);
  return newton->calc_flops();
}

double calc_flops_of_grid(int nx, int ny, int nz) {
  BodyNewton newton;
  return calc_flops_of_grid(nx, ny, nz, &newton);
}

// Factors of a heap in space fill up: those of 10^4 balls took a gigabyte.
TEST(BodyNewton, DoesNotLookAtLargeHeaps) {
  EXPECT_TRUE(std::isinf(calc_flops_of_grid(10, 10, 10)));
  EXPECT_TRUE(std::isinf(calc_flops_of_grid(80, 1, 80)));
}

TEST(BodyNewton, LooksAtSmallHeapsAndWalls) {
  EXPECT_TRUE(std::isfinite(calc_flops_of_grid(7, 7, 7)));
  EXPECT_TRUE(std::isfinite(calc_flops_of_grid(30, 1, 30)));
  EXPECT_LT(calc_flops_of_grid(400, 1, 1), calc_flops_of_grid(7, 7, 7)) << "a row fills nothing";
}

TEST(BodyNewton, LooksAtASmallHeapAgainAfterALargeOne) {
  BodyNewton newton;
  const double small = calc_flops_of_grid(7, 7, 7, &newton);
  EXPECT_TRUE(std::isinf(calc_flops_of_grid(10, 10, 10, &newton)));
  EXPECT_EQ(calc_flops_of_grid(7, 7, 7, &newton), small);
}

}  // namespace
}  // namespace tenpin::complementarity::cone
